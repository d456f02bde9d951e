/**
 * Tests of the signed S3 client against the gateway and the engine. They add to the contract tests
 * of the client.
 */

import { createHash, randomBytes } from 'node:crypto';
import { type AddressInfo, connect as connectSocket, createServer } from 'node:net';

import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { defined } from '../../src/base/defined.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { openSignedClient, type SignedClientOptions } from '../../src/client/signed-client.ts';
import { type Engine, openEngine } from '../../src/engine/engine.ts';
import { type Gateway, openGateway } from '../../src/gateway/gateway.ts';
import { bytesBody, collect } from '../../src/object-store/body.ts';
import { putBody } from '../../src/object-store/put-body.ts';
import { amzDialect, svcDialect } from '../../src/protocol/dialect.ts';
import type { AccessKey } from '../../src/identity/identity.ts';
import { openSqliteIdentity, type SqliteIdentity } from '../../src/identity/sqlite-identity.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const REGION = 'us-east-1';
const DIALECTS = { svc: svcDialect(), amz: amzDialect };
const MIB = 1024 * 1024;
const REF = { bucket: 'bucket', key: 'key' };

let engine: Engine;
let gateway: Gateway;
let identity: SqliteIdentity;
let clock: FakeClock;

beforeEach(async () => {
  clock = new FakeClock();
  const [dir, logger, region] = [temporaryFolder('client'), silentLogger, REGION];
  identity = openSqliteIdentity({ path: `${temporaryFolder('identity')}/identity.sqlite`, clock });
  engine = await openEngine({ dir, clock, logger, region });
  gateway = await openGateway({
    store: (caller) => engine.as(caller),
    identity: identity.keys,
    dialects: DIALECTS,
    host: '127.0.0.1',
    port: 0,
    region,
    clock,
    logger,
  });
});

afterEach(async () => {
  await gateway.close();
  await engine.close();
  identity.close();
});

function adasKey(): AccessKey {
  const key = identity.keys.currentKey(identity.ensureFirstUser({ user: 'ada' }));
  if (key === undefined) throw new Error('the first user has no key');
  return key;
}

function connect(options: Partial<SignedClientOptions> = {}) {
  return openSignedClient({
    endpoint: gateway.url,
    region: REGION,
    dialect: DIALECTS.svc,
    credentials: adasKey(),
    clock,
    logger: silentLogger,
    ...options,
  });
}

const failure = (result: Promise<unknown>) =>
  result.then(
    () => undefined,
    (error: unknown) => error,
  );

describe.each([DIALECTS.svc, DIALECTS.amz])(
  'the signed S3 client with x-$name- headers',
  (dialect) => {
    test('the S3 client uploads a large body that can be read only once, in signed chunks', async () => {
      const client = connect({ dialect });
      await client.createBucket({ bucket: REF.bucket });
      const bytes = Buffer.alloc(20 * MIB + 123);
      for (let at = 0; at < bytes.length; at += 97) bytes[at] = at % 251;
      async function* open() {
        for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000);
      }
      const attributes = { contentEncoding: 'gzip', metadata: { name: 'Grüße 日本' } };
      const body = { sizeBytes: bytes.length, replayable: false, open };
      const { etag } = await client.putObject({ ...REF, body, attributes });
      expect(etag).toBe(createHash('md5').update(bytes).digest('hex'));
      const content = await client.getObject(REF);
      expect(content.info).toMatchObject({ ...attributes, sizeBytes: bytes.length });
      expect(Buffer.compare(await collect(content.body, bytes.length), bytes)).toBe(0);
      await client.close();
    });

    test('[link-15] the S3 client creates presigned URLs that grant access to one object for at most seven days', async () => {
      const client = connect({ dialect });
      await client.createBucket({ bucket: REF.bucket });
      await client.putVersioning({ bucket: REF.bucket, versioning: 'Enabled' });
      const ref = { ...REF, key: 'a b/ü+%' };
      const put = await client.presign({ ...ref, method: 'PUT', expiresSeconds: 60 });
      expect((await fetch(put, { method: 'PUT', body: 'first' })).status).toBe(200);
      const { info } = await client.headObject(ref);
      await client.putObject({ ...ref, body: bytesBody('second') });
      const follow = async (of: { readonly versionId?: string }) => {
        const url = await client.presign({ ...ref, ...of, method: 'GET', expiresSeconds: 604_800 });
        return (await fetch(url)).text();
      };
      expect(await follow({})).toBe('second');
      expect(await follow(defined({ versionId: info.versionId }))).toBe('first');
      clock.advance(61_000);
      expect((await fetch(put, { method: 'PUT', body: 'late' })).status).toBe(403);
      const tooLong = client.presign({ ...ref, method: 'GET', expiresSeconds: 604_801 });
      await expect(tooLong).rejects.toThrow('seven days');
      await client.close();
    });

    test('the service rejects a body that does not match the SHA-256 that the client declares, and stores nothing', async () => {
      const client = connect({ dialect });
      await client.createBucket({ bucket: REF.bucket });
      for (const sizeBytes of [5, MIB]) {
        const body = { ...bytesBody(new Uint8Array(sizeBytes)), sha256: 'a'.repeat(64) };
        expect(await failure(client.putObject({ ...REF, body }))).toMatchObject({
          code: 'XAmzContentSHA256Mismatch',
        });
      }
      expect((await client.listObjects({ bucket: REF.bucket })).objects).toEqual([]);
      await client.close();
    });

    test('the error message for a wrong secret, an unknown access key or a wrong region says how to fix the problem', async () => {
      const right = adasKey();
      const secretAccessKey = 'wrong-secret-that-must-not-be-told-01234';
      const cases: readonly [Partial<SignedClientOptions>, string, RegExp][] = [
        [
          { credentials: { ...right, secretAccessKey } },
          'SignatureDoesNotMatch',
          new RegExp(`check your secret.*access key ${right.accessKeyId}`),
        ],
        [{ credentials: { accessKeyId: 'a:b@c', secretAccessKey } }, 'InvalidAccessKeyId', /a:b@c/],
        [{ region: 'eu-west-1' }, 'AuthorizationHeaderMalformed', /set the region to us-east-1/],
      ];
      for (const [options, code, message] of cases) {
        const client = connect({ dialect, ...options });
        const error = await failure(client.listBuckets());
        expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
        expect(`${(error as Error).stack}${JSON.stringify(error)}`).not.toContain(secretAccessKey);
        await client.close();
      }
    });

    test.for([-40, -1, 0.2, 700_000])(
      'the S3 client signs valid requests, including HEAD, even if the local clock is wrong by %d hours',
      async (hours) => {
        const client = connect({ dialect, clock: new FakeClock(clock.now() + hours * 3_600_000) });
        expect(await failure(client.headObject(REF))).toMatchObject({ code: 'NoSuchKey' });
        await client.createBucket({ bucket: REF.bucket });
        await client.putObject({ ...REF, body: bytesBody('a') });
        expect((await client.headObject(REF)).info.sizeBytes).toBe(1);
        await client.close();
      },
    );
  },
);

