/** Sort orders for the objects of a prefix. The row of the parent folder is always first. */

import type { SortOrder } from '../../widgets/list-model.ts';
import type { Sums } from './folder-sums.ts';
import { isStored, nameOf } from './object-rows.ts';
import type { ObjectRow, StoredRow } from './object-rows.ts';

export type SumsOf = (prefix: string) => Sums | undefined;

/** This order needs another listing, because the listing of objects has no version counts. */
export const BY_VERSIONS = 'number of versions';

export const BY_NAME = 'name';

/** `sumsOf` returns the sums of a folder, or undefined until it has been counted. */
export function objectOrders(sumsOf: SumsOf): readonly SortOrder<ObjectRow>[] {
  /** Sorts the largest number first. */
  const byNumber = (ofObject: (row: StoredRow) => number, ofFolder: (sums: Sums) => number) => {
    const rank = (row: ObjectRow) => {
      if (row.kind === 'up') return Infinity;
      if (isStored(row)) return ofObject(row);
      const sums = sumsOf(row.prefix);
      return sums ? ofFolder(sums) : -1;
    };
    return (a: ObjectRow, b: ObjectRow) => rank(b) - rank(a) || byName(a, b);
  };
  return [
    { name: BY_NAME, compare: byName },
    {
      name: 'size',
      compare: byNumber(
        ({ sizeBytes }) => sizeBytes,
        ({ bytes }) => bytes,
      ),
    },
    {
      name: 'date',
      compare: byNumber(
        ({ lastModifiedAt }) => lastModifiedAt,
        ({ newestAt }) => newestAt,
      ),
    },
    {
      name: BY_VERSIONS,
      compare: byNumber(
        ({ versions }) => versions?.count ?? 0,
        ({ objects, olderVersions }) => objects + olderVersions,
      ),
    },
  ];
}

function byName(a: ObjectRow, b: ObjectRow): number {
  const [left, right] = [nameOf(a), nameOf(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}
