/** Contract tests of single objects: a GET returns the bytes and attributes that were put. */

import { describe, expect, test } from 'vitest';

import { expectNoTrace, expectRefusal, KIB, md5, MIB } from './subject.ts';
import { noise, put, read, readText, sha256, streamBody } from './subject.ts';
import type { Subject } from './subject.ts';

/** Sizes near the limits between storage forms: in the database row, in segments and in files. */
const BORDERS = [0, 1, 32 * KIB, 64 * KIB, 128 * KIB].flatMap((size) => [size - 1, size, size + 1]);
const SIZES = [...new Set(BORDERS.filter((size) => size >= 0))];
/** More than the client and the engine hold in memory for one body. */
const LARGE_BYTES = 9 * MIB;

const ATTRIBUTES = {
  contentType: 'text/plain; charset=utf-8',
  contentEncoding: 'identity',
  contentDisposition: 'attachment; filename="a b.txt"',
  contentLanguage: 'de',
  cacheControl: 'max-age=60, private',
  expires: 'not a date',
  metadata: {
    mtime: '1700000000.123456789',
    empty: '',
    'with-hyphen_and.dot': '=?x?=',
    text: 'ä 😀 €',
  },
};

export function testObjects(subject: Subject): void {
  describe('single objects', () => {
    test.each(SIZES)(
      'a GET of an object of %i bytes returns the bytes that were put',
      async (sizeBytes) => {
        await expectStored(subject, sizeBytes);
      },
    );

    test.each([0, 1, 40 * KIB, MIB])(
      'a put stores a stream of %i bytes as a whole, even if the request does not state the size',
      async (sizeBytes) => {
        const ref = { bucket: await subject.bucket(), key: 'k' };
        const bytes = noise(sizeBytes);
        await put(subject.store, ref, streamBody(bytes));
        expect((await read(subject.store, ref)).equals(bytes)).toBe(true);
      },
    );

    test('a put stores a stream whose size and SHA-256 the request states', async () => {
      const ref = { bucket: await subject.bucket(), key: 'k' };
      const bytes = noise(100_000);
      const body = streamBody(bytes, { sizeBytes: bytes.byteLength, sha256: sha256(bytes) });
      await put(subject.store, ref, body);
      expect((await read(subject.store, ref)).equals(bytes)).toBe(true);
    });

    test('a put over an existing object replaces its bytes, attributes and size', async () => {
      const ref = { bucket: await subject.bucket(), key: 'k' };
      await put(subject.store, ref, noise(100_000), { attributes: ATTRIBUTES });
      await put(subject.store, ref, 'new');
      const { info } = await subject.store.headObject(ref);
      expect(info).toMatchObject({ sizeBytes: 3, etag: md5('new') });
      expect(info.metadata ?? {}).toEqual({});
      expect(info.cacheControl).toBeUndefined();
      expect(await readText(subject.store, ref)).toBe('new');
    });

    test('GET and HEAD return the attributes of an object as they were put', async () => {
      const ref = { bucket: await subject.bucket(), key: 'k' };
      await put(subject.store, ref, 'text', { attributes: ATTRIBUTES });
      expect((await subject.store.headObject(ref)).info).toMatchObject(ATTRIBUTES);
      const { info, body } = await subject.store.getObject(ref);
      for await (const chunk of body) expect(chunk.byteLength).toBe(4);
      expect(info).toMatchObject(ATTRIBUTES);
      expect(info.metadata).toEqual(ATTRIBUTES.metadata);
    });

    test('[object-7] HEAD and listings return the time of the put as the modification time', async () => {
      const ref = { bucket: await subject.bucket(), key: 'k' };
      const before = Math.floor(subject.now() / 1000) * 1000;
      await put(subject.store, ref, 'text');
      const after = subject.now();
      subject.opened.clock?.advance(5000);
      const { lastModifiedAt } = (await subject.store.headObject(ref)).info;
      const [listed] = (await subject.store.listObjects({ bucket: ref.bucket })).objects;
      expect(lastModifiedAt).toBeGreaterThanOrEqual(before);
      expect(lastModifiedAt).toBeLessThanOrEqual(after);
      const seconds = (ms: number | undefined) => Math.floor(Number(ms) / 1000);
      expect(seconds(listed?.lastModifiedAt)).toBe(seconds(lastModifiedAt));
      expect(listed).toMatchObject({ key: 'k', sizeBytes: 4, etag: md5('text') });
    });

    test('a put with more than 2 KB of user metadata is rejected and stores nothing', async () => {
      const bucket = await subject.bucket();
      const attributes = { metadata: { a: 'x'.repeat(2048) } };
      const attempt = put(subject.store, { bucket, key: 'k' }, 'text', { attributes });
      await expectRefusal(attempt, 'MetadataTooLarge');
      await expectNoTrace(subject.store, bucket);
    });

    test('GET and HEAD of a missing key fail with NoSuchKey', async () => {
      const ref = { bucket: await subject.bucket(), key: 'k' };
      await expectRefusal(subject.store.getObject(ref), 'NoSuchKey');
      await expectRefusal(subject.store.headObject(ref), 'NoSuchKey');
    });

    test('a deleted object cannot be read, and deleting it again succeeds', async () => {
      const ref = { bucket: await subject.bucket(), key: 'k' };
      await put(subject.store, ref, 'text');
      const result = { deleteMarker: false };
      expect(await subject.store.deleteObject(ref)).toEqual(result);
      await expectRefusal(subject.store.getObject(ref), 'NoSuchKey');
      expect(await subject.store.deleteObject(ref)).toEqual(result);
    });

    test('a store has all acknowledged objects after it is reopened', async ({ skip }) => {
      const bucket = await subject.bucket('Enabled');
      const [small, large] = [Buffer.from('small'), noise(300 * KIB)];
      await put(subject.store, { bucket, key: 'small' }, small);
      await put(subject.store, { bucket, key: 'large' }, large, { attributes: ATTRIBUTES });
      await subject.store.deleteObject({ bucket, key: 'small' });
      if (!(await subject.reopen())) skip('it cannot be opened again');
      await expectRefusal(subject.store.getObject({ bucket, key: 'small' }), 'NoSuchKey');
      expect((await read(subject.store, { bucket, key: 'large' })).equals(large)).toBe(true);
      const { info } = await subject.store.headObject({ bucket, key: 'large' });
      expect(info).toMatchObject(ATTRIBUTES);
      expect((await subject.store.listVersions({ bucket })).versions).toHaveLength(3);
    });
  });
}