test('an upload that the caller of the S3 client aborts stores no object', async () => {
  const client = connect();
  await client.createBucket({ bucket: REF.bucket });
  const abort = new AbortController();
  const reason = new Error('enough');
  async function* open() {
    for (let count = 0; count < 300; count += 1) {
      if (count === 100) abort.abort(reason);
      yield Buffer.alloc(64 * 1024);
    }
  }
  const body = { sizeBytes: 300 * 64 * 1024, replayable: false, open };
  expect(await failure(client.putObject({ ...REF, body }, { signal: abort.signal }))).toBe(reason);
  expect(await failure(client.headObject(REF))).toMatchObject({ code: 'NoSuchKey' });
  await client.close();
});

/** Starts a proxy to the gateway that breaks the next `breaksLeft` connections after 5 MiB each. */
async function brittleWay() {
  const way = { url: '', breaksLeft: 0 };
  const server = createServer((near) => {
    const far = connectSocket(Number(new URL(gateway.url).port), '127.0.0.1');
    const look = () => {
      if (near.destroyed || way.breaksLeft === 0) return;
      if (near.bytesRead + far.bytesRead < 5 * MIB) return;
      way.breaksLeft -= 1;
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) socket.on('data', look).on('error', () => undefined);
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  way.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return way;
}

test('the S3 client uploads and downloads a stream of unknown length even if its connections break', async () => {
  const way = await brittleWay();
  const client = connect({ endpoint: way.url, clock: systemClock });
  await client.createBucket({ bucket: REF.bucket });
  const bytes = randomBytes(40 * MIB + 1);
  async function* open() {
    for (let at = 0; at < bytes.length; at += MIB) yield bytes.subarray(at, at + MIB);
  }
  const onLeftover = (_: unknown, error: unknown) => {
    throw error;
  };
  way.breaksLeft = 3;
  const { etag } = await putBody(client, { ...REF, body: { open } }, { onLeftover });
  expect(etag).toMatch(/-6$/);
  expect(way.breaksLeft).toBe(0);
  way.breaksLeft = 3;
  const { body } = await client.getObject(REF);
  expect(Buffer.compare(await collect(body, bytes.length), bytes)).toBe(0);
  expect((await client.listUploads({ bucket: REF.bucket })).uploads).toEqual([]);
  expect(way.breaksLeft).toBe(0);
  await client.close();
});

test('exactly one of many simultaneous conditional writes of S3 clients succeeds', async () => {
  const client = connect();
  await client.createBucket({ bucket: REF.bucket });
  const puts = Array.from({ length: 32 }, (_, index) =>
    failure(
      client.putObject({
        ...REF,
        body: bytesBody(`writer ${index}`),
        conditions: { ifNoneMatch: '*' },
      }),
    ),
  );
  const errors = (await Promise.all(puts)).filter((error) => error !== undefined);
  expect(errors).toHaveLength(31);
  for (const error of errors) expect(error).toMatchObject({ code: 'PreconditionFailed' });
  await client.close();
});
