/** Claims about versions, delete markers and the null version. */

import { describe, expect, test } from 'vitest';

import { bytesBody } from '../../../src/object-store/body.ts';
import type { ObjectStore, PutObjectResult } from '../../../src/object-store/object-store.ts';
import { allVersions, expectRefusal, put, putVersion, readText, removeBucket } from './subject.ts';
import type { Subject } from './subject.ts';

type Ref = { bucket: string; key: string };

/** The three ways to write, each giving the key this content. */
const WRITES: [
  string,
  (store: ObjectStore, ref: Ref, content: string) => Promise<PutObjectResult>,
][] = [
  ['put', put],
  ['copy', writeByCopy],
  ['multipart upload', writeByUpload],
];

async function writeByCopy(store: ObjectStore, ref: Ref, content: string) {
  const source = { bucket: ref.bucket, key: `source of ${content}` };
  await put(store, source, content);
  return store.copyObject({ source, ...ref });
}

async function writeByUpload(store: ObjectStore, ref: Ref, content: string) {
  const { uploadId } = await store.createUpload(ref);
  const upload = { ...ref, uploadId };
  const part = { partNumber: 1, body: bytesBody(content) };
  const { etag } = await store.uploadPart({ ...upload, ...part });
  return store.completeUpload({ ...upload, parts: [{ partNumber: 1, etag }] });
}

/**
 * Steps on one key, and its versions afterwards, newest first. `(null)` marks the null version; `remove top`
 * and `remove null` delete that version by its id.
 */
const MATRIX: [steps: string, versions: string[]][] = [
  ['put a', ['a (null)']],
  ['put a, put b', ['b (null)']],
  ['put a, delete', []],
  ['delete', []],
  ['put a, remove null', []],
  ['put a, remove null, remove null', []],
  ['put a, enable', ['a (null)']],
  ['put a, enable, put b', ['b', 'a (null)']],
  ['put a, enable, delete', ['marker', 'a (null)']],
  ['put a, enable, put b, remove null', ['b']],
  ['put a, enable, put b, remove top', ['a (null)']],
  ['put a, enable, delete, remove null', ['marker']],
  ['enable, put a, put b', ['b', 'a']],
  ['enable, put a, put b, remove top', ['a']],
  ['enable, delete', ['marker']],
  ['enable, put a, delete', ['marker', 'a']],
  ['enable, put a, delete, delete', ['marker', 'marker', 'a']],
  ['enable, put a, delete, remove top', ['a']],
  ['enable, put a, delete, put b', ['b', 'marker', 'a']],
  ['suspend, put a', ['a (null)']],
  ['suspend, delete', ['marker (null)']],
  ['put a, suspend, put b', ['b (null)']],
  ['put a, enable, suspend, delete', ['marker (null)']],
  ['enable, put a, suspend, put b', ['b (null)', 'a']],
  ['enable, put a, suspend, put b, put c', ['c (null)', 'a']],
  ['put a, enable, put b, suspend, put c', ['c (null)', 'b']],
  ['enable, put a, suspend, delete', ['marker (null)', 'a']],
  ['enable, put a, suspend, put b, delete', ['marker (null)', 'a']],
  ['enable, put a, suspend, delete, delete', ['marker (null)', 'a']],
  ['enable, put a, suspend, delete, put b', ['b (null)', 'a']],
  ['enable, put a, suspend, delete, remove null', ['a']],
  ['enable, put a, suspend, put b, enable, put c', ['c', 'b (null)', 'a']],
  ['enable, put a, suspend, delete, enable, put b', ['b', 'marker (null)', 'a']],
  ['enable, put a, suspend, put b, enable, put c, suspend, put d', ['d (null)', 'c', 'a']],
];

