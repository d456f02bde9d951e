/**
 * Tests of encrypted objects: the bytes that the disk contains, and reads after these bytes were
 * changed.
 */

import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { PLAIN_SEGMENT_BYTES } from '../../../../src/engine/encryption/sealed-bytes.ts';
import { segmentChecksums } from '../../../../src/engine/checksums/segment-checksums.ts';
import { type Body, bytesBody, collect } from '../../../../src/object-store/body.ts';
import type { HeadObjectRequest, ObjectStore } from '../../../../src/object-store/object-store.ts';
import { isStorageError } from '../../../../src/object-store/storage-error.ts';
import { customerKey, customerKeyBytes, customerKeyMd5 } from '../../../helpers/customer-keys.ts';
import { blobPath, contentsBelow } from '../../../helpers/store-files.ts';
import { openTestEngine, patternBytes } from '../../../helpers/test-engine.ts';

const KEY = { customerKey: customerKey('k') };
const BUCKET = { bucket: 'bucket' };
const WORD = 'A plain word that is encrypted. ';

async function openStore() {
  const opened = await openTestEngine();
  await opened.store.createBucket(BUCKET);
  return opened;
}

async function read(store: ObjectStore, request: HeadObjectRequest): Promise<Buffer> {
  const { body } = await store.getObject(request);
  return Buffer.from(await collect(body, 2 ** 24));
}

function expectNothingShown(dir: string): void {
  const key = customerKeyBytes('k');
  const secrets: [string, Buffer | string][] = [
    ['the plain text', WORD.slice(0, 20)],
    ['the key', key],
    ['the key in hex', key.toString('hex')],
    ['the key in base64', key.toString('base64')],
    ['the digest of the key', customerKeyMd5('k')],
    ['the digest of the key, raw', createHash('md5').update(key).digest()],
  ];
  for (const bytes of contentsBelow(dir)) {
    const shown = secrets.filter(([, secret]) => bytes.includes(secret));
    expect(shown.map(([what]) => what)).toEqual([]);
  }
}

test('[ssec-2] the store writes neither plaintext nor key material of an encrypted put to disk', async () => {
  const { store, engine, dir } = await openStore();
  const text = (size: number) => Buffer.alloc(size, WORD);
  for (const size of [1000, 65_000, 66_000, 3_000_000]) {
    const name = { ...BUCKET, key: `put-${size}` };
    await store.putObject({ ...name, body: bytesBody(text(size)), ...KEY });
    const copy = {
      source: name,
      ...BUCKET,
      key: `copy-${size}`,
      sourceCustomerKey: KEY.customerKey,
    };
    await store.copyObject({ ...copy, ...KEY });
    await store.copyObject({ ...copy, key: `other-${size}`, customerKey: customerKey('other') });
  }
  const ref = { ...BUCKET, key: 'parts' };
  const { uploadId } = await store.createUpload({ ...ref, ...KEY });
  const part = { ...ref, uploadId, partNumber: 1, ...KEY };
  const { etag } = await store.uploadPart({ ...part, body: bytesBody(text(6_000_000)) });
  await store.uploadPart({ ...part, partNumber: 2, body: bytesBody(text(100)) });
  expectNothingShown(dir);
  await store.completeUpload({ ...ref, uploadId, parts: [{ partNumber: 1, etag }] });
  expectNothingShown(dir);
  await engine.close();
  expectNothingShown(dir);
});

test('[ssec-2] the store writes no plaintext to disk while an encrypted put is in progress', async () => {
  const { store, dir } = await openStore();
  let looked = 0;
  const body = {
    replayable: false,
    async *open() {
      for (let piece = 0; piece < 40; piece++) {
        yield Buffer.alloc(100_000, WORD);
        // Lets other promises run first, so that the received bytes are written to the file.
        await new Promise(setImmediate);
        if (piece % 10 === 9) {
          expectNothingShown(dir);
          looked += readdirSync(join(dir, 'tmp')).length;
        }
      }
      throw new Error('the sender left');
    },
  };
  const put = store.putObject({ ...BUCKET, key: 'k', body, ...KEY });
  await expect(put).rejects.toThrow('the sender left');
  expect(looked).toBeGreaterThan(0);
  expect(readdirSync(join(dir, 'tmp'))).toEqual([]);
});

