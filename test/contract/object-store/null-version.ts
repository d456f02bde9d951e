/**
 * Contract tests of the null version. They list the versions that each write leaves in each versioning
 * state.
 */

import { describe, expect, test } from 'vitest';

import { bytesBody } from '../../../src/object-store/body.ts';
import type { ObjectStore, PutObjectResult } from '../../../src/object-store/object-store.ts';
import { allVersions, expectRefusal, put, readText } from './subject.ts';
import type { Subject } from './subject.ts';

type Ref = { bucket: string; key: string };

/** Requests that store the content under the key. */
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
 * Steps on one key and the expected versions afterwards, newest first. `(null)` marks the null version. `remove top`
 * and `remove null` delete the newest version or the null version by its id.
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

export function testNullVersion(subject: Subject): void {
  describe.each(WRITES)('null versions after writes by %s', (_, write) => {
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

    test.each(MATRIX)(
      '[ver-3] after the steps "%s" the versions are %j',
      async (steps, expected) => {
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
      },
    );

    const expectCurrent = async (ref: Ref, top: string | undefined) => {
      const listed = (await subject.store.listObjects({ bucket: ref.bucket, prefix: ref.key }))
        .objects;
      const current = top === undefined || top.startsWith('marker') ? undefined : top.split(' ')[0];
      expect(listed.some(({ key }) => key === ref.key)).toBe(current !== undefined);
      if (current === undefined) await expectRefusal(subject.store.getObject(ref), 'NoSuchKey');
      else expect(await readText(subject.store, ref)).toBe(current);
    };

    test('the version id of a write is undefined without versioning, new with versioning, and null while suspended', async () => {
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
}
