/**
 * Tests that a store of an older format stays usable, without the values that the older format did
 * not store.
 */

import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

import { principalId } from '../../../src/base/principal.ts';
import { FIRST_SCHEMA } from '../../../src/engine/schema/migrations/001-first.ts';
import { newSequenceId } from '../../../src/engine/schema/sequence-id.ts';
import { segmentChecksums } from '../../../src/engine/checksums/segment-checksums.ts';
import { bytesBody } from '../../../src/object-store/body.ts';
import { checksumOf } from '../../../src/object-store/checksums/running-checksum.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { openTestEngine, readBytes, TEST_USER } from '../../helpers/test-engine.ts';

const REF = { bucket: 'bucket', key: 'k' };
const UPLOAD = { bucket: 'bucket', key: 'uploaded', uploadId: newSequenceId(4) };
const TEXT = Buffer.from('written by format 1');
const ETAG = createHash('md5').update(TEXT).digest('hex');

/** Creates a store of format 1 with the object `k` and an open multipart upload with one part. */
function storeOfFormat1(): string {
  const dir = temporaryFolder('format-1');
  mkdirSync(join(dir, 'blobs'), { mode: 0o700 });
  mkdirSync(join(dir, 'tmp'), { mode: 0o700 });
  const database = new Database(join(dir, 'store.sqlite'));
  database.pragma('journal_mode = WAL');
  database.exec(FIRST_SCHEMA);
  database.exec(`
    UPDATE store SET next_sequence = 6;
    INSERT INTO bucket (bucket_id, name, owner_project, owner_user, owner_customer, created_at, object_lock)
    VALUES (1, '${REF.bucket}', '${TEST_USER.project}', '${TEST_USER.user}', '${TEST_USER.customer}', 1000, 0);
    INSERT INTO version (bucket_id, key, sequence, version_id, is_latest, is_delete_marker, last_modified_at,
      size_bytes, etag, owner, blob_id, legal_hold)
    VALUES (1, '${REF.key}', 3, 'null', 1, 0, 1000, ${TEXT.length}, '${ETAG}', '${principalId(TEST_USER)}', 2, 0);
    INSERT INTO upload (sequence, upload_id, bucket_id, key, initiated_at, owner, legal_hold)
    VALUES (4, '${UPLOAD.uploadId}', 1, '${UPLOAD.key}', 1000, '${principalId(TEST_USER)}', 0);
    INSERT INTO upload_part (upload_sequence, part_number, blob_id, size_bytes, etag, last_modified_at)
    VALUES (4, 1, 5, ${TEXT.length}, '${ETAG}', 1000);
  `);
  const insertBlob = database.prepare(
    `INSERT INTO blob (blob_id, reference_count, size_bytes, sha256, segment_checksums, bytes)
     VALUES (?, 1, ?, ?, ?, ?)`,
  );
  const sha256 = createHash('sha256').update(TEXT).digest();
  for (const blobId of [2, 5]) {
    insertBlob.run(blobId, TEXT.length, sha256, segmentChecksums(TEXT), TEXT);
  }
  database.pragma('application_id = 0x48465354');
  database.pragma('user_version = 1');
  database.close();
  return dir;
}

test('Holdfast reads an object of format 1, which has no checksum', async () => {
  const { store } = await openTestEngine({ dir: storeOfFormat1() });
  expect((await readBytes(store, REF)).equals(TEXT)).toBe(true);
  const { info } = await store.headObject({ ...REF, withChecksum: true });
  expect(info).toMatchObject({ etag: ETAG, sizeBytes: TEXT.length });
  expect(info).not.toHaveProperty('checksum');
  const copy = await store.copyObject({ source: REF, bucket: REF.bucket, key: 'copy' });
  expect(copy).not.toHaveProperty('checksum');
});

test('Holdfast adds a checksum to a copy of an object of format 1 if the request asks for it', async () => {
  const { store } = await openTestEngine({ dir: storeOfFormat1() });
  const copy = { source: REF, bucket: REF.bucket, key: 'copy', checksumAlgorithm: 'SHA1' } as const;
  const { checksum } = await store.copyObject(copy);
  expect(checksum?.value).toBe(checksumOf('SHA1', TEXT));
});

test('Holdfast completes an upload of format 1 without a checksum, even if the client sends part checksums', async () => {
  const { store } = await openTestEngine({ dir: storeOfFormat1() });
  expect((await store.listParts(UPLOAD)).parts).toMatchObject([{ partNumber: 1, etag: ETAG }]);
  const stated = { algorithm: 'CRC32', value: checksumOf('CRC32', TEXT) } as const;
  const parts = [{ partNumber: 1, etag: ETAG, checksum: stated }];
  expect(await store.completeUpload({ ...UPLOAD, parts })).not.toHaveProperty('checksum');
  expect((await readBytes(store, UPLOAD)).equals(TEXT)).toBe(true);
  const { parts: returned } = await store.getObjectAttributes({
    ...UPLOAD,
    wanted: ['ObjectParts'],
  });
  expect(returned).toEqual({ totalCount: 1, parts: [{ partNumber: 1, sizeBytes: TEXT.length }] });
});

test('Holdfast accepts new parts with checksums in an upload of format 1', async () => {
  const { store } = await openTestEngine({ dir: storeOfFormat1() });
  const part = { ...UPLOAD, partNumber: 1, body: bytesBody('new') };
  const { etag, checksum } = await store.uploadPart(part);
  expect(checksum?.value).toBe(checksumOf('CRC32', Buffer.from('new')));
  const done = await store.completeUpload({ ...UPLOAD, parts: [{ partNumber: 1, etag }] });
  expect(done.checksum?.value).toBe(checksumOf('CRC32', Buffer.from('new')));
});
