/**
 * Contract tests of the change monitor, which reports each change of an object when it is
 * committed.
 */

import { describe, expect, onTestFinished, test } from 'vitest';

import type { ObjectStore } from '../../../src/object-store/object-store.ts';
import { bytesBody } from '../../../src/object-store/body.ts';
import { put, putVersion, type Subject } from './subject.ts';

const DAY_MS = 24 * 3_600_000;
const BUCKET = 'the bucket';

interface ChangeCase {
  readonly what: string;
  readonly prepare?: (store: ObjectStore, bucket: string) => Promise<unknown>;
  readonly change: (store: ObjectStore, bucket: string, before: unknown) => Promise<unknown>;
  /** The keys that the monitor reports, in the order of the commits. */
  readonly heard: readonly string[];
}

const key = 'docs/a';
const putOne = (store: ObjectStore, bucket: string) => putVersion(store, { bucket, key }, 'one');

const CHANGES: readonly ChangeCase[] = [
  { what: 'a put', change: putOne, heard: [key] },
  {
    what: 'nothing for a rejected put',
    change: (store, bucket) =>
      expect(put(store, { bucket, key }, 'one', { conditions: { ifMatch: '*' } })).rejects.toThrow(
        'does not exist',
      ),
    heard: [],
  },
  {
    what: 'a copy, by its target key',
    prepare: (store, bucket) => put(store, { bucket, key: 'elsewhere' }, 'one'),
    change: (store, bucket) =>
      store.copyObject({ bucket, key, source: { bucket, key: 'elsewhere' } }),
    heard: [key],
  },
  {
    what: 'a delete marker',
    prepare: putOne,
    change: (store, bucket) => store.deleteObject({ bucket, key }),
    heard: [key],
  },
  {
    what: 'the permanent deletion of a version',
    prepare: putOne,
    change: (store, bucket, versionId) =>
      store.deleteObject({ bucket, key, versionId: String(versionId) }),
    heard: [key],
  },
  {
    what: 'a bulk delete, by each key',
    change: (store, bucket) =>
      store.deleteObjects({ bucket, objects: [{ key }, { key: 'docs/b' }, { key: 'other' }] }),
    heard: [key, 'docs/b'],
  },
  {
    what: 'the completion of a multipart upload',
    change: async (store, bucket) => {
      const { uploadId } = await store.createUpload({ bucket, key });
      const upload = { bucket, key, uploadId };
      const part = { ...upload, partNumber: 1, body: bytesBody('one') };
      const { etag } = await store.uploadPart(part);
      await store.completeUpload({ ...upload, parts: [{ partNumber: 1, etag }] });
    },
    heard: [key],
  },
  {
    what: 'a retention',
    prepare: putOne,
    change: (store, bucket) => {
      const retention = { mode: 'GOVERNANCE', retainUntil: Date.now() + 1_000 * DAY_MS } as const;
      return store.putRetention({ bucket, key, retention });
    },
    heard: [key],
  },
  {
    what: 'a legal hold',
    prepare: putOne,
    change: (store, bucket) => store.putLegalHold({ bucket, key, legalHold: true }),
    heard: [key],
  },
  {
    what: 'the ACL of an object',
    prepare: putOne,
    change: (store, bucket) => store.putObjectAcl({ bucket, key, acl: { canned: 'private' } }),
    heard: [key],
  },
  {
    what: 'the tags of an object',
    prepare: putOne,
    change: (store, bucket) =>
      store.putObjectTags({ bucket, key, tags: [{ key: 'a', value: 'b' }] }),
    heard: [key],
  },
  {
    what: 'a default retention',
    change: (store, bucket) =>
      store.putObjectLockConfiguration({
        bucket,
        defaultRetention: { mode: 'GOVERNANCE', days: 1 },
      }),
    heard: [BUCKET],
  },
  {
    what: 'lifecycle rules',
    change: (store, bucket) =>
      store.putLifecycle({
        bucket,
        rules: [{ id: 'r', enabled: true, filter: {}, expiration: { days: 1 } }],
      }),
    heard: [BUCKET],
  },
  {
    what: 'the deletion of the bucket and the creation of a new one with its name',
    change: async (store, bucket) => {
      await store.deleteBucket({ bucket });
      await store.createBucket({ bucket });
      await store.putVersioning({ bucket, versioning: 'Suspended' });
    },
    heard: [BUCKET, BUCKET, BUCKET],
  },
];

export function testChangeMonitor(subject: Subject): void {
  describe('monitor of object changes', () => {
    test.each(CHANGES)(
      'when a call returns, the change monitor has already reported $what',
      async ({ prepare, change, heard: expected }) => {
        const watched = subject.opened.watched?.();
        if (!watched) return;
        const bucket = await subject.lockBucket();
        const before = await prepare?.(subject.store, bucket);
        const heard: string[] = [];
        const place = { bucket, prefix: 'docs/' };
        onTestFinished(watched.changes.onChange(place, (each) => heard.push(each ?? BUCKET)));
        await change(subject.store, bucket, before);
        expect(heard).toEqual(expected);
      },
    );

    test('the change monitor reports no changes by its own store, in other buckets or after the listener is removed', async () => {
      const watched = subject.opened.watched?.();
      if (!watched) return;
      const [bucket, other] = [await subject.lockBucket(), await subject.lockBucket()];
      const heard: unknown[] = [];
      const stop = watched.changes.onChange({ bucket, prefix: '' }, (each) => heard.push(each));
      await putOne(watched.store, bucket);
      await putOne(subject.store, other);
      expect(heard).toEqual([]);
      await putOne(subject.store, bucket);
      stop();
      await putOne(subject.store, bucket);
      expect(heard).toEqual([key]);
    });
  });
}
