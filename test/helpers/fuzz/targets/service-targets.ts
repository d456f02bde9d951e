/** Fuzz targets: work that an unauthenticated connection can cause in a running service. */

import * as fc from 'fast-check';

import { bytesBody } from '../../../../src/object-store/body.ts';
import { type Caller, internalCaller } from '../../../../src/object-store/caller.ts';
import type { ObjectStore } from '../../../../src/object-store/object-store.ts';
import { MAX_POLICY_BYTES } from '../../../../src/object-store/rules/access/parse-policy.ts';
import { HttpSocket } from '../../http-socket.ts';
import { FUZZ_KEY, type FuzzService } from '../fuzz-service.ts';
import { DOCUMENT_BUDGET_MS, REQUEST_BUDGET_MS, type FuzzTarget } from '../target.ts';

/** Maximum number of bytes that the service reads from a connection at once. */
const MAX_READ_CHARACTERS = 64 * 1024;
const MAX_QUERY_CHARACTERS = 15_000;
const LISTED = 'listed';
const OPEN = 'open';
/** Number of keys in the bucket. One page of a listing contains fewer. */
const KEYS = 1_500;
const KEY_LENGTH = 1_000;
/**
 * Number of keys in a bulk delete. It is a tenth of the maximum, so that a run takes only seconds.
 */
const DELETED = 100;

const REQUEST_TOKENS = [
  '\r\n',
  '\r\n\r\n',
  'GET / HTTP/1.1\r\nhost: a\r\n\r\n',
  'x-amz-a: b\r\n',
  'range: bytes=0-1,',
  '?',
  '&',
  '=',
  '%2F',
  '/',
  'cookie: a;',
  'expect: 100-continue\r\n',
  'host: ',
  ' ',
  'authorization: AWS4-HMAC-SHA256 Credential=a/20261121/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0\r\n',
];

export async function serviceTargets(service: FuzzService): Promise<readonly FuzzTarget[]> {
  const owner = service.as(internalCaller(FUZZ_KEY.principal, service.clock.now()));
  await fill(owner);
  return [connection(service), listing(service), bulkDelete(service, owner)];
}

async function fill(store: ObjectStore): Promise<void> {
  for (const bucket of [LISTED, OPEN]) await store.createBucket({ bucket });
  await store.putBucketAcl({ bucket: LISTED, acl: { canned: 'public-read' } });
  const body = bytesBody('x');
  await Promise.all(
    Array.from({ length: KEYS }, (_, index) => {
      const key = `${String(index).padStart(6, '0')}/`.repeat(KEY_LENGTH / 7);
      return store.putObject({ bucket: LISTED, key, body });
    }),
  );
}

/** Sends the text in one write and reads until the service closes the connection. */
async function exchange(port: number, text: string): Promise<number> {
  const socket = new HttpSocket(port);
  try {
    await socket.connected();
    socket.write(text);
    socket.end();
    return (await socket.rest()).length;
  } finally {
    socket.destroy();
  }
}

function connection({ port }: FuzzService): FuzzTarget {
  return {
    name: 'connection',
    budgetMs: REQUEST_BUDGET_MS,
    fields: {
      bytes: {
        valid: fc.constantFrom(
          'GET / HTTP/1.1\r\nhost: a\r\n\r\n',
          'GET /open/a?versionId=x HTTP/1.1\r\nhost: a\r\nrange: bytes=0-1\r\nx-amz-a: b\r\n\r\n',
          `PUT /open/k HTTP/1.1\r\nhost: a\r\n${REQUEST_TOKENS.at(-1)}content-length: 1\r\n\r\nx`,
        ),
        tokens: REQUEST_TOKENS,
        maxLength: MAX_READ_CHARACTERS,
      },
    },
    prepare:
      ({ bytes = '' }) =>
      () =>
        exchange(port, bytes),
  };
}

/**
 * Returns a target that lists a page of keys with almost the maximum length, so that the XML has
 * its maximum size.
 */
function listing({ port }: FuzzService): FuzzTarget {
  return {
    name: 'listing',
    budgetMs: DOCUMENT_BUDGET_MS,
    fields: {
      query: {
        valid: fc.constantFrom(
          'list-type=2',
          'versions',
          'delimiter=/&prefix=0',
          'encoding-type=url',
        ),
        tokens: [
          '&',
          '=',
          'prefix=',
          'delimiter=',
          'marker=0',
          'start-after=',
          'max-keys=',
          '%2F',
          '/',
          '0',
        ],
        maxLength: MAX_QUERY_CHARACTERS,
      },
    },
    prepare: ({ query = '' }) => {
      const line = query.replaceAll(/[^!-~]/g, '0');
      return () => exchange(port, `GET /${LISTED}?${line} HTTP/1.1\r\nhost: a\r\n\r\n`);
    },
  };
}

/**
 * Returns a target that measures how long a bulk delete can delay the PUT of another user. The cost
 * is the CPU time of all threads.
 */
function bulkDelete(service: FuzzService, owner: ObjectStore): FuzzTarget {
  const bucket = OPEN;
  let before: Promise<unknown> = Promise.resolve();
  return {
    name: 'bulk delete under a policy',
    budgetMs: DOCUMENT_BUDGET_MS,
    cost: 'process',
    fields: {
      pattern: {
        valid: fc.constantFrom('*a?z', 'x*', '*${aws:Referer}b*'),
        tokens: ['*', '?', 'a', '${aws:UserAgent}'],
        maxLength: 200,
      },
      count: { valid: fc.constantFrom('1', '10', '100', '2000'), tokens: ['0', '9'], maxLength: 4 },
      agent: {
        valid: fc.constantFrom('aaaa', 'ab'),
        tokens: ['a', 'z'],
        maxLength: MAX_QUERY_CHARACTERS,
      },
    },
    prepare: async ({ pattern = '', count = '', agent = '' }) => {
      await before;
      await owner.putBucketPolicy({ bucket, policy: policyOf(pattern, Number(count) || 1) });
      const caller: Caller = {
        principal: { kind: 'anonymous' },
        sourceIp: '203.0.113.9',
        secure: false,
        userAgent: agent,
        authType: 'anonymous',
        signedAt: service.clock.now(),
        wire: { referer: agent },
      };
      const objects = Array.from({ length: DELETED }, (_, index) => ({ key: `k${index}` }));
      return async () => {
        before = service.as(caller).deleteObjects({ bucket, objects });
        before.catch(() => undefined);
        await owner.putObject({ bucket: LISTED, key: 'beside', body: bytesBody('x') });
      };
    },
  };
}

/**
 * Returns a policy with up to `count` different patterns, or with as many as the maximum size
 * allows.
 */
function policyOf(pattern: string, count: number): string {
  const patterns: string[] = [];
  const most = Math.floor(
    (MAX_POLICY_BYTES - 400) / (Buffer.byteLength(JSON.stringify(pattern)) + 5),
  );
  for (let index = 0; index < Math.min(count, most); index += 1) patterns.push(pattern + index);
  const statement = {
    Effect: 'Deny',
    Principal: '*',
    Action: 's3:DeleteObject',
    Resource: `arn:aws:s3:::${OPEN}/*`,
    Condition: { StringLike: { 'aws:UserAgent': patterns } },
  };
  return JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
}