async function expectStored(subject: Subject, sizeBytes: number): Promise<void> {
  const ref = { bucket: await subject.bucket(), key: 'k' };
  const bytes = noise(sizeBytes);
  expect((await put(subject.store, ref, bytes)).etag).toBe(md5(bytes));
  const { info, body } = await subject.store.getObject(ref);
  expect(info).toMatchObject({ sizeBytes, etag: md5(bytes) });
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(Uint8Array.from(chunk));
  expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
}

/** Defines the tests of large objects and of parallel reads, which use no vendor headers. */
export function testObjectReads(subject: Subject): void {
  test('a GET of a large object returns the bytes that were put', async () => {
    await expectStored(subject, LARGE_BYTES);
  });

  describe('GET during other operations', () => {
    test('a GET in progress returns the old bytes to the end, even if the object is overwritten and deleted', async () => {
      const ref = { bucket: await subject.bucket(), key: 'k' };
      const bytes = noise(LARGE_BYTES);
      await put(subject.store, ref, bytes);
      const { body } = await subject.store.getObject(ref);
      const chunks: Uint8Array[] = [];
      for await (const chunk of body) {
        if (chunks.length === 0) {
          await put(subject.store, ref, 'new');
          await subject.store.deleteObject(ref);
        }
        chunks.push(Uint8Array.from(chunk));
      }
      expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
    });

    test('a caller can stop reading before the end of the body', async () => {
      const ref = { bucket: await subject.bucket(), key: 'k' };
      const bytes = noise(LARGE_BYTES);
      await put(subject.store, ref, bytes);
      for (let times = 0; times < 3; times++) {
        const { body } = await subject.store.getObject(ref);
        for await (const chunk of body) {
          expect(chunk.byteLength).toBeGreaterThan(0);
          break;
        }
      }
      expect((await read(subject.store, ref)).equals(bytes)).toBe(true);
    });

    test('an aborted GET rejects with the reason of the abort', async () => {
      const ref = { bucket: await subject.bucket(), key: 'k' };
      await put(subject.store, ref, noise(LARGE_BYTES));
      const controller = new AbortController();
      const { signal } = controller;
      const { body } = await subject.store.getObject(ref, { signal });
      const readAll = async () => {
        for await (const chunk of body) if (chunk.byteLength > 0) controller.abort();
      };
      expect(await readAll().catch((error: unknown) => error)).toBe(signal.reason);
    });

    test('a GET during parallel overwrites always returns the whole body of one put', async () => {
      const ref = { bucket: await subject.bucket(), key: 'k' };
      const contents = [noise(10), noise(40 * KIB), noise(200 * KIB)];
      await put(subject.store, ref, 'first');
      const writes = Array.from({ length: 24 }, (_, index) =>
        put(subject.store, ref, contents[index % 3] ?? ''),
      );
      const reads = Array.from({ length: 24 }, async () => {
        const { info, body } = await subject.store.getObject(ref);
        const chunks: Uint8Array[] = [];
        for await (const chunk of body) chunks.push(Uint8Array.from(chunk));
        return [info.etag, md5(Buffer.concat(chunks))];
      });
      await Promise.all(writes);
      for (const [etag, read] of await Promise.all(reads)) expect(read).toBe(etag);
    });
  });
}
