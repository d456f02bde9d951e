import { describe, expect, test } from 'vitest';

import { systemClock } from '../../../src/base/clock.ts';
import { objectPutter } from '../../../src/mirror/transfer/put-object.ts';
import { bytesBody } from '../../../src/object-store/body.ts';
import type { BulkLimits, PutObjectsRequest } from '../../../src/object-store/bulk-write.ts';
import type { MirrorStore } from '../../../src/object-store/mirror-store.ts';
import type { PutObjectRequest } from '../../../src/object-store/object-store.ts';
import { StorageError } from '../../../src/object-store/storage-error.ts';

const LIMITS: BulkLimits = { objects: 3, bytes: 100, bytesPerObject: 60 };
const bucket = 'bucket';

/**
 * Returns a function that uploads to a store with recorded calls. Keys that begin with `refused`
 * and bulk writes with the key `broken` fail.
 */
function openPutter(limits?: BulkLimits) {
  const calls: string[] = [];
  const putObjects = ({ objects }: PutObjectsRequest) => {
    const keys = objects.map(({ key }) => key);
    calls.push(keys.join(' '));
    if (keys.includes('broken')) return Promise.reject(new Error('connection lost'));
    return Promise.resolve(
      keys.map((key) =>
        key.startsWith('refused') ? new StorageError('AccessDenied', key) : { etag: key },
      ),
    );
  };
  const putObject = ({ key }: PutObjectRequest) => {
    calls.push(`alone: ${key}`);
    return Promise.resolve({ etag: key });
  };
  const bulkWriter = limits && { limits, putObjects };
  const store = { putObject, bulkWriter } as unknown as MirrorStore;
  const { signal } = new AbortController();
  const put = objectPutter({ destination: { store, bucket }, clock: systemClock, signal });
  const putAll = (...keys: string[]) =>
    Promise.allSettled(keys.map((key) => put({ bucket, key, body: bytesBody(key) })));
  return { calls, put, putAll };
}

const etags = (results: readonly PromiseSettledResult<{ readonly etag: string }>[]) =>
  results.map((each) =>
    each.status === 'fulfilled' ? each.value.etag : `error: ${String(each.reason.message)}`,
  );

describe('uploads of a job to a store with bulk writes', () => {
  test('a job combines puts that start together into one bulk write and returns the result of each', async () => {
    const { calls, putAll } = openPutter(LIMITS);
    expect(etags(await putAll('a', 'refused', 'c'))).toEqual(['a', 'error: refused', 'c']);
    expect(calls).toEqual(['a refused c']);
  });

  test('a job divides puts into bulk writes within the limits of the store', async () => {
    const { calls, putAll } = openPutter(LIMITS);
    const [long, longer] = ['x'.repeat(50), 'y'.repeat(51)];
    expect(etags(await putAll('a', 'b', 'c', 'd', long, longer))).toHaveLength(6);
    expect(calls).toEqual(['a b c', `d ${long}`, longer]);
  });

  test('a job rejects the puts of a failed bulk write, but not those of another bulk write', async () => {
    const { putAll } = openPutter(LIMITS);
    const failed = 'error: connection lost';
    expect(etags(await putAll('a', 'b', 'c', 'd', 'broken', 'e', 'f'))).toEqual([
      'a',
      'b',
      'c',
      failed,
      failed,
      failed,
      'f',
    ]);
  });

  test.each([
    ['larger than the bulk limit for one object', LIMITS, bytesBody('z'.repeat(61))],
    ['not in memory', LIMITS, { ...bytesBody('z'), bytes: undefined }],
    ['sent to a store without bulk writes', undefined, bytesBody('z')],
  ])(
    'a job sends a put as a single request if its content is %s',
    async (_, limits, { bytes, ...body }) => {
      const { calls, put } = openPutter(limits);
      await put({ bucket, key: 'k', body: bytes ? { ...body, bytes } : body });
      expect(calls).toEqual(['alone: k']);
    },
  );
});
