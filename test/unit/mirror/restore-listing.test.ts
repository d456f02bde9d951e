/**
 * Tests of selecting the versions to restore for a point in time, and of marking versions whose
 * time is uncertain.
 */

import { describe, expect, test } from 'vitest';

import type { ListedVersion, VersionPage } from '../../../src/object-store/listing.ts';
import type { ObjectReader, VersionReader } from '../../../src/object-store/object-store.ts';
import { listTree } from '../../../src/mirror/objects/version-listing.ts';

type Dated = readonly [id: string, lastModifiedAt: number, more?: Partial<ListedVersion>];

/**
 * Returns the tree at a time. It has two keys with the same history. The store lists the newest
 * version first, one version per page.
 */
async function treeAt(at: number, history: readonly Dated[], datesUploadsByEnd = false) {
  const versions = ['a', 'b'].flatMap((key) =>
    history.map(([versionId, lastModifiedAt, more], index): ListedVersion => ({
      kind: 'version',
      key,
      versionId,
      lastModifiedAt,
      isLatest: index === 0,
      sizeBytes: 1,
      etag: 'e',
      ...more,
    })),
  );
  const listVersions = async ({ keyMarker = '-1' }): Promise<VersionPage> => {
    const index = Number(keyMarker) + 1;
    const page = { versions: versions.slice(index, index + 1), commonPrefixes: [] };
    return index + 1 < versions.length ? { ...page, next: { keyMarker: String(index) } } : page;
  };
  const store = { listVersions } as unknown as ObjectReader & VersionReader;
  const found: string[] = [];
  const options = { store, bucket: 'bucket', prefix: '', at, datesUploadsByEnd };
  for await (const object of listTree(options)) {
    if ('isUndated' in object) continue;
    const { key, versionId, isUncertain } = object;
    found.push(`${key} ${versionId}${isUncertain ? '?' : ''}`);
  }
  return found;
}

describe('the current version of each key at a point in time', () => {
  const IN_ORDER: readonly Dated[] = [
    ['v3', 30],
    ['v2', 20],
    ['v1', 10],
  ];

  test.each([
    ['after the last version', 35, ['a v3', 'b v3']],
    ['at the time of a version', 20, ['a v2', 'b v2']],
    ['between two versions', 19, ['a v1', 'b v1']],
    ['before the first version', 9, []],
  ])('a restore lists the version of each key that was current %s', async (_, at, tree) => {
    expect(await treeAt(at, IN_ORDER)).toEqual(tree);
  });

  test('a restore lists no version of a key that was deleted at that time', async () => {
    const history: readonly Dated[] = [['v2', 20, { kind: 'delete-marker' }], ...IN_ORDER.slice(2)];
    expect(await treeAt(25, history)).toEqual([]);
    expect(await treeAt(15, history)).toEqual(['a v1', 'b v1']);
  });

  test.each([
    ['before a version replaced the one with the future date', 15, ['a v1?', 'b v1?']],
    ['when a version replaced the one with the future date', 20, ['a v3', 'b v3']],
    ['at the future date', 1_000, ['a v3', 'b v3']],
  ])(
    'a restore marks a version as uncertain if the next version has an implausible future date: %s',
    async (_, at, tree) => {
      const history: readonly Dated[] = [
        ['v3', 20],
        ['v2', 1_000],
        ['v1', 10],
      ];
      expect(await treeAt(at, history)).toEqual(tree);
    },
  );

  test('a restore marks a version from a recent multipart upload as uncertain unless the service dates uploads by their completion', async () => {
    const history: readonly Dated[] = [['v1', 10, { etag: 'e-2' }]];
    expect(await treeAt(11, history)).toEqual(['a v1?', 'b v1?']);
    expect(await treeAt(11, history, true)).toEqual(['a v1', 'b v1']);
  });
});
