/** Contract tests of version listings: order, markers and pages. */

import { describe, expect, test } from 'vitest';

import type { ListedVersion } from '../../../src/object-store/listing.ts';
import { allVersions, expectRefusal, md5, put, putVersion } from './subject.ts';
import type { Subject } from './subject.ts';

export function testVersionListings(subject: Subject): void {
  const ids = (versions: readonly ListedVersion[]) => versions.map(({ versionId }) => versionId);
  const keys = (versions: readonly ListedVersion[]) => versions.map(({ key }) => key);
  const versionsOf = async (bucket: string, key: string, count: number) => {
    const made: string[] = [];
    for (let n = 0; n < count; n++)
      made.push(await putVersion(subject.store, { bucket, key }, `${n}`));
    return made.reverse();
  };

  describe('version listings', () => {
    test('a version listing is sorted by key and then newest first, and includes delete markers', async () => {
      const bucket = await subject.bucket('Enabled');
      const { store } = subject;
      const b1 = await putVersion(store, { bucket, key: 'b' }, 'one');
      const a1 = await putVersion(store, { bucket, key: 'a' }, 'one');
      const marker = String((await store.deleteObject({ bucket, key: 'a' })).versionId);
      const a2 = await putVersion(store, { bucket, key: 'a' }, 'two!');
      const { versions } = await store.listVersions({ bucket });
      expect(keys(versions)).toEqual(['a', 'a', 'a', 'b']);
      expect(ids(versions)).toEqual([a2, marker, a1, b1]);
      expect(versions.map(({ isLatest }) => isLatest)).toEqual([true, false, false, true]);
      expect(versions[0]).toMatchObject({ kind: 'version', sizeBytes: 4, etag: md5('two!') });
      expect(versions[1]).toMatchObject({ kind: 'delete-marker', sizeBytes: 0, etag: '' });
      const { owner } = subject.opened.people;
      expect(versions.map((version) => version.owner)).toEqual([owner, owner, owner, owner]);
    });

    test('a version listing of a bucket without versioning returns each object with the version id null', async () => {
      const bucket = await subject.bucket();
      for (const key of ['a', 'b']) await put(subject.store, { bucket, key }, 'text');
      const { versions } = await subject.store.listVersions({ bucket });
      expect(ids(versions)).toEqual(['null', 'null']);
      expect(versions.every(({ isLatest }) => isLatest)).toBe(true);
    });

    test.each([1, 2, 3, 4, 5, 9])(
      'a version listing in pages of %i returns every version exactly once',
      async (maxKeys) => {
        const bucket = await subject.bucket();
        await put(subject.store, { bucket, key: 'b' }, 'null version');
        await subject.store.putVersioning({ bucket, versioning: 'Enabled' });
        for (const key of ['a', 'b', 'Ａ', '😀']) await versionsOf(bucket, key, 3);
        await subject.store.deleteObject({ bucket, key: 'a' });
        const whole = (await subject.store.listVersions({ bucket })).versions;
        expect(keys(whole).join('')).toBe(['aaaa', 'bbbb', 'ＡＡＡ', '😀😀😀'].join(''));
        expect(await allVersions(subject.store, { bucket, maxKeys })).toEqual(whole);
      },
    );

    test('a version listing with a delimiter returns each common prefix exactly once, even across pages', async () => {
      const bucket = await subject.bucket('Enabled');
      for (const key of ['a', 'a/1', 'a/2', 'b', 'c/1', 'd']) await versionsOf(bucket, key, 2);
      await subject.store.deleteObject({ bucket, key: 'c/1' });
      const request = { bucket, delimiter: '/' };
      const whole = await subject.store.listVersions(request);
      expect(keys(whole.versions)).toEqual(['a', 'a', 'b', 'b', 'd', 'd']);
      expect(whole.commonPrefixes).toEqual(['a/', 'c/']);
      const below = await subject.store.listVersions({ ...request, prefix: 'a/' });
      expect(keys(below.versions)).toEqual(['a/1', 'a/1', 'a/2', 'a/2']);
      for (const maxKeys of [1, 2, 3, 5]) {
        expect(await pagedEntries({ ...request, maxKeys })).toEqual([
          'a',
          'a',
          'a/',
          'b',
          'b',
          'c/',
          'd',
          'd',
        ]);
      }
    });

    const pagedEntries = async (request: {
      bucket: string;
      delimiter: string;
      maxKeys: number;
    }) => {
      const entries: string[] = [];
      let next: { keyMarker?: string; versionIdMarker?: string } | undefined = {};
      for (let pages = 0; next && pages < 20; pages++) {
        const page = await subject.store.listVersions({ ...request, ...next });
        expect(page.versions.length + page.commonPrefixes.length).toBeLessThanOrEqual(
          request.maxKeys,
        );
        entries.push(...[...keys(page.versions), ...page.commonPrefixes].sort());
        next = page.next;
      }
      return entries;
    };

    test('a version listing with only a key marker continues with the next key', async () => {
      const bucket = await subject.bucket('Enabled');
      for (const key of ['a', 'b', 'c']) await versionsOf(bucket, key, 2);
      const { versions } = await subject.store.listVersions({ bucket, keyMarker: 'a' });
      expect(keys(versions)).toEqual(['b', 'b', 'c', 'c']);
      const between = await subject.store.listVersions({ bucket, keyMarker: 'aa' });
      expect(keys(between.versions)).toEqual(['b', 'b', 'c', 'c']);
    });

    test('a version listing with a key marker and a version marker continues with the next version', async () => {
      const bucket = await subject.bucket('Enabled');
      const made = await versionsOf(bucket, 'a', 4);
      await versionsOf(bucket, 'b', 1);
      const request = { bucket, keyMarker: 'a', versionIdMarker: String(made[1]) };
      const { versions } = await subject.store.listVersions(request);
      expect(keys(versions)).toEqual(['a', 'a', 'b']);
      expect(ids(versions).slice(0, 2)).toEqual(made.slice(2));
    });

    test('a version listing with the version marker null continues after the null version', async () => {
      const bucket = await subject.bucket();
      await put(subject.store, { bucket, key: 'a' }, 'null version');
      await subject.store.putVersioning({ bucket, versioning: 'Enabled' });
      await versionsOf(bucket, 'a', 1);
      await versionsOf(bucket, 'b', 1);
      const request = { bucket, keyMarker: 'a', versionIdMarker: 'null' };
      expect(keys((await subject.store.listVersions(request)).versions)).toEqual(['b']);
    });

    test('a version listing finds the next page even if the version of its marker was deleted in the meantime', async () => {
      const bucket = await subject.bucket('Enabled');
      const made = await versionsOf(bucket, 'a', 5);
      const page = await subject.store.listVersions({ bucket, maxKeys: 2 });
      expect(page.next).toEqual({ keyMarker: 'a', versionIdMarker: made[1] });
      await subject.store.deleteObject({ bucket, key: 'a', versionId: String(made[1]) });
      const rest = await subject.store.listVersions({ bucket, ...page.next });
      expect(ids(rest.versions)).toEqual(made.slice(2));
    });

    test('a version listing continues with the next key if all versions of the marker key were deleted', async () => {
      const bucket = await subject.bucket('Enabled');
      const made = await versionsOf(bucket, 'a', 2);
      await versionsOf(bucket, 'b', 2);
      const page = await subject.store.listVersions({ bucket, maxKeys: 1 });
      for (const versionId of made)
        await subject.store.deleteObject({ bucket, key: 'a', versionId });
      const rest = await subject.store.listVersions({ bucket, ...page.next });
      expect(keys(rest.versions)).toEqual(['b', 'b']);
    });

    test('a version listing with a page size of 0 is empty and has no next page', async () => {
      const bucket = await subject.bucket('Enabled');
      await versionsOf(bucket, 'a', 1);
      const page = await subject.store.listVersions({ bucket, maxKeys: 0 });
      expect(page).toEqual({ versions: [], commonPrefixes: [] });
    });

    test('a version listing with a page size equal to the number of versions has no next page', async () => {
      const bucket = await subject.bucket('Enabled');
      await versionsOf(bucket, 'a', 2);
      expect(await subject.store.listVersions({ bucket, maxKeys: 2 })).not.toHaveProperty('next');
    });

    test('a version listing with a version marker but no key marker fails with InvalidArgument', async () => {
      const bucket = await subject.bucket('Enabled');
      const [versionIdMarker = ''] = await versionsOf(bucket, 'a', 2);
      const attempt = subject.store.listVersions({ bucket, versionIdMarker });
      await expectRefusal(attempt, 'InvalidArgument');
    });

    test('a version listing with a negative page size fails with InvalidArgument', async () => {
      const bucket = await subject.bucket();
      await expectRefusal(subject.store.listVersions({ bucket, maxKeys: -1 }), 'InvalidArgument');
    });
  });
}