test('[ssec-18] the store decrypts only the segments that a ranged read covers', async () => {
  const { store, dir } = await openStore();
  const ref = { ...BUCKET, key: 'k' };
  const bytes = patternBytes(5 * PLAIN_SEGMENT_BYTES);
  await store.putObject({ ...ref, body: bytesBody(bytes), ...KEY });
  // Destroys the third segment and stores a matching checksum.
  change(dir, 'k', (blob) => blob.fill(1, 2 * 65_536, 2 * 65_536 + 100));
  const range = (first: number, last: number) => ({ ...ref, range: { first, last }, ...KEY });
  const third = 2 * PLAIN_SEGMENT_BYTES;
  const before = await read(store, range(third - 100, third - 1));
  expect(before.equals(bytes.subarray(third - 100, third))).toBe(true);
  const after = await read(store, range(third + PLAIN_SEGMENT_BYTES, bytes.byteLength - 1));
  expect(after.equals(bytes.subarray(third + PLAIN_SEGMENT_BYTES))).toBe(true);
  await expect(read(store, range(third - 1, third))).rejects.toMatchObject({
    code: 'InternalError',
  });
});

test('[ssec-18] the store returns the bytes that were put for any range of an encrypted object of any size', async () => {
  const { store } = await openStore();
  let number = 0;
  const near = fc
    .tuple(fc.nat(3), fc.integer({ min: -2, max: 2 }))
    .map(([segments, off]) => Math.max(1, segments * PLAIN_SEGMENT_BYTES + off));
  await fc.assert(
    fc.asyncProperty(near, fc.nat(), fc.nat(), async (size, one, two) => {
      const ref = { ...BUCKET, key: `k${number++}` };
      const bytes = patternBytes(size);
      await store.putObject({ ...ref, body: bytesBody(bytes), ...KEY });
      const ends = [one % size, two % size].sort((a, b) => a - b);
      const [first = 0, last = 0] = ends;
      const part = await read(store, { ...ref, range: { first, last }, ...KEY });
      expect(part.equals(bytes.subarray(first, last + 1))).toBe(true);
    }),
    { numRuns: 40 },
  );
});

interface BlobOfKey {
  readonly blobId: number;
  readonly file: string | null;
  readonly bytes: Buffer | null;
}

/**
 * Changes the stored bytes of an object, in a file or in the database, and updates their checksums
 * to match.
 */
function change(dir: string, key: string, alter: (bytes: Buffer) => void): void {
  const database = new Database(join(dir, 'store.sqlite'));
  const row = database
    .prepare<[string], BlobOfKey>(
      'SELECT blob_id AS blobId, file, bytes FROM version JOIN blob USING (blob_id) WHERE key = ?',
    )
    .get(key);
  const bytes = row?.bytes ?? readFileSync(blobPath(dir, row?.file ?? ''));
  alter(bytes);
  const sha256 = createHash('sha256').update(bytes).digest();
  database
    .prepare('UPDATE blob SET sha256 = ?, segment_checksums = ?, bytes = ? WHERE blob_id = ?')
    .run(sha256, segmentChecksums(bytes), row?.bytes ? bytes : null, row?.blobId);
  database.close();
  if (!row?.file) return;
  const file = openSync(blobPath(dir, row.file), 'r+');
  writeSync(file, bytes, 0, bytes.byteLength, 0);
  closeSync(file);
}

test('[ssec-17] the store fails the read of an encrypted object with any changed bit, even if its checksums match', async () => {
  const { store, dir } = await openStore();
  let number = 0;
  const where = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const sizes = fc.constantFrom(1, 1000, 200_000);
  await fc.assert(
    fc.asyncProperty(sizes, where, fc.nat(7), async (size, place, bit) => {
      const ref = { ...BUCKET, key: `k${number++}` };
      await store.putObject({ ...ref, body: bytesBody(patternBytes(size)), ...KEY });
      change(dir, ref.key, (bytes) => {
        const at = Math.floor(place * bytes.byteLength);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
      });
      await expect(read(store, { ...ref, ...KEY })).rejects.toMatchObject({
        code: 'InternalError',
      });
    }),
    { numRuns: 40 },
  );
});

/**
 * SQL that exchanges rows as an attacker could. The store check finds no problem after any of these
 * changes.
 */
const EXCHANGES: Readonly<Record<string, string>> = {
  'the bytes of two objects with the same customer key were exchanged': `
    UPDATE version SET blob_id = (SELECT blob_id FROM version WHERE key = 'b') WHERE key = 'a'`,
  'the bytes and the object keys of two objects were exchanged': `
    UPDATE version SET (blob_id, encryption) =
      (SELECT blob_id, encryption FROM version WHERE key = 'b') WHERE key = 'a'`,
  'the salts of two blobs were exchanged': `
    UPDATE blob SET salt = (SELECT salt FROM blob JOIN version USING (blob_id) WHERE key = 'b')`,
  'the object was replaced by an encrypted object of another bucket': `
    UPDATE version SET (blob_id, encryption) =
      (SELECT blob_id, encryption FROM version WHERE bucket_id = 2) WHERE key = 'a'`,
  'the salt was removed': 'UPDATE blob SET salt = NULL',
  'the encryption data was removed': 'UPDATE version SET encryption = NULL',
};

