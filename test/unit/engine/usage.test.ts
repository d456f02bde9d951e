/** What a bucket holds is counted as it changes, and equals a recount after any history. */

import { join } from 'node:path';

import Database from 'better-sqlite3';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { FIRST_SCHEMA } from '../../../src/engine/migrations/001-first.ts';
import { CHECKSUMS_SCHEMA } from '../../../src/engine/migrations/002-checksums.ts';
import { UPKEEP_SCHEMA } from '../../../src/engine/migrations/003-upkeep.ts';
import { bytesBody } from '../../../src/object-store/body.ts';
import type { BucketUsage, ObjectStore } from '../../../src/object-store/object-store.ts';
import { isStorageError } from '../../../src/object-store/storage-error.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { openTestEngine, patternBytes, TEST_USER } from '../../helpers/test-engine.ts';

async function recount(store: ObjectStore, bucket: string): Promise<BucketUsage> {
  const { versions } = await store.listVersions({ bucket });
  const objects = versions.flatMap((each) => (each.kind === 'version' ? [each] : []));
  const sizeBytes = objects.reduce((sum, each) => sum + each.sizeBytes, 0);
  return { objects: objects.length, sizeBytes };
}

const key = fc.constantFrom('a', 'b');
const step = fc.oneof(
  fc.record({ verb: fc.constant('put' as const), key, sizeBytes: fc.constantFrom(0, 7, 70_000) }),
  fc.record({ verb: fc.constant('upload' as const), key, ends: fc.boolean() }),
  fc.record({ verb: fc.constant('copy' as const), key, from: key }),
  fc.record({ verb: fc.constant('delete' as const), key }),
  fc.record({ verb: fc.constant('remove' as const), pick: fc.nat() }),
  fc.record({
    verb: fc.constant('version' as const),
    versioning: fc.constantFrom('Enabled' as const, 'Suspended' as const),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function take(step: Step, store: ObjectStore, bucket: string): Promise<void> {
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
    case 'upload': {
      const { uploadId } = await store.createUpload({ bucket, key: step.key });
      const ref = { bucket, key: step.key, uploadId };
      const { etag } = await store.uploadPart({ ...ref, partNumber: 1, body: bytesBody('a part') });
      const parts = [{ partNumber: 1, etag }];
      await (step.ends ? store.completeUpload({ ...ref, parts }) : store.abortUpload(ref));
    }
  }
}

test('the usage equals a recount after any history', async () => {
  const { store } = await openTestEngine({ maxBuckets: 100 });
  let made = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const bucket = `box-${made++}`;
      await store.createBucket({ bucket });
      for (const each of steps) {
        await take(each, store, bucket).catch((error: unknown) => {
          // A copy of what is not there.
          // There is nothing to copy, or it would be copied onto itself.
          const isRefused =
            isStorageError(error, 'NoSuchKey') || isStorageError(error, 'InvalidRequest');
          if (!isRefused) throw error;
        });
        const { usage } = await store.headBucket({ bucket });
        expect(usage).toEqual(await recount(store, bucket));
      }
    }),
    { numRuns: 40 },
  );
});

test('a bucket that is made again begins with nothing', async () => {
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

test('a write that is undone is not counted', async () => {
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

test('a store of before is counted when it is opened', async () => {
  const dir = temporaryFolder();
  const database = new Database(join(dir, 'store.sqlite'));
  for (const schema of [FIRST_SCHEMA, CHECKSUMS_SCHEMA, UPKEEP_SCHEMA]) database.exec(schema);
  database.pragma(`application_id = ${0x48465354}`);
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
  database.close();
  const { store } = await openTestEngine({ dir });
  expect((await store.headBucket({ bucket: 'full' })).usage).toEqual({ objects: 2, sizeBytes: 8 });
  expect((await store.headBucket({ bucket: 'empty' })).usage).toEqual({ objects: 0, sizeBytes: 0 });
});
