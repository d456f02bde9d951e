import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { AGES_MS, FolderSizes, type FolderSums } from '../../../daemon/usage/folder-sizes.ts';
import type { ListedVersion } from '../../../src/object-store/listing.ts';

const NOW = Date.UTC(2026, 10, 21, 12);

const listed: fc.Arbitrary<ListedVersion> = fc.record({
  kind: fc.constantFrom('version', 'version', 'delete-marker'),
  key: fc
    .array(fc.constantFrom('a', 'b', ''), { minLength: 1, maxLength: 5 })
    .map((names) => `${names.join('/')}x`),
  versionId: fc.constant('v'),
  isLatest: fc.boolean(),
  lastModifiedAt: fc.integer({ min: NOW - 500 * 86_400_000, max: NOW }),
  sizeBytes: fc.nat(1000),
  etag: fc.constant(''),
});

/** Adds up the versions below a prefix one by one, as a reference. */
function summed(versions: readonly ListedVersion[], prefix: string): FolderSums | undefined {
  const below = versions.filter(({ key }) => key.startsWith(prefix));
  if (below.length === 0) return undefined;
  const objects = below.filter(({ kind }) => kind === 'version');
  const [current, older] = [true, false].map((latest) =>
    objects.filter(({ isLatest }) => isLatest === latest),
  ) as [ListedVersion[], ListedVersion[]];
  const bytesOf = (some: readonly ListedVersion[]) =>
    some.reduce((bytes, { sizeBytes }) => bytes + sizeBytes, 0);
  const limits = [0, ...AGES_MS, Infinity];
  return {
    objects: current.length,
    bytes: bytesOf(current),
    olderVersions: older.length,
    olderBytes: bytesOf(older),
    deleteMarkers: below.length - objects.length,
    newestAt: Math.max(...below.map(({ lastModifiedAt }) => lastModifiedAt)),
    bytesByAge: limits.slice(1).map((limit, index) =>
      bytesOf(
        objects.filter(({ lastModifiedAt }) => {
          const age = NOW - lastModifiedAt;
          return age >= (limits[index] ?? 0) && age < limit;
        }),
      ),
    ),
  };
}

function sizesOf(versions: readonly ListedVersion[], maxFolders?: number): FolderSizes {
  const sizes = new FolderSizes(NOW, maxFolders);
  for (const version of versions) sizes.add(version);
  return sizes;
}

function version(key: string, sizeBytes = 1): ListedVersion {
  const [kind, versionId, isLatest, etag] = ['version', 'v', true, ''] as const;
  return { kind, key, versionId, isLatest, lastModifiedAt: NOW, sizeBytes, etag };
}

test('the daemon returns for each folder the sums of all versions below it, in any order of the versions', () => {
  const prefixes = ['a/', 'a/b/', 'b/', '/', 'a//', 'a/a/a/a/'];
  fc.assert(
    fc.property(fc.array(listed, { maxLength: 30 }), (versions) => {
      const sizes = sizesOf(versions);
      for (const prefix of prefixes) expect(sizes.at(prefix)).toEqual(summed(versions, prefix));
      if (versions.length > 0) expect(sizes.at('')).toEqual(summed(versions, ''));
    }),
  );
});

test('the daemon lists the folders directly below a folder, largest first', () => {
  const sizes = sizesOf([
    version('a/x', 1),
    version('b/c/x', 5),
    version('b/d', 2),
    version('e', 9),
  ]);
  expect(sizes.in('').map(({ prefix, bytes }) => [prefix, bytes])).toEqual([
    ['b/', 7],
    ['a/', 1],
  ]);
  expect(sizes.in('b/').map(({ prefix }) => prefix)).toEqual(['b/c/']);
});

test('the daemon drops the deepest folders if there are more than the limit, but counts their versions in the folders above', () => {
  const keys = ['a/a/a/x', 'a/a/b/x', 'a/b/x', 'b/x', 'b/y/z/x'];
  const sizes = sizesOf(
    keys.map((key) => version(key)),
    5,
  );
  expect(['', 'a/', 'a/a/', 'a/b/', 'b/'].map((prefix) => sizes.at(prefix)?.objects)).toEqual([
    5,
    3,
    undefined,
    undefined,
    2,
  ]);
  expect([sizes.isDeepest(''), sizes.isDeepest('a/')]).toEqual([false, true]);
});

test('the daemon keeps only the sums of the whole bucket if its root has more folders than the limit', () => {
  const sizes = sizesOf(
    Array.from({ length: 20 }, (_, index) => version(`${index}/x`)),
    5,
  );
  expect([sizes.at('')?.objects, sizes.in(''), sizes.isDeepest('')]).toEqual([20, [], true]);
});

test('the daemon counts a key with a thousand slashes only in its first 32 folders', () => {
  const sizes = sizesOf([version('/'.repeat(1000))]);
  expect([sizes.at('/'.repeat(32))?.objects, sizes.at('/'.repeat(33))]).toEqual([1, undefined]);
});
