/**
 * Tests of listing a backed-up folder at a point in time, and the times at which a path changed.
 */

import { array, assert, asyncProperty, constantFrom, integer, record } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { treeAt } from '../../../src/restore/compare-times.ts';
import { entrySums } from '../../../src/restore/entry-sums.ts';
import { folderAt, type FolderCursor } from '../../../src/restore/folder-at.ts';
import { momentsOf } from '../../../src/restore/moments.ts';
import type { VersionTimes } from '../../../src/mirror/objects/version-times.ts';
import { bytesBody } from '../../../src/object-store/body.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { redatingStore } from '../../helpers/redating-store.ts';
import { openTestEngine } from '../../helpers/test-engine.ts';

const BUCKET = 'photos';
const KEYS = ['a', 'b/', 'b/c', 'b/d/e', 'b-', 'b0', 'z/y', '.holdfast/claim'] as const;

async function world() {
  const clock = new FakeClock();
  const { store } = await openTestEngine({ clock });
  await store.createBucket({ bucket: BUCKET });
  await store.putVersioning({ bucket: BUCKET, versioning: 'Enabled' });
  return { clock, store };
}

function placeIn({ clock, store }: Awaited<ReturnType<typeof world>>, prefix: string) {
  const put = (key: string) =>
    store.putObject({ bucket: BUCKET, key: prefix + key, body: bytesBody(key) });
  const remove = (key: string) => store.deleteObject({ bucket: BUCKET, key: prefix + key });
  return { clock, put, remove, where: { store, bucket: BUCKET, prefix } };
}

const place = async () => placeIn(await world(), 'job/');

async function walked(
  where: Parameters<typeof folderAt>[0],
  { at, limit }: { readonly at: number; readonly limit: number },
): Promise<string[]> {
  const paths: string[] = [];
  let after: FolderCursor | undefined;
  do {
    const page = await folderAt(where, { at, limit, ...(after && { after }) });
    for (const { path } of page.entries) {
      if (path.endsWith('/'))
        paths.push(...(await walked({ ...where, path: path.slice(0, -1) }, { at, limit })));
      else paths.push(path);
    }
    after = page.next;
  } while (after);
  return paths;
}

describe('a folder at a point in time', () => {
  it('Holdfast returns equal ETags for two versions of a file only if their content is equal', async () => {
    const { clock, put, remove, where } = await place();
    const etagNow = async () => {
      const { entries } = await folderAt(where, { at: clock.now(), limit: 10 });
      return entries.map(({ etag }) => etag);
    };
    await put('a');
    const before = await etagNow();
    await remove('a');
    await put('a');
    expect(before[0]).toMatch(/[0-9a-f]{32}/);
    expect(await etagNow()).toEqual(before);
  });

  it('Holdfast finds the same files at a point in time whether it lists folder by folder or the whole tree at once', async () => {
    const deed = record({ key: constantFrom(...KEYS), isDelete: constantFrom(true, false, false) });
    const shared = await world();
    let runs = 0;
    await assert(
      asyncProperty(
        array(deed, { minLength: 1, maxLength: 12 }),
        integer({ min: 1, max: 3 }),
        async (deeds, limit) => {
          const { clock, put, remove, where } = placeIn(shared, `job-${++runs}/`);
          const times = [clock.now()];
          for (const { key, isDelete } of deeds) {
            clock.advance(1000);
            await (isDelete ? remove(key) : put(key));
            times.push(clock.now());
          }
          for (const at of times.slice(-4)) {
            const tree: string[] = [];
            for await (const { path } of treeAt(where, at))
              if (!path.endsWith('/')) tree.push(path);
            expect((await walked(where, { at, limit })).toSorted()).toEqual(tree.toSorted());
          }
        },
      ),
      { numRuns: 12 },
    );
  });

  it('Holdfast lists for each file the version at a point in time, and the names of the subfolders', async () => {
    const { clock, put, where } = await place();
    const { versionId, etag } = await put('a');
    const at = clock.now();
    clock.advance(1000);
    await put('a');
    await put('later/x');
    await expect(folderAt(where, { at, limit: 10 })).resolves.toEqual({
      entries: [{ path: 'a', sizeBytes: 1, lastModifiedAt: at, versionId, etag }],
    });
    const now = await folderAt(where, { at: clock.now(), limit: 10 });
    expect(now.entries.map(({ path }) => path)).toEqual(['a', 'later/']);
  });
});

