/** Contract tests of versions and delete markers. */

import { describe, expect, test } from 'vitest';

import { allVersions, expectRefusal, put, putVersion, readText, removeBucket } from './subject.ts';
import type { Subject } from './subject.ts';

export function testVersions(subject: Subject): void {
  describe('object versions', () => {
    test('[ver-4] a GET by version id returns the bytes, size and attributes of that version', async () => {
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
      const { versions } = await subject.store.listVersions({ bucket: ref.bucket });
      expect(versions.map(({ versionId, isLatest }) => [versionId, isLatest])).toEqual([
        [second, true],
        [first, false],
      ]);
    });

    test('an object in a bucket without versioning has no version id, and can be read with the id null', async () => {
      const ref = { bucket: await subject.bucket(), key: 'k' };
      await put(subject.store, ref, 'text');
      expect((await subject.store.headObject(ref)).info.versionId).toBeUndefined();
      const { info } = await subject.store.headObject({ ...ref, versionId: 'null' });
      expect(info.versionId).toBe('null');
      expect(await readText(subject.store, { ...ref, versionId: 'null' })).toBe('text');
    });

    test('a GET of the null version fails with NoSuchVersion if the key has none', async () => {
      const ref = { bucket: await subject.bucket('Enabled'), key: 'k' };
      await put(subject.store, ref, 'text');
      await expectRefusal(subject.store.getObject({ ...ref, versionId: 'null' }), 'NoSuchVersion');
    });

    test('[ver-10] a GET of a deleted version fails with NoSuchVersion', async () => {
      const ref = { bucket: await subject.bucket('Enabled'), key: 'k' };
      const versionId = await putVersion(subject.store, ref, 'text');
      await subject.store.deleteObject({ ...ref, versionId });
      await expectRefusal(subject.store.getObject({ ...ref, versionId }), 'NoSuchVersion');
    });

    test('a GET with the version id of another key fails with NoSuchVersion', async () => {
      const bucket = await subject.bucket('Enabled');
      await put(subject.store, { bucket, key: 'a' }, 'text');
      const versionId = await putVersion(subject.store, { bucket, key: 'b' }, 'text');
      const attempt = subject.store.getObject({ bucket, key: 'a', versionId });
      await expectRefusal(attempt, 'NoSuchVersion');
    });

    test('[ver-10] a GET with a malformed version id fails with InvalidArgument', async () => {
      const ref = { bucket: await subject.bucket('Enabled'), key: 'k', versionId: '../../etc' };
      await expectRefusal(subject.store.getObject(ref), 'InvalidArgument');
      await expectRefusal(subject.store.deleteObject(ref), 'InvalidArgument');
    });

    test('a delete returns the id of its delete marker, or the id of the version that it removed', async () => {
      const ref = { bucket: await subject.bucket('Enabled'), key: 'k' };
      const versionId = await putVersion(subject.store, ref, 'text');
      const marker = await subject.store.deleteObject(ref);
      const [listed] = (await subject.store.listVersions({ bucket: ref.bucket })).versions;
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

    test('a delete while versioning is suspended returns a delete marker with the version id null', async () => {
      const ref = { bucket: await subject.bucket('Suspended'), key: 'k' };
      await put(subject.store, ref, 'text');
      const result = await subject.store.deleteObject(ref);
      expect(result).toEqual({ versionId: 'null', deleteMarker: true });
    });

    test('a GET of a key whose current version is a delete marker fails with NoSuchKey and the id of the marker', async () => {
      const ref = { bucket: await subject.bucket('Enabled'), key: 'k' };
      await put(subject.store, ref, 'text');
      const { versionId } = await subject.store.deleteObject(ref);
      for (const attempt of [subject.store.getObject(ref), subject.store.headObject(ref)]) {
        const error = await expectRefusal(attempt, 'NoSuchKey');
        expect(error.details).toMatchObject({ DeleteMarker: true, VersionId: versionId });
      }
    });

    test('a GET of a delete marker by its id fails with MethodNotAllowed', async () => {
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

    test('versions that are written within one millisecond keep their order', async () => {
      const ref = { bucket: await subject.bucket('Enabled'), key: 'k' };
      const ids: string[] = [];
      for (let n = 0; n < 10; n++) ids.push(await putVersion(subject.store, ref, `${n}`));
      const listed = (await subject.store.listVersions({ bucket: ref.bucket })).versions;
      expect(listed.map(({ versionId }) => versionId)).toEqual(ids.reverse());
      expect(await readText(subject.store, ref)).toBe('9');
    });

    test('parallel puts of one key create one version each, in a stable order', async () => {
      const ref = { bucket: await subject.bucket('Enabled'), key: 'k' };
      const puts = Array.from({ length: 32 }, (_, n) => putVersion(subject.store, ref, `${n}`));
      const ids = await Promise.all(puts);
      const listed = await allVersions(subject.store, { bucket: ref.bucket, maxKeys: 7 });
      const listedIds = listed.map(({ versionId }) => versionId);
      expect(new Set(listedIds)).toEqual(new Set(ids));
      expect(listed.filter(({ isLatest }) => isLatest)).toHaveLength(1);
      const current = (await subject.store.headObject(ref)).info.versionId;
      expect(listedIds[0]).toBe(current);
      const again = await allVersions(subject.store, { bucket: ref.bucket });
      expect(again.map(({ versionId }) => versionId)).toEqual(listedIds);
    });

    test('DeleteBucket succeeds after all versions of the bucket are removed', async () => {
      const bucket = await subject.bucket('Enabled');
      for (const key of ['a', 'b', 'a']) await put(subject.store, { bucket, key }, 'text');
      await subject.store.deleteObject({ bucket, key: 'a' });
      await removeBucket(subject.store, bucket);
      await expectRefusal(subject.store.headBucket({ bucket }), 'NoSuchBucket');
    });
  });
}
