import { closeSync, openSync, readFileSync, truncateSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

import {
  firstBadSegment,
  SEGMENT_BYTES,
  segmentChecksums,
} from '../../../src/engine/checksums/segment-checksums.ts';
import { bytesBody } from '../../../src/object-store/body.ts';
import type { ObjectStore } from '../../../src/object-store/object-store.ts';
import { blobFiles, blobPath } from '../../helpers/store-files.ts';
import {
  openTestEngine,
  patternBytes,
  readBytes,
  type TestEngine,
} from '../../helpers/test-engine.ts';

const REF = { bucket: 'bucket', key: 'k' };
const SIZE = 40 * SEGMENT_BYTES + 5;
const BAD_BYTE = 20 * SEGMENT_BYTES + 17;

async function storedFile(): Promise<
  TestEngine & { readonly path: string; readonly bytes: Buffer }
> {
  const opened = await openTestEngine();
  const bytes = patternBytes(SIZE);
  await opened.store.createBucket({ bucket: 'bucket', objectLockEnabled: true });
  await opened.store.putObject({ ...REF, body: bytesBody(bytes) });
  const [file = ''] = blobFiles(opened.dir);
  return { ...opened, bytes, path: blobPath(opened.dir, file) };
}

function flipByte(path: string, position: number): void {
  const byte = readFileSync(path)[position] ?? 0;
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.of(byte ^ 1), 0, 1, position);
  closeSync(file);
}

async function bytesBeforeError(store: ObjectStore): Promise<{ bytes: Buffer; error: unknown }> {
  const chunks: Uint8Array[] = [];
  try {
    const { body } = await store.getObject(REF);
    for await (const chunk of body) chunks.push(Buffer.from(chunk));
    return { bytes: Buffer.concat(chunks), error: undefined };
  } catch (error) {
    return { bytes: Buffer.concat(chunks), error };
  }
}

test('if one bit of a file is flipped, a read fails before the store returns any byte of the damaged segment', async () => {
  const { store, path, bytes } = await storedFile();
  flipByte(path, BAD_BYTE);
  const read = await bytesBeforeError(store);
  expect(read.error).toMatchObject({ code: 'InternalError' });
  expect(read.bytes.length).toBeLessThanOrEqual(20 * SEGMENT_BYTES);
  expect(read.bytes.equals(bytes.subarray(0, read.bytes.length))).toBe(true);
});

test.each([
  ['inside the damaged segment', BAD_BYTE + 100, BAD_BYTE + 200, false],
  ['that ends in the damaged segment', BAD_BYTE - SEGMENT_BYTES, BAD_BYTE - 10, false],
  ['before the damaged segment', 5, 20 * SEGMENT_BYTES - 1, true],
  ['after the damaged segment', 21 * SEGMENT_BYTES, SIZE - 1, true],
])(
  'the read of a range %s fails only if the range needs the damaged segment',
  async (_, first, last, whole) => {
    const { store, path, bytes } = await storedFile();
    flipByte(path, BAD_BYTE);
    const { body } = await store.getObject({ ...REF, range: { first, last } });
    const chunks: Buffer[] = [];
    const read = (async () => {
      for await (const chunk of body) chunks.push(Buffer.from(chunk));
      return Buffer.concat(chunks).equals(bytes.subarray(first, last + 1));
    })();
    if (whole) await expect(read).resolves.toBe(true);
    else await expect(read).rejects.toMatchObject({ code: 'InternalError' });
  },
);

test('the store fails the read of a truncated file instead of returning a shorter object', async () => {
  const { store, path } = await storedFile();
  truncateSync(path, SIZE - 1);
  expect((await bytesBeforeError(store)).error).toMatchObject({ code: 'InternalError' });
});

test('if the file of an object is missing, HEAD succeeds, GET fails and garbage collection reports the damage', async () => {
  const { store, path, engine } = await storedFile();
  const { versionId } = await store.headObject(REF).then(({ info }) => info);
  unlinkSync(path);
  expect((await bytesBeforeError(store)).error).toMatchObject({ code: 'InternalError' });
  await expect(store.headObject(REF)).resolves.toBeDefined();
  expect((await engine.sweep()).damaged).toMatchObject([
    { reason: `its file ${path.slice(-32)} is missing`, versions: [{ ...REF, versionId }] },
  ]);
});

test('reading a small inline body fails if one of its bits is flipped', async () => {
  const { dir, engine, store } = await openTestEngine();
  await store.createBucket({ bucket: 'bucket' });
  await store.putObject({ ...REF, body: bytesBody('precious') });
  await engine.close();
  change(dir, `UPDATE blob SET bytes = CAST('Precious' AS BLOB)`);
  const again = await openTestEngine({ dir });
  await expect(readBytes(again.store, REF)).rejects.toMatchObject({ code: 'InternalError' });
});

test.each([
  ['an unknown retention mode', `retention_mode = 'OTHER', retain_until = 1`],
  ['a retention date without a mode', 'retain_until = 1'],
  ['a retention mode without a date', `retention_mode = 'GOVERNANCE'`],
  ['an invalid retention date', `retention_mode = 'GOVERNANCE', retain_until = -5`],
  ['an invalid legal hold value', 'legal_hold = 7'],
])('the store treats a version whose lock data has %s as locked', async (_, columns) => {
  const { dir, engine, store } = await storedFile();
  const { versionId = '' } = await store.headObject(REF).then(({ info }) => info);
  await engine.close();
  change(dir, `UPDATE version SET ${columns}`);
  const again = await openTestEngine({ dir });
  const removal = again.store.deleteObject({ ...REF, versionId, bypassGovernance: true });
  await expect(removal).rejects.toMatchObject({ code: 'AccessDenied' });
  await expect(again.store.headObject(REF)).resolves.toBeDefined();
});

test('firstBadSegment returns the number of the first damaged segment, whichever segment the read starts at', () => {
  const bytes = patternBytes(5 * SEGMENT_BYTES + 1);
  const checksums = segmentChecksums(bytes);
  expect(checksums).toHaveLength(6 * 4);
  expect(firstBadSegment(bytes, checksums, 0)).toBeUndefined();
  expect(firstBadSegment(bytes.subarray(2 * SEGMENT_BYTES), checksums, 2)).toBeUndefined();
  expect(firstBadSegment(bytes.subarray(2 * SEGMENT_BYTES), checksums, 1)).toBe(1);
  expect(firstBadSegment(bytes, checksums.subarray(0, 8), 0)).toBe(2);
});

function change(dir: string, sql: string): void {
  const database = new Database(join(dir, 'store.sqlite'));
  database.exec(sql);
  database.close();
}