describe('the sums of the entries of a folder', () => {
  const sumsOf = async (where: Parameters<typeof entrySums>[0], at: number) => {
    const rows: string[] = [];
    for await (const { path, before, after, ...counts } of entrySums(where, at)) {
      const { added, changed, removed, uncertain } = counts;
      const files = [before, after].map((each) => `${each.files}:${each.bytes}`);
      rows.push([path, ...files, added, changed, removed, uncertain].join(' '));
    }
    return rows;
  };

  it('Holdfast sums up the files of each subfolder at a past time and now, and counts the differences', async () => {
    const { clock, put, remove, where } = await place();
    for (const key of ['.holdfast/claim', 'a', 'b', 'c/', 'c/d/e', 'c/f', 'z/y']) await put(key);
    const at = clock.now();
    clock.advance(1000);
    await remove('a');
    await put('c/d/e');
    await put('c/d/new');
    await remove('z/y');
    expect(await sumsOf(where, at)).toEqual([
      'a 1:1 0:0 0 0 1 0',
      'c/ 2:8 3:15 1 0 0 0',
      'z/ 1:3 0:0 0 0 1 0',
    ]);
    expect(await sumsOf({ ...where, path: 'c' }, at)).toEqual([
      'c/ 0:0 0:0 0 0 0 0',
      'c/d/ 1:5 2:12 1 0 0 0',
    ]);
  });

  it('Holdfast counts a file whose version at that time is unknown as uncertain', async () => {
    const { clock, store } = await world();
    const redating = redatingStore(store, clock);
    const { put, where } = placeIn({ clock, store: redating }, 'job/');
    const at = clock.now();
    const { versionId = '' } = await put('c/d');
    clock.advance(5000);
    await put('c/d');
    const tags = [{ key: 'k', value: 'v' }];
    await redating.putObjectTags({ bucket: BUCKET, key: 'job/c/d', versionId, tags });
    const times: VersionTimes = { ownTime: async () => undefined };
    expect(await sumsOf({ ...where, times }, at)).toEqual(['c/ 0:0 1:3 0 0 0 1']);
  });
});

describe('the times at which a path changed', () => {
  it('Holdfast lists the seconds in which a path changed, newest first', async () => {
    const { clock, put, remove, where } = await place();
    const begin = clock.now();
    await put('a');
    clock.advance(5000);
    await put('b/c');
    await put('b/d');
    clock.advance(5000);
    await remove('b/c');
    await expect(momentsOf(where, 10)).resolves.toEqual({
      moments: [
        { at: begin + 10_000, changes: 1 },
        { at: begin + 5000, changes: 2 },
        { at: begin, changes: 1 },
      ],
      isComplete: true,
      undated: 0,
    });
    const below = await momentsOf({ ...where, path: 'b' }, 1);
    expect(below.moments).toEqual([{ at: begin + 10_000, changes: 1 }]);
  });

  it('Holdfast lists the recorded upload times if the service changes the dates of versions', async () => {
    const { clock, store } = await world();
    const redating = redatingStore(store, clock);
    const { put, remove, where } = placeIn({ clock, store: redating }, 'job/');
    const begin = clock.now();
    const { versionId = '' } = await put('a');
    clock.advance(5000);
    const tags = [{ key: 'k', value: 'v' }];
    await redating.putObjectTags({ bucket: BUCKET, key: 'job/a', versionId, tags });
    clock.advance(5000);
    await remove('a');
    const at = async (time: number | undefined) => {
      const times: VersionTimes = { ownTime: async () => time };
      const { moments, undated } = await momentsOf({ ...where, times }, 10);
      return { times: moments.map((moment) => moment.at - begin), undated };
    };
    expect(await at(begin)).toEqual({ times: [10_000, 0], undated: 0 });
    expect(await at(undefined)).toEqual({ times: [10_000, 5000], undated: 1 });
  });
});
