/** Contract tests of bulk deletes (DeleteObjects). */

import { describe, expect, test } from 'vitest';

import { expectRefusal, listAll, newBucketName, put, putVersion } from './subject.ts';
import type { Subject } from './subject.ts';

export function testBulkDeletes(subject: Subject): void {
  describe('bulk deletes', () => {
    test('a bulk delete returns results in request order, and reports a missing key as deleted', async () => {
      const bucket = await subject.bucket();
      for (const key of ['a', 'b &', 'kept']) await put(subject.store, { bucket, key }, 'x');
      const objects = ['b &', 'none', 'a', 'a'].map((key) => ({ key }));
      expect(await subject.store.deleteObjects({ bucket, objects })).toEqual({
        deleted: objects,
        failed: [],
      });
      expect((await listAll(subject.store, { bucket })).keys).toEqual(['kept']);
    });

    test('a bulk delete accepts 1,000 keys', async () => {
      const bucket = await subject.bucket();
      const keys = Array.from({ length: 1000 }, (_, index) => `k${index}`);
      await Promise.all(keys.slice(0, 50).map((key) => put(subject.store, { bucket, key }, 'x')));
      const objects = keys.map((key) => ({ key }));
      const { deleted, failed } = await subject.store.deleteObjects({ bucket, objects });
      expect(deleted).toEqual(objects);
      expect(failed).toEqual([]);
      expect((await listAll(subject.store, { bucket })).keys).toEqual([]);
    });

    test('a bulk delete with a locked version fails only for that version, and in quiet mode returns only the failure', async () => {
      const bucket = await subject.lockBucket();
      const ref = (key: string) => ({ bucket, key });
      const held = await putVersion(subject.store, ref('held'), 'x', { lock: { legalHold: true } });
      const free = await putVersion(subject.store, ref('free'), 'x');
      const objects = [
        { key: 'held', versionId: held },
        { key: 'free', versionId: free },
      ];
      const failed = [
        { ...objects[0], code: 'AccessDenied', message: expect.any(String) as string },
      ];
      const outcome = await subject.store.deleteObjects({ bucket, objects });
      expect(outcome).toEqual({ deleted: [objects[1]], failed });
      const quiet = await subject.store.deleteObjects({ bucket, objects, quiet: true });
      expect(quiet).toEqual({ deleted: [], failed });
      await subject.store.putLegalHold({ ...ref('held'), legalHold: false });
    });

    test('the result of a bulk delete says which delete markers it created and which it removed', async () => {
      const bucket = await subject.bucket('Enabled');
      await put(subject.store, { bucket, key: 'a' }, 'x');
      const made = await subject.store.deleteObjects({ bucket, objects: [{ key: 'a' }] });
      const deleteMarkerVersionId = made.deleted[0]?.deleteMarkerVersionId ?? '';
      const marker = { deleteMarker: true, deleteMarkerVersionId };
      expect(made).toEqual({ deleted: [{ key: 'a', ...marker }], failed: [] });
      const object = { key: 'a', versionId: deleteMarkerVersionId };
      const removed = await subject.store.deleteObjects({ bucket, objects: [object] });
      expect(removed).toEqual({ deleted: [{ ...object, ...marker }], failed: [] });
      expect((await listAll(subject.store, { bucket })).keys).toEqual(['a']);
    });

    test('a bulk delete checks the condition of each object', async () => {
      const bucket = await subject.bucket();
      const { etag } = await put(subject.store, { bucket, key: 'a' }, 'hello');
      const { info } = await subject.store.headObject({ bucket, key: 'a' });
      const lastModifiedAt = Math.floor(info.lastModifiedAt / 1000) * 1000;
      const wrong = [{ ifMatch: '0' }, { sizeBytes: 4 }, { lastModifiedAt: lastModifiedAt - 1000 }];
      const { failed } = await subject.store.deleteObjects({
        bucket,
        objects: [
          ...wrong.map((conditions) => ({ key: 'a', conditions })),
          { key: 'none', conditions: { sizeBytes: 5 } },
        ],
      });
      expect(failed.map(({ key, code }) => [key, code])).toEqual([
        ...wrong.map(() => ['a', 'PreconditionFailed']),
        ['none', 'NoSuchKey'],
      ]);
      const conditions = { ifMatch: etag, sizeBytes: 5, lastModifiedAt };
      const objects = [{ key: 'a', conditions }];
      expect((await subject.store.deleteObjects({ bucket, objects })).failed).toEqual([]);
      expect((await listAll(subject.store, { bucket })).keys).toEqual([]);
    });

    test('a bulk delete with a governance bypass removes all listed versions under governance retention', async () => {
      const bucket = await subject.lockBucket();
      const retention = { mode: 'GOVERNANCE', retainUntil: Date.now() + 1e9 } as const;
      const objects = [];
      for (const key of ['a', 'b']) {
        const versionId = await putVersion(subject.store, { bucket, key }, 'x', {
          lock: { retention },
        });
        objects.push({ key, versionId });
      }
      const denied = await subject.store.deleteObjects({ bucket, objects });
      expect(denied.failed.map(({ code }) => code)).toEqual(['AccessDenied', 'AccessDenied']);
      const bypassed = { bucket, objects, bypassGovernance: true };
      expect((await subject.store.deleteObjects(bypassed)).failed).toEqual([]);
    });

    test('a bulk delete in a missing bucket fails once with NoSuchBucket', async () => {
      const objects = [{ key: 'a' }];
      const attempt = subject.store.deleteObjects({ bucket: newBucketName(), objects });
      await expectRefusal(attempt, 'NoSuchBucket');
    });
  });
}
