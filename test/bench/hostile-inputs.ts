/**
 * Defines hostile inputs: requests and files that slow down a service for other users. They come from a user, or from a
 * client without an access key.
 */

import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { isStorageError } from '../../src/object-store/storage-error.ts';
import { HttpSocket } from '../helpers/http-socket.ts';
import type { Peer } from './peer.ts';

/** The access that an attacker has: a client with buckets, the service's ports, and a job's folder. */
export interface Attacked {
  readonly attacker: Peer['client'];
  readonly port: number;
  readonly clusterPort: number;
  /** The path of the folder that the job backs up. */
  readonly root: string;
}

export interface HostileInput {
  readonly name: string;
  readonly prepare?: (attacked: Attacked) => Promise<void>;
  /** Sends the hostile input once. The benchmark calls it repeatedly while it measures the requests of other users. */
  readonly strike: (attacked: Attacked, over: AbortSignal) => Promise<void>;
}

const HELD_CONNECTIONS = 1024;
const BODY_CONNECTIONS = 400;
const BODY_BYTES = 256 * 1024;
const PIPELINED = 60_000;
const DELETED = 100;
/**
 * A request body that is too large to be handed to another thread. The gateway's own thread therefore checks the
 * permission before it reads the body.
 */
const LARGE = 'x'.repeat(200_000);

const anyone = { Effect: 'Allow', Principal: '*' };

/**
 * Creates a bucket with a policy of `count` patterns. Halves the number until the service accepts the policy. If the
 * service rejects even a single pattern, the bucket has no policy.
 */
async function policy(
  { attacker }: Attacked,
  bucket: string,
  {
    count,
    statements,
  }: { readonly count: number; readonly statements: (patterns: number) => readonly object[] },
): Promise<void> {
  await attacker.createBucket({ bucket });
  for (let patterns = count; patterns >= 1; patterns = Math.floor(patterns / 2)) {
    const document = { Version: '2012-10-17', Statement: statements(patterns) };
    try {
      return await attacker.putBucketPolicy({ bucket, policy: JSON.stringify(document) });
    } catch (error) {
      if (!isStorageError(error)) throw error;
    }
  }
}

const like = (
  bucket: string,
  action: string,
  { key, patterns }: { key: string; patterns: readonly string[] },
) => ({
  Action: `s3:${action}`,
  Resource: `arn:aws:s3:::${bucket}/*`,
  Condition: { StringLike: { [key]: patterns } },
});

const numbered = (count: number, of: (index: string) => string) =>
  Array.from({ length: count }, (_, index) => of(String(index).padStart(3, '0')));

/** Sends one request on a new connection, and waits until the service closes the connection. */
async function send(port: number, lines: readonly string[], body = ''): Promise<void> {
  const socket = new HttpSocket(port);
  try {
    await socket.connected();
    const length = `content-length: ${Buffer.byteLength(body)}`;
    socket.write([...lines, 'host: a', length, 'connection: close', '', body].join('\r\n'));
    await socket.rest();
  } finally {
    socket.destroy();
  }
}

/** Opens `count` connections, sends the same text on each, and keeps them open until `over` is aborted. */
async function hold(
  port: number,
  { count, text, over }: { count: number; text: string; over: AbortSignal },
) {
  const sockets = Array.from({ length: count }, () => new HttpSocket(port));
  for (const socket of sockets) socket.write(text);
  await new Promise((resolve) => over.addEventListener('abort', resolve, { once: true }));
  for (const socket of sockets) socket.destroy();
}

