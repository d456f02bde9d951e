/**
 * Tests of invalid request bodies and names. The daemon must refuse them with an error that
 * explains the fault, and must not store any data.
 */

import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import type { Result } from '../../src/control/messages.ts';
import { amzDialect, svcDialect } from '../../src/protocol/dialect.ts';
import { startDaemonHere, type DaemonHere } from '../helpers/daemon-here.ts';
import { runCliHere } from '../helpers/run-cli.ts';
import { HttpSocket } from '../helpers/http-socket.ts';
import { until } from '../helpers/until.ts';
import { signedHead } from '../helpers/wire-bench.ts';
import type { RawRequest } from '../helpers/wire-bench.ts';

const BUCKET = 'box';
/**
 * Body of 300,000 bytes. It is so large that the store starts to write it to a file before its end
 * has arrived.
 */
const BODY = 'x'.repeat(300_000);
const MANY = '€'.repeat(341);
const LONGEST_KEY = `${MANY}k`;

let folder: string;
let home: string;
let daemon: DaemonHere;
let credentials: Result<'credentials'>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hf-bodies-'));
  home = join(folder, 'home');
  daemon = await startDaemonHere(home);
  credentials = await daemon.client.call('credentials', {});
  await daemon.client.call('buckets.create', {
    bucket: BUCKET,
    versioning: true,
    objectLock: false,
  });
});

afterAll(async () => {
  await daemon.stop();
  rmSync(folder, { recursive: true });
});

/** Returns the names of all files with object data in the store. Some of them may be incomplete. */
function blobs(): string[] {
  const store = join(home, 'data/store');
  const entries = readdirSync(store, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.parentPath !== store);
  return files.map(({ name }) => name);
}

async function stored() {
  const { versions } = await daemon.client.call('versions.list', { bucket: BUCKET });
  return { versions, blobs: blobs() };
}

const NOTHING = { versions: [], blobs: [] };

describe.each([svcDialect('SVC'), amzDialect])(
  'the gateway of a daemon with the protocol $name',
  (dialect) => {
    function open(request: RawRequest): HttpSocket {
      const port = Number(new URL(credentials.endpointUrl).port);
      const socket = new HttpSocket(port);
      onTestFinished(() => socket.destroy());
      const signing = { dialect, gateway: { port }, now: systemClock.now(), credentials };
      socket.write(signedHead(request, signing));
      return socket;
    }

    const put = (request: Partial<RawRequest>): RawRequest => ({
      method: 'PUT',
      url: `/${BUCKET}/key`,
      body: BODY,
      ...request,
    });

    it.each([
      [
        'the SHA-256 that the signature covers',
        { contentSha256: createHash('sha256').update('y').digest('hex') },
      ],
      [
        'the Content-MD5 header',
        { headers: { 'content-md5': createHash('md5').update('y').digest('base64') } },
      ],
      ['the checksum header', { headers: { 'x-*-checksum-crc32': 'AAAAAA==' } }],
    ])(
      'the gateway refuses a body that does not match %s, and stores nothing',
      async (_, request) => {
        const socket = open(put(request));
        socket.write(BODY);
        const answer = await socket.answer('PUT');
        expect(answer.status).toBe(400);
        expect(answer.text()).toMatch(/<Code>(BadDigest|XAmzContentSHA256Mismatch)<\/Code>/);
        expect(await until(stored, (now) => now.blobs.length === 0)).toEqual(NOTHING);
      },
    );

    it('the gateway stores nothing of an upload whose connection is closed before the last byte', async () => {
      const socket = open(put({}));
      socket.write(BODY.slice(0, -1));
      await until(blobs, (files) => files.length > 0);
      socket.destroy();
      expect(await until(stored, (now) => now.blobs.length === 0)).toEqual(NOTHING);
    });

    it('the gateway answers 400 to a client that closes its sending side before Content-Length bytes have arrived', async () => {
      const socket = open(put({}));
      socket.write(BODY.slice(0, -1));
      socket.end();
      expect(await socket.rest()).toMatch(/^HTTP\/1\.1 400 /);
      expect(await until(stored, (now) => now.blobs.length === 0)).toEqual(NOTHING);
    });

    it('the gateway refuses an object key of 1,025 bytes', async () => {
      const key = encodeURIComponent(`${LONGEST_KEY}k`);
      const answer = await open(put({ url: `/${BUCKET}/${key}`, body: '' })).answer('PUT');
      expect(answer.status).toBe(400);
      expect(answer.text()).toContain('<Code>KeyTooLongError</Code>');
      expect(await stored()).toEqual(NOTHING);
    });

    it('the gateway refuses an anonymous PUT ?policy with AccessDenied before it parses the body', async () => {
      const line = `PUT /${BUCKET}?policy HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\n\r\n`;
      const socket = new HttpSocket(Number(new URL(credentials.endpointUrl).port));
      onTestFinished(() => socket.destroy());
      socket.write(`${line}{`);
      const answer = await socket.answer('PUT');
      expect([answer.status, answer.text()]).toEqual([
        403,
        expect.stringContaining('<Code>AccessDenied</Code>') as string,
      ]);
    });

    it('the gateway refuses a bucket name with capital letters', async () => {
      const answer = await open(put({ url: '/Photos', body: '' })).answer('PUT');
      expect(answer.status).toBe(400);
      expect(answer.text()).toContain('<Code>InvalidBucketName</Code>');
      expect(answer.text()).toContain('Photos');
      const { buckets } = await daemon.client.call('buckets.list', {});
      expect(buckets.map(({ name }) => name)).toEqual([BUCKET]);
    });
  },
);

describe('object keys on the command line', () => {
  it('the command line refuses an object key of 1,025 bytes as too long, and accepts a key of 1,024 bytes', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, 'x');
    const refused = await runCliHere([
      's3',
      'put',
      file,
      `${BUCKET}/${LONGEST_KEY}k`,
      '--home',
      home,
    ]);
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toContain('1025');
    expect(await stored()).toEqual(NOTHING);
    const taken = await runCliHere(['s3', 'put', file, `${BUCKET}/${LONGEST_KEY}`, '--home', home]);
    expect(taken).toMatchObject({ exitCode: 0, stderr: '' });
  });
});
