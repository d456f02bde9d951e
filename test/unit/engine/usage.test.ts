/**
 * Tests that the usage counters of a bucket equal a recount of its objects after any sequence of
 * operations.
 */

import { join } from 'node:path';

import Database from 'better-sqlite3';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { FIRST_SCHEMA } from '../../../src/engine/schema/migrations/001-first.ts';
import { CHECKSUMS_SCHEMA } from '../../../src/engine/schema/migrations/002-checksums.ts';
import { UPKEEP_SCHEMA } from '../../../src/engine/schema/migrations/003-upkeep.ts';
import { invariant } from '../../../src/base/errors.ts';
import { bucketSizeBytes, numberOfObjects } from '../../../src/engine/reads/bucket-metrics.ts';
import { bytesBody } from '../../../src/object-store/body.ts';
import type { BucketUsage } from '../../../src/object-store/buckets.ts';
import type { ObjectStore } from '../../../src/object-store/object-store.ts';
import { isStorageError } from '../../../src/object-store/storage-error.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import {
  openTestEngine,
  patternBytes,
  TEST_USER,
  type TestEngine,
} from '../../helpers/test-engine.ts';

async function recount(store: ObjectStore, bucket: string): Promise<BucketUsage> {
  const { versions } = await store.listVersions({ bucket });
  const objects = versions.flatMap((each) => (each.kind === 'version' ? [each] : []));
  const sizeBytes = objects.reduce((sum, each) => sum + each.sizeBytes, 0);
  return { objects: objects.length, sizeBytes };
}

/** Computes the metrics of a bucket from listings of all its versions, uploads and parts. */
async function recountMetrics(store: ObjectStore, bucket: string) {
  const { objects: versions, sizeBytes: versionBytes } = await recount(store, bucket);
  const listed = await store.listVersions({ bucket });
  const { uploads } = await store.listUploads({ bucket });
  const pages = await Promise.all(
    uploads.map(({ key, uploadId }) => store.listParts({ bucket, key, uploadId })),
  );
  const parts = pages.flatMap((page) => page.parts);
  return {
    versions,
    versionBytes,
    deleteMarkers: listed.versions.length - versions,
    parts: parts.length,
    partBytes: parts.reduce((sum, part) => sum + part.sizeBytes, 0),
  };
}

const key = fc.constantFrom('a', 'b');
const step = fc.oneof(
  fc.record({ verb: fc.constant('put' as const), key, sizeBytes: fc.constantFrom(0, 7, 70_000) }),
  fc.record({
    verb: fc.constant('upload' as const),
    key,
    parts: fc.array(fc.record({ partNumber: fc.constantFrom(1, 2), sizeBytes: fc.nat(9) }), {
      maxLength: 3,
    }),
    end: fc.constantFrom('complete', 'abort', 'stay'),
  }),
  fc.record({ verb: fc.constant('repair' as const) }),
  fc.record({ verb: fc.constant('copy' as const), key, from: key }),
  fc.record({ verb: fc.constant('delete' as const), key }),
  fc.record({ verb: fc.constant('remove' as const), pick: fc.nat() }),
  fc.record({
    verb: fc.constant('version' as const),
    versioning: fc.constantFrom('Enabled' as const, 'Suspended' as const),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function take(step: Step, { store, engine }: TestEngine, bucket: string): Promise<void> {
  switch (step.verb) {
    case 'put':
      await store.putObject({
        bucket,
        key: step.key,
        body: bytesBody(patternBytes(step.sizeBytes)),
      });
      return;
    case 'copy':
      await store.copyObject({ bucket, key: step.key, source: { bucket, key: step.from } });
      return;
    case 'delete':
      await store.deleteObject({ bucket, key: step.key });
      return;
    case 'version':
      await store.putVersioning({ bucket, versioning: step.versioning });
      return;
    case 'remove': {
      const { versions } = await store.listVersions({ bucket });
      const picked = versions[step.pick % Math.max(versions.length, 1)];
      if (picked)
        await store.deleteObject({ bucket, key: picked.key, versionId: picked.versionId });
      return;
    }
    case 'upload':
      return upload(step, store, bucket);
    case 'repair':
      await engine.upkeep.repair({ deep: false });
  }
}

/**
 * Creates a multipart upload, uploads its parts, and completes or aborts it. A repeated part number
 * replaces the earlier part.
 */
async function upload(
  { key, parts, end }: Extract<Step, { verb: 'upload' }>,
  store: ObjectStore,
  bucket: string,
): Promise<void> {
  const { uploadId } = await store.createUpload({ bucket, key });
  const ref = { bucket, key, uploadId };
  const etags = new Map<number, string>();
  for (const { partNumber, sizeBytes } of parts) {
    const body = bytesBody(patternBytes(sizeBytes));
    etags.set(partNumber, (await store.uploadPart({ ...ref, partNumber, body })).etag);
  }
  if (end === 'abort') await store.abortUpload(ref);
  const [first] = etags;
  if (end !== 'complete' || !first) return;
  const [partNumber, etag] = first;
  await store.completeUpload({ ...ref, parts: [{ partNumber, etag }] });
}

test('[metric-1] [metric-2] usage counters and metrics of a bucket equal a recount after any sequence of operations', async () => {
  const opened = await openTestEngine({ quotas: { bucketsPerProject: 100 } });
  const { store, engine } = opened;
  let made = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const bucket = `box-${made++}`;
      await store.createBucket({ bucket });
      for (const each of steps) {
        await take(each, opened, bucket).catch((error: unknown) => {
          // The source of the copy does not exist, or the copy would replace the source itself.
          const isRefused =
            isStorageError(error, 'NoSuchKey') || isStorageError(error, 'InvalidRequest');
          if (!isRefused) throw error;
        });
        const { usage } = await store.headBucket({ bucket });
        expect(usage).toEqual(await recount(store, bucket));
        expect(engine.metrics.find(bucket)).toMatchObject(await recountMetrics(store, bucket));
      }
    }),
    { numRuns: 20 },
  );
});

