/**
 * Contract tests of renames, which consist of several calls of the store, and of copies by multipart
 * upload.
 */

import { describe, expect, test } from 'vitest';

import { silentLogger } from '../../../src/base/logger.ts';
import { type CopiedBytes, copyWhole } from '../../../src/object-store/copy-whole.ts';
import { movePrefix } from '../../../src/object-store/move-prefix.ts';
import { renameObject, type RenameRequest } from '../../../src/object-store/rename.ts';
import {
  allVersions,
  expectRefusal,
  listAll,
  MIN_PART_BYTES,
  noise,
  put,
  read,
  readText,
} from './subject.ts';
import type { Subject } from './subject.ts';

const ATTRIBUTES = {
  contentType: 'text/plain',
  cacheControl: 'no-cache',
  expires: 'whenever',
  websiteRedirect: '/there',
  metadata: { colour: 'grün' },
};
const TAGS = [{ key: 'a', value: '1' }];
const IN_PARTS = { logger: silentLogger, maxOneCopyBytes: 1, copiedPartBytes: MIN_PART_BYTES };

export function testRenames(subject: Subject): void {
  const rename = (bucket: string, from: string, to: string, more: Partial<RenameRequest> = {}) =>
    renameObject(
      subject.store,
      { from: { bucket, key: from }, to: { bucket, key: to }, ...more },
      { logger: silentLogger },
    );

  describe('renames of objects', () => {
    test('[rename-1] a rename preserves bytes, attributes and tags, and deletes the old key', async () => {
      const bucket = await subject.bucket();
      await put(subject.store, { bucket, key: 'a' }, 'text', {
        attributes: ATTRIBUTES,
        tags: TAGS,
      });
      const renamed = await rename(bucket, 'a', 'b/c');
      expect(renamed).toEqual({ sizeBytes: 4, versionsStay: false, rightsKept: true });
      const ref = { bucket, key: 'b/c' };
      expect(await readText(subject.store, ref)).toBe('text');
      expect((await subject.store.headObject(ref)).info).toMatchObject(ATTRIBUTES);
      expect((await subject.store.getObjectTags(ref)).tags).toEqual(TAGS);
      expect((await listAll(subject.store, { bucket })).keys).toEqual(['b/c']);
    });

    test('[rename-12] a rename preserves the ACL, which a plain copy would reset', async () => {
      const bucket = await subject.bucket();
      await put(subject.store, { bucket, key: 'a' }, 'text');
      const acl = { canned: 'public-read' } as const;
      await subject.store.putObjectAcl({ bucket, key: 'a', acl });
      expect(await rename(bucket, 'a', 'b')).toMatchObject({ rightsKept: true });
      const { grants } = await subject.store.getObjectAcl({ bucket, key: 'b' });
      expect(grants).toContainEqual({ grantee: 'AllUsers', permission: 'READ' });
    });

    test('[rename-2] a rename keeps older versions of the old key and their locks, below a delete marker', async () => {
      const bucket = await subject.lockBucket();
      const retention = { mode: 'COMPLIANCE', retainUntil: subject.now() + 3_600_000 } as const;
      const old = { bucket, key: 'a' };
      const { versionId = '' } = await put(subject.store, old, 'text', { lock: { retention } });
      const renamed = await rename(bucket, 'a', 'b');
      expect(renamed).toMatchObject({ versionsStay: true, versionId: expect.any(String) });
      const versions = await allVersions(subject.store, { bucket, prefix: 'a' });
      expect(versions.map(({ kind }) => kind)).toEqual(['delete-marker', 'version']);
      expect(await subject.store.getRetention({ ...old, versionId })).toEqual(retention);
    });

    test('[rename-3] a rename replaces an existing object at the new key only on request', async () => {
      const bucket = await subject.bucket();
      await put(subject.store, { bucket, key: 'a' }, 'new');
      await put(subject.store, { bucket, key: 'b' }, 'old');
      await expectRefusal(rename(bucket, 'a', 'b'), 'PreconditionFailed');
      expect(await readText(subject.store, { bucket, key: 'b' })).toBe('old');
      await rename(bucket, 'a', 'b', { overwrite: true });
      expect(await readText(subject.store, { bucket, key: 'b' })).toBe('new');
      expect((await listAll(subject.store, { bucket })).keys).toEqual(['b']);
    });

    test('a rename of a key onto itself or of a missing key is rejected', async () => {
      const bucket = await subject.bucket();
      await put(subject.store, { bucket, key: 'a' }, 'text');
      await expectRefusal(rename(bucket, 'a', 'a', { overwrite: true }), 'InvalidRequest');
      await expectRefusal(rename(bucket, 'missing', 'b'), 'NoSuchKey');
      expect(await readText(subject.store, { bucket, key: 'a' })).toBe('text');
    });

    test('[rename-4] a rename of a prefix renames every key below the prefix and no other key', async () => {
      const bucket = await subject.bucket();
      const keys = ['a/', 'a/1', 'a/b/2', 'ab', 'b/x'];
      for (const key of keys) await put(subject.store, { bucket, key }, key);
      const result = await movePrefix(
        subject.store,
        {
          from: { bucket, prefix: 'a/' },
          to: { bucket, prefix: 'c/d/' },
          each: async (from, to) => {
            await renameObject(subject.store, { from, to }, { logger: silentLogger });
          },
        },
        {},
      );
      expect(result).toEqual({ objects: 3, sizeBytes: 10, failedCount: 0, failed: [] });
      const after = (await listAll(subject.store, { bucket })).keys;
      expect(after).toEqual(['ab', 'b/x', 'c/d/', 'c/d/1', 'c/d/b/2']);
      expect(await readText(subject.store, { bucket, key: 'c/d/b/2' })).toBe('a/b/2');
    });
  });

  describe('copies by multipart upload', () => {
    test('[rename-5] a copy of a large object by multipart upload preserves bytes, attributes and tags', async () => {
      const bucket = await subject.bucket();
      const bytes = noise(MIN_PART_BYTES + 1);
      const source = { bucket, key: 'large' };
      await put(subject.store, source, bytes, { attributes: ATTRIBUTES, tags: TAGS });
      const { info } = await subject.store.headObject(source);
      const target = { bucket, key: 'copy' };
      const copied: CopiedBytes[] = [];
      const options = { ...IN_PARTS, onCopied: (each: CopiedBytes) => copied.push(each) };
      const { etag } = await copyWhole(subject.store, { ...target, source }, info, options);
      expect(etag).toMatch(/-2$/);
      expect(copied).toHaveLength(3);
      expect(copied[0]).toEqual({ bytes: 0, totalBytes: bytes.byteLength });
      expect(copied[2]).toEqual({ bytes: bytes.byteLength, totalBytes: bytes.byteLength });
      expect((await read(subject.store, target)).equals(bytes)).toBe(true);
      expect((await subject.store.headObject(target)).info).toMatchObject(ATTRIBUTES);
      expect((await subject.store.getObjectTags(target)).tags).toEqual(TAGS);
    });

    test('a copy by multipart upload fails if its source is replaced meanwhile, and leaves no object and no upload', async () => {
      const bucket = await subject.bucket();
      const source = { bucket, key: 'a' };
      await put(subject.store, source, 'before');
      const { info } = await subject.store.headObject(source);
      await put(subject.store, source, 'after');
      const copied = copyWhole(subject.store, { bucket, key: 'b', source }, info, IN_PARTS);
      await expectRefusal(copied, 'PreconditionFailed');
      expect((await listAll(subject.store, { bucket })).keys).toEqual(['a']);
      expect((await subject.store.listUploads({ bucket })).uploads).toEqual([]);
    });
  });
}