export const HOSTILE_INPUTS: readonly HostileInput[] = [
  {
    name: '2,247 patterns and an If-Match of 15 KB',
    prepare: (attacked) =>
      policy(attacked, 'evil-a', {
        count: 2_247,
        statements: (count) => {
          const patterns = numbered(count, (index) => `*${index}z*`);
          return [{ ...anyone, ...like('evil-a', 'PutObject', { key: 's3:if-match', patterns }) }];
        },
      }),
    strike: ({ port }) =>
      send(port, ['PUT /evil-a/k HTTP/1.1', `if-match: "${'a'.repeat(15_000)}"`], LARGE),
  },
  {
    name: '16 patterns with a variable of 15 KB',
    prepare: (attacked) =>
      policy(attacked, 'evil-b', {
        count: 16,
        statements: (count) => {
          const patterns = numbered(count, (index) => `*\${s3:if-match}${index}b*`);
          return [{ ...anyone, ...like('evil-b', 'PutObject', { key: 's3:if-match', patterns }) }];
        },
      }),
    strike: ({ port }) =>
      send(port, ['PUT /evil-b/k HTTP/1.1', `if-match: "${'a'.repeat(15_000)}"`], LARGE),
  },
  {
    name: '2,246 patterns and a User-Agent of 1 KB',
    prepare: (attacked) =>
      policy(attacked, 'evil-c', {
        count: 2_246,
        statements: (count) => {
          const patterns = numbered(count, (index) => `*${index}z*`);
          return [
            { ...anyone, ...like('evil-c', 'GetObject', { key: 'aws:UserAgent', patterns }) },
          ];
        },
      }),
    strike: ({ port }) =>
      send(port, ['GET /evil-c/k HTTP/1.1', `user-agent: ${'a'.repeat(1_024)}`]),
  },
  {
    name: 'a bulk delete of 100 keys under 2,888 patterns',
    prepare: (attacked) =>
      policy(attacked, 'evil-d', {
        count: 2_888,
        statements: (count) => {
          const patterns = numbered(count, () => '*a?z');
          const denied = like('evil-d', 'DeleteObject', { key: 'aws:UserAgent', patterns });
          const allowed = { Action: 's3:DeleteObject', Resource: 'arn:aws:s3:::evil-d/*' };
          return [
            { ...anyone, ...denied, Effect: 'Deny' },
            { ...anyone, ...allowed },
          ];
        },
      }),
    strike: ({ port }) => {
      const objects = numbered(DELETED, (index) => `<Object><Key>${index}</Key></Object>`);
      const body = `<Delete>${objects.join('')}</Delete>`;
      const md5 = createHash('md5').update(body).digest('base64');
      const agent = `user-agent: ${'a'.repeat(1_024)}`;
      return send(port, ['POST /evil-d?delete HTTP/1.1', agent, `content-md5: ${md5}`], body);
    },
  },
  {
    name: 'an ignore file of six `**/a/`',
    prepare: ({ root }) => {
      writeFileSync(join(root, '.holdfastignore'), `${'**/a/'.repeat(6)}b`);
      return Promise.resolve();
    },
    strike: async ({ root }, over) => {
      mkdirSync(join(root, `n${Date.now()}`, 'a/'.repeat(60)), { recursive: true });
      await new Promise((resolve) => over.addEventListener('abort', resolve, { once: true }));
    },
  },
  {
    name: '60,000 requests on one connection',
    strike: async ({ port }) => {
      const socket = new HttpSocket(port);
      socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(PIPELINED));
      socket.end();
      await socket.rest();
      socket.destroy();
    },
  },
  {
    name: '1,024 connections without a complete request',
    strike: ({ port }, over) => hold(port, { count: HELD_CONNECTIONS, text: 'GET /', over }),
  },
  {
    name: '400 bodies of 256 KiB for the cluster gateway',
    strike: ({ clusterPort }, over) => {
      const head = `POST /clusters HTTP/1.1\r\nhost: a\r\nauthorization: x\r\ncontent-length: ${BODY_BYTES}`;
      const text = `${head}\r\n\r\n${'x'.repeat(BODY_BYTES - 1)}`;
      return hold(clusterPort, { count: BODY_CONNECTIONS, text, over });
    },
  },
  {
    name: 'preflights of 100 names under 4,990 allowed headers',
    prepare: async ({ attacker }) => {
      const bucket = 'evil-e';
      await attacker.createBucket({ bucket });
      for (let count = 4_989; count >= 1; count = Math.floor(count / 2)) {
        const allowedHeaders = [...numbered(count, () => '*b'), '*'];
        const rules = [{ allowedOrigins: ['*'], allowedMethods: ['GET'], allowedHeaders }] as const;
        try {
          return await attacker.putCors({ bucket, rules });
        } catch (error) {
          if (!isStorageError(error)) throw error;
        }
      }
    },
    strike: ({ port }) =>
      send(port, [
        'OPTIONS /evil-e/k HTTP/1.1',
        'origin: https://a.b',
        'access-control-request-method: GET',
        `access-control-request-headers: ${numbered(100, (index) => `a${index}`).join(',')}`,
      ]),
  },
];