test.each(Object.entries(EXCHANGES))(
  '[ssec-17] the store fails the read of an encrypted object without returning bytes if %s',
  async (_, sql) => {
    for (const size of [1000, 100_000]) {
      const { store, dir } = await openStore();
      await store.createBucket({ bucket: 'second' });
      for (const [bucket, key] of [
        ['bucket', 'a'],
        ['bucket', 'b'],
        ['second', 'a'],
      ] as const) {
        const body = bytesBody(patternBytes(size, key.charCodeAt(0) + bucket.length));
        await store.putObject({ bucket, key, body, ...KEY });
      }
      const database = new Database(join(dir, 'store.sqlite'));
      database.exec(sql);
      database.close();
      const refused = async (request: HeadObjectRequest) => {
        const error = await read(store, request).catch((reason: unknown) => reason);
        expect(isStorageError(error)).toBe(true);
      };
      await refused({ ...BUCKET, key: 'a', ...KEY });
      // Repeats the read with the version id, because it uses another code path.
      const [version] = (await store.listVersions(BUCKET)).versions;
      await refused({ ...BUCKET, key: 'a', versionId: version?.versionId ?? '', ...KEY });
      if (sql.includes('encryption = NULL')) await refused({ ...BUCKET, key: 'a' });
    }
  },
);

test('[ssec-17] the store fails the read of an encrypted multipart object whose parts were reordered', async () => {
  const { store, dir } = await openStore();
  const ref = { ...BUCKET, key: 'k' };
  const { uploadId } = await store.createUpload({ ...ref, ...KEY });
  const parts = [];
  for (const partNumber of [1, 2]) {
    const body = bytesBody(patternBytes(5 * 1024 * 1024, partNumber));
    const { etag } = await store.uploadPart({ ...ref, uploadId, partNumber, body, ...KEY });
    parts.push({ partNumber, etag });
  }
  await store.completeUpload({ ...ref, uploadId, parts });
  const database = new Database(join(dir, 'store.sqlite'));
  const [one, two] = database.prepare('SELECT blob_id FROM manifest_part').pluck().all();
  const set = database.prepare('UPDATE manifest_part SET blob_id = ? WHERE part_number = ?');
  set.run(two, 1);
  set.run(one, 2);
  database.close();
  await expect(read(store, { ...ref, ...KEY })).rejects.toMatchObject({ code: 'InternalError' });
});

test('[ssec-2] the store fails the read of plaintext that was stored in place of encrypted bytes, and the store check reports the damage', async () => {
  const { store, engine, dir } = await openStore();
  const ref = { ...BUCKET, key: 'k' };
  await store.putObject({ ...ref, body: bytesBody('text'), ...KEY });
  const database = new Database(join(dir, 'store.sqlite'));
  const bytes = Buffer.from('text');
  const sha256 = createHash('sha256').update(bytes).digest();
  database
    .prepare(
      'UPDATE blob SET size_bytes = 4, bytes = ?, sha256 = ?, segment_checksums = ?, salt = NULL',
    )
    .run(bytes, sha256, segmentChecksums(bytes));
  database.close();
  await expect(read(store, { ...ref, ...KEY })).rejects.toMatchObject({ code: 'InternalError' });
  const { problems } = await engine.upkeep.check({ deep: true });
  expect(problems).toMatchObject([{ code: 'encryption-differs' }]);
});

test('the store fails an encrypted write that started before its bucket was deleted and created again', async () => {
  const { store } = await openStore();
  const ref = { ...BUCKET, key: 'k' };
  await store.createBucket({ bucket: 'source' });
  const source = { bucket: 'source', key: 'k' };
  await store.putObject({ ...source, body: bytesBody(patternBytes(200_000)), ...KEY });
  const makeAnew = () => [store.deleteBucket(BUCKET), store.createBucket(BUCKET)];
  const body: Body = {
    replayable: false,
    async *open() {
      yield patternBytes(100_000);
      await Promise.all(makeAnew());
      yield patternBytes(100_000);
    },
  };
  const writes: readonly (() => Promise<unknown>)[] = [
    () => store.putObject({ ...ref, body, ...KEY }),
    // The store runs the requests of one event loop turn in their order.
    () => (
      makeAnew(),
      store.copyObject({ ...ref, source, ...KEY, sourceCustomerKey: KEY.customerKey })
    ),
    () => (makeAnew(), store.createUpload({ ...ref, ...KEY })),
  ];
  for (const write of writes) {
    await expect(write()).rejects.toMatchObject({ code: 'NoSuchBucket' });
  }
  await store.putObject({ ...ref, body: bytesBody('new'), ...KEY });
  expect((await read(store, { ...ref, ...KEY })).toString()).toBe('new');
});
