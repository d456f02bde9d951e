/**
 * Tests that a client gets an error or a broken connection when the store fails, and never sees internal
 * details.
 */

import { expect, test } from 'vitest';
import { WRITE_STALL_MS } from '../../src/http/listener-limits.ts';
import type { LogFields } from '../../src/base/logger.ts';
import { silentLogger } from '../../src/base/logger.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { StorageError } from '../../src/object-store/storage-error.ts';
import { amzDialect as dialect } from '../../src/protocol/dialect.ts';
import { makeCertificate } from '../helpers/certificate.ts';
import { WireBench } from '../helpers/wire-bench.ts';

const logged: LogFields[] = [];
let broken: Partial<ObjectStore> = {};

const bench = new WireBench({
  tls: makeCertificate(),
  logger: { ...silentLogger, error: (fields) => void logged.push(fields) },
  wrap: (store) =>
    new Proxy(store, {
      get: (target, name: Exclude<keyof ObjectStore, 'bulkWriter'>) =>
        broken[name]?.bind(broken) ?? target[name].bind(target),
    }),
});

/**
 * Half of the body. It is larger than the socket buffers, so the headers are sent before the body
 * fails.
 */
const half = Buffer.alloc(8 * 1024 * 1024, 'x');
const info = { sizeBytes: 2 * half.byteLength, etag: 'e', lastModifiedAt: 0 };

test('an unexpected store error is logged in full, but the client gets an InternalError without its text', async () => {
  broken = { listBuckets: () => Promise.reject(new Error('ENOENT: /srv/secret/path')) };
  logged.length = 0;
  const answer = await bench.send(dialect, { method: 'GET', url: '/' });
  expect(answer.status).toBe(500);
  expect(answer.text()).toContain('<Code>InternalError</Code>');
  expect(answer.text()).not.toContain('secret');
  expect(logged).toMatchObject([{ operation: 'ListBuckets', error: 'ENOENT: /srv/secret/path' }]);
});

test('a client does not receive the message of an InternalError of the store', async () => {
  broken = {
    listBuckets: () => Promise.reject(new StorageError('InternalError', 'read /srv/secret')),
  };
  expect((await bench.send(dialect, { method: 'GET', url: '/' })).text()).not.toContain('secret');
});

test.each(['fails midway', 'ends early'])(
  'the connection is closed early when a response body %s',
  async (how) => {
    broken = {
      getObject: () =>
        Promise.resolve({
          info,
          body: (async function* () {
            yield half;
            yield Buffer.from('x');
            if (how === 'fails midway') throw new StorageError('InternalError', 'wrong bytes');
          })(),
        }),
    };
    const socket = bench.connect();
    socket.write(bench.head(dialect, { method: 'GET', url: '/b/k' }));
    const received = await socket.rest();
    expect(received).toMatch(/^HTTP\/1\.1 200 /);
    expect(received).toContain(`content-length: ${info.sizeBytes}`);
    expect(received.length).toBeLessThan(info.sizeBytes);
  },
);

test('a response body that fails before its first byte turns into a 500 response', async () => {
  broken = {
    getObject: () =>
      Promise.resolve({
        info,
        body: {
          [Symbol.asyncIterator]: () => ({
            next: () => Promise.reject(new StorageError('InternalError', 'wrong bytes')),
          }),
        },
      }),
  };
  expect((await bench.send(dialect, { method: 'GET', url: '/b/k' })).status).toBe(500);
});

test('the gateway aborts the store call when the client resets its connection', async () => {
  const aborted = new Promise<void>((resolve) => {
    broken = {
      listBuckets: (options) =>
        new Promise((_, reject) => {
          options?.signal?.addEventListener('abort', () => {
            reject(options.signal?.reason as Error);
            resolve();
          });
          socket.reset();
        }),
    };
  });
  const socket = bench.connect();
  socket.write(bench.head(dialect, { method: 'GET', url: '/' }));
  await expect(aborted).resolves.toBeUndefined();
});

test('the gateway closes the source of a response body when the client disconnects', async () => {
  const socket = bench.connect();
  const closed = new Promise<void>((resolve) => {
    broken = {
      getObject: () =>
        Promise.resolve({
          info,
          body: (async function* () {
            try {
              yield half;
              yield half;
              yield half;
            } finally {
              resolve();
            }
          })(),
        }),
    };
  });
  socket.write(bench.head(dialect, { method: 'GET', url: '/b/k' }));
  await socket.answerHead();
  socket.destroy();
  await expect(closed).resolves.toBeUndefined();
});

test('the gateway disconnects a client that stops reading a body, after a timeout', async () => {
  const socket = bench.connect();
  socket.pause();
  const [asked, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  broken = {
    getObject: () =>
      Promise.resolve({
        info,
        body: (async function* () {
          try {
            asked.resolve();
            yield half;
            yield half;
          } finally {
            closed.resolve();
          }
        })(),
      }),
  };
  socket.write(bench.head(dialect, { method: 'GET', url: '/b/k' }));
  await asked.promise;
  // The gateway writes a chunk in the same turn of the event loop in which it requests it.
  await new Promise((resolve) => setImmediate(resolve));
  bench.clock.advance(WRITE_STALL_MS);
  await expect(closed.promise).resolves.toBeUndefined();
});

const longName = 'k'.repeat(8 * 1024);
const listed = Array.from({ length: 1000 }, (_, index) => ({
  ...info,
  key: `${index}-${longName}`,
}));

const endOfObject: Partial<ObjectStore> = {
  getObject: async () => ({
    info: { ...info, sizeBytes: half.byteLength },
    body: (async function* () {
      yield half;
    })(),
  }),
};
const page: Partial<ObjectStore> = {
  listObjects: async () => ({ objects: listed, commonPrefixes: [] }),
};

test.each([
  ['the end of an object', '/b/k', endOfObject, () => bench.connect()],
  ['the end of an object over TLS', '/b/k', endOfObject, () => bench.connectTls()],
  ['a page of a listing', '/b?list-type=2', page, () => bench.connect()],
] as const)(
  'the gateway disconnects a client that stops reading %s',
  async (_, url, store, connect) => {
    broken = store;
    const socket = connect();
    socket.write(bench.head(dialect, { method: 'GET', url }));
    await socket.answerHead();
    socket.pause();
    bench.clock.advance(2 * WRITE_STALL_MS);
    socket.resume();
    expect((await socket.rest()).length).toBeLessThan(half.byteLength);
  },
);

test('the response of a busy store is 503 with a Retry-After header', async () => {
  broken = {
    listBuckets: () =>
      Promise.reject(new StorageError('SlowDown', 'list buckets: too many at once')),
  };
  const answer = await bench.send(dialect, { method: 'GET', url: '/' });
  expect([answer.status, answer.header('retry-after')]).toEqual([503, '1']);
});