test('the store counts zero usage for a bucket that was deleted and created again', async () => {
  const { store } = await openTestEngine();
  const bucket = 'again';
  await store.createBucket({ bucket });
  await store.putObject({ bucket, key: 'k', body: bytesBody('12345') });
  expect((await store.headBucket({ bucket })).usage).toEqual({ objects: 1, sizeBytes: 5 });
  await store.deleteObject({ bucket, key: 'k' });
  await store.deleteBucket({ bucket });
  await store.createBucket({ bucket });
  expect((await store.headBucket({ bucket })).usage).toEqual({ objects: 0, sizeBytes: 0 });
});

test('the store does not change the usage of a bucket for a write that was refused and rolled back', async () => {
  const { store } = await openTestEngine();
  const bucket = 'undone';
  await store.createBucket({ bucket });
  await store.putObject({ bucket, key: 'k', body: bytesBody('12345') });
  const again = {
    bucket,
    key: 'k',
    body: bytesBody('x'),
    conditions: { ifNoneMatch: '*' as const },
  };
  await expect(store.putObject(again)).rejects.toMatchObject({ code: 'PreconditionFailed' });
  expect((await store.headBucket({ bucket })).usage).toEqual({ objects: 1, sizeBytes: 5 });
});

test('a store without usage counters counts its objects when it opens', async () => {
  const dir = temporaryFolder();
  const database = new Database(join(dir, 'store.sqlite'));
  for (const schema of [FIRST_SCHEMA, CHECKSUMS_SCHEMA, UPKEEP_SCHEMA]) database.exec(schema);
  database.pragma('application_id = 0x48465354');
  database.pragma('user_version = 3');
  const { project, user, customer } = TEST_USER;
  const insertBucket = database.prepare(
    `INSERT INTO bucket (name, owner_project, owner_user, owner_customer, created_at, object_lock)
     VALUES (?, ?, ?, ?, 0, 0)`,
  );
  for (const bucket of ['full', 'empty']) insertBucket.run(bucket, project, user, customer);
  const insertVersion = database.prepare(
    `INSERT INTO version (bucket_id, key, sequence, version_id, is_latest, is_delete_marker, last_modified_at,
       size_bytes, etag, owner, blob_id, legal_hold) VALUES (1, 'k', ?, ?, ?, ?, 0, ?, '', 'o', ?, 0)`,
  );
  insertVersion.run(1, 'v1', 0, 0, 3, 7);
  insertVersion.run(2, 'v2', 0, 0, 5, 8);
  insertVersion.run(3, 'v3', 1, 1, 0, null);
  database.exec(`
    INSERT INTO upload (sequence, upload_id, bucket_id, key, initiated_at, owner, legal_hold)
    VALUES (4, 'u', 1, 'k', 0, 'o', 0);
    INSERT INTO upload_part (upload_sequence, part_number, blob_id, size_bytes, etag, last_modified_at)
    VALUES (4, 1, 9, 4, '', 0)`);
  database.close();
  const { store, engine } = await openTestEngine({ dir });
  expect((await store.headBucket({ bucket: 'full' })).usage).toEqual({ objects: 2, sizeBytes: 8 });
  expect((await store.headBucket({ bucket: 'empty' })).usage).toEqual({ objects: 0, sizeBytes: 0 });
  const counted = { versions: 2, versionBytes: 8, deleteMarkers: 1, parts: 1, partBytes: 4 };
  expect(engine.metrics.find('full')).toMatchObject(counted);
});

test('[metric-3] the store counts versions, delete markers and the parts of open uploads in the two metrics of a bucket', async () => {
  const { store, engine } = await openTestEngine();
  const bucket = 'counted';
  await store.createBucket({ bucket });
  await store.putVersioning({ bucket, versioning: 'Enabled' });
  for (const text of ['one', 'three'])
    await store.putObject({ bucket, key: 'k', body: bytesBody(text) });
  await store.deleteObject({ bucket, key: 'k' });
  const { uploadId } = await store.createUpload({ bucket, key: 'u' });
  const part = { bucket, key: 'u', uploadId, partNumber: 1 };
  for (const text of ['1234567', '1234']) {
    await store.uploadPart({ ...part, body: bytesBody(text) });
  }
  const metrics = engine.metrics.find(bucket);
  invariant(metrics, 'the bucket is there');
  expect(bucketSizeBytes(metrics)).toBe(3 + 5 + 4);
  expect(numberOfObjects(metrics)).toBe(2 + 1 + 1);
  expect(engine.metrics.list()).toEqual([metrics]);
  expect((await store.headBucket({ bucket })).usage).toEqual({ objects: 2, sizeBytes: 8 });
  expect(engine.metrics.countHeads(bucket)).toEqual({ count: 0, isAll: true });
  for (const key of ['k', 'l', 'l', 'm'])
    await store.putObject({ bucket, key, body: bytesBody('new') });
  expect(engine.metrics.countHeads(bucket)).toEqual({ count: 3, isAll: true });
  expect(engine.metrics.countHeads(bucket, 2)).toEqual({ count: 2, isAll: false });
});