export function testVersions(subject: Subject): void {
  describe.each(WRITES)('after writes by %s', (_, write) => {
    const step = async (name: string, ref: Ref): Promise<unknown> => {
      const { store } = subject;
      const [verb, what = ''] = name.split(' ');
      if (verb === 'put') return write(store, ref, what);
      if (verb === 'delete') return store.deleteObject(ref);
      if (verb === 'remove')
        return store.deleteObject({ ...ref, versionId: await idOf(what, ref) });
      const versioning = verb === 'enable' ? 'Enabled' : 'Suspended';
      return store.putVersioning({ bucket: ref.bucket, versioning });
    };
    const idOf = async (what: string, ref: Ref) =>
      what === 'null' ? 'null' : ((await versionsOf(ref))[0]?.versionId ?? 'no version');
    const versionsOf = async ({ bucket, key }: Ref) =>
      (await allVersions(subject.store, { bucket, prefix: key })).filter(
        (each) => each.key === key,
      );

    test.each(MATRIX)('%s: the versions are %j', async (steps, expected) => {
      const ref = { bucket: await subject.bucket(), key: 'k' };
      for (const name of steps.split(', ')) await step(name, ref);
      const versions = await versionsOf(ref);
      const shown = versions.map(async ({ kind, versionId }) => {
        const marker = kind === 'delete-marker';
        const content = marker ? 'marker' : await readText(subject.store, { ...ref, versionId });
        return versionId === 'null' ? `${content} (null)` : content;
      });
      expect(await Promise.all(shown)).toEqual(expected);
      expect(versions.map(({ isLatest }) => isLatest)).toEqual(
        expected.map((_, index) => index === 0),
      );
      await expectCurrent(ref, expected[0]);
    });

    const expectCurrent = async (ref: Ref, top: string | undefined) => {
      const listed = (await subject.store.listObjects({ bucket: ref.bucket, prefix: ref.key }))
        .objects;
      const current = top === undefined || top.startsWith('marker') ? undefined : top.split(' ')[0];
      expect(listed.some(({ key }) => key === ref.key)).toBe(current !== undefined);
      if (current === undefined) await expectRefusal(subject.store.getObject(ref), 'NoSuchKey');
      else expect(await readText(subject.store, ref)).toBe(current);
    };

    test('the version id is told as versioning says: none, a new one, null', async () => {
      const ref = { bucket: await subject.bucket(), key: 'k' };
      expect(await write(subject.store, ref, 'a')).not.toHaveProperty('versionId');
      await subject.store.putVersioning({ bucket: ref.bucket, versioning: 'Enabled' });
      const { versionId } = await write(subject.store, ref, 'b');
      expect(versionId).toMatch(/^[A-Za-z0-9._-]+$/);
      expect(versionId).not.toBe('null');
      expect((await subject.store.headObject(ref)).info.versionId).toBe(versionId);
      await subject.store.putVersioning({ bucket: ref.bucket, versioning: 'Suspended' });
      expect((await write(subject.store, ref, 'c')).versionId).toBe('null');
      expect((await subject.store.headObject(ref)).info.versionId).toBe('null');
    });
  });

  describe('versions', () => {
    test('each version is read by its id, with its own size and attributes', async () => {
      const ref = { bucket: await subject.bucket('Enabled'), key: 'k' };
      const first = await putVersion(subject.store, ref, 'first', {
        attributes: { metadata: { n: '1' } },
      });
      const second = await putVersion(subject.store, ref, 'second!', {
        attributes: { metadata: { n: '2' } },
      });
      const head = async (versionId: string) =>
        (await subject.store.headObject({ ...ref, versionId })).info;
      expect(await head(first)).toMatchObject({
        versionId: first,
        sizeBytes: 5,
        metadata: { n: '1' },
      });
      expect(await head(second)).toMatchObject({ sizeBytes: 7, metadata: { n: '2' } });
      expect(await readText(subject.store, { ...ref, versionId: first })).toBe('first');
      expect(await readText(subject.store, ref)).toBe('second!');
    });

    test('a bucket that never had versioning tells no id, but null finds the object', async () => {
      const ref = { bucket: await subject.bucket(), key: 'k' };
      await put(subject.store, ref, 'text');
      expect((await subject.store.headObject(ref)).info.versionId).toBeUndefined();
      const { info } = await subject.store.headObject({ ...ref, versionId: 'null' });
      expect(info.versionId).toBe('null');
      expect(await readText(subject.store, { ...ref, versionId: 'null' })).toBe('text');
    });

    test('null is NoSuchVersion where no null version is', async () => {
      const ref = { bucket: await subject.bucket('Enabled'), key: 'k' };
      await put(subject.store, ref, 'text');
      await expectRefusal(subject.store.getObject({ ...ref, versionId: 'null' }), 'NoSuchVersion');
    });

    test('a version that is gone is NoSuchVersion', async () => {
      const ref = { bucket: await subject.bucket('Enabled'), key: 'k' };
      const versionId = await putVersion(subject.store, ref, 'text');
      await subject.store.deleteObject({ ...ref, versionId });
      await expectRefusal(subject.store.getObject({ ...ref, versionId }), 'NoSuchVersion');
    });

    test('the id of another key is NoSuchVersion', async () => {
      const bucket = await subject.bucket('Enabled');
      await put(subject.store, { bucket, key: 'a' }, 'text');
      const versionId = await putVersion(subject.store, { bucket, key: 'b' }, 'text');
      const attempt = subject.store.getObject({ bucket, key: 'a', versionId });
      await expectRefusal(attempt, 'NoSuchVersion');
    });

    test('what no version id looks like is InvalidArgument', async () => {
      const ref = { bucket: await subject.bucket('Enabled'), key: 'k', versionId: '../../etc' };
      await expectRefusal(subject.store.getObject(ref), 'InvalidArgument');
      await expectRefusal(subject.store.deleteObject(ref), 'InvalidArgument');
    });

    test('a delete is told with the id of its marker, or of what it removed', async () => {
      const ref = { bucket: await subject.bucket('Enabled'), key: 'k' };
      const versionId = await putVersion(subject.store, ref, 'text');
      const marker = await subject.store.deleteObject(ref);
      const [listed] = (await subject.store.listVersions(ref)).versions;
      expect(marker).toEqual({ versionId: listed?.versionId, deleteMarker: true });
      expect(listed).toMatchObject({
        kind: 'delete-marker',
        sizeBytes: 0,
        etag: '',
        isLatest: true,
      });
      const removedMarker = await subject.store.deleteObject({
        ...ref,
        versionId: String(marker.versionId),
      });
      expect(removedMarker).toEqual(marker);
      const removed = await subject.store.deleteObject({ ...ref, versionId });
      expect(removed).toEqual({ versionId, deleteMarker: false });
      const again = await subject.store.deleteObject({ ...ref, versionId });
      expect(again).toEqual({ versionId, deleteMarker: false });
    });

    test('a delete while versioning is suspended is told with null', async () => {
      const ref = { bucket: await subject.bucket('Suspended'), key: 'k' };
      await put(subject.store, ref, 'text');
      const result = await subject.store.deleteObject(ref);
      expect(result).toEqual({ versionId: 'null', deleteMarker: true });
    });

    test('a read under a delete marker is NoSuchKey, told with the marker', async () => {
      const ref = { bucket: await subject.bucket('Enabled'), key: 'k' };
      await put(subject.store, ref, 'text');
      const { versionId } = await subject.store.deleteObject(ref);
      for (const attempt of [subject.store.getObject(ref), subject.store.headObject(ref)]) {
        const error = await expectRefusal(attempt, 'NoSuchKey');
        expect(error.details).toMatchObject({ DeleteMarker: true, VersionId: versionId });
      }
    });

    test('a read of a delete marker by its id is MethodNotAllowed', async () => {
      const ref = { bucket: await subject.bucket('Enabled'), key: 'k' };
      const versionId = String((await subject.store.deleteObject(ref)).versionId);
      for (const attempt of [
        subject.store.getObject({ ...ref, versionId }),
        subject.store.headObject({ ...ref, versionId }),
      ]) {
        const error = await expectRefusal(attempt, 'MethodNotAllowed');
        expect(error.details.DeleteMarker).toBe(true);
      }
    });

    test('writes within one millisecond keep their order', async () => {
      const ref = { bucket: await subject.bucket('Enabled'), key: 'k' };
      const ids: string[] = [];
      for (let n = 0; n < 10; n++) ids.push(await putVersion(subject.store, ref, `${n}`));
      const listed = (await subject.store.listVersions(ref)).versions;
      expect(listed.map(({ versionId }) => versionId)).toEqual(ids.reverse());
      expect(await readText(subject.store, ref)).toBe('9');
    });

    test('parallel puts make a version each, in one order that stays', async () => {
      const ref = { bucket: await subject.bucket('Enabled'), key: 'k' };
      const puts = Array.from({ length: 32 }, (_, n) => putVersion(subject.store, ref, `${n}`));
      const ids = await Promise.all(puts);
      const listed = await allVersions(subject.store, { ...ref, maxKeys: 7 });
      const listedIds = listed.map(({ versionId }) => versionId);
      expect(new Set(listedIds)).toEqual(new Set(ids));
      expect(listed.filter(({ isLatest }) => isLatest)).toHaveLength(1);
      const current = (await subject.store.headObject(ref)).info.versionId;
      expect(listedIds[0]).toBe(current);
      const again = await allVersions(subject.store, ref);
      expect(again.map(({ versionId }) => versionId)).toEqual(listedIds);
    });

    test('all versions can be removed, and then the bucket', async () => {
      const bucket = await subject.bucket('Enabled');
      for (const key of ['a', 'b', 'a']) await put(subject.store, { bucket, key }, 'text');
      await subject.store.deleteObject({ bucket, key: 'a' });
      await removeBucket(subject.store, bucket);
      await expectRefusal(subject.store.headBucket({ bucket }), 'NoSuchBucket');
    });
  });
}
