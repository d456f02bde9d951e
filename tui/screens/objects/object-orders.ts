/** The sort orders for objects below a prefix. The row of the parent folder is always first. */

import type { SortOrder } from '../../widgets/list-model.ts';
import type { Sums } from './folder-sums.ts';
import { isStored, nameOf } from './object-rows.ts';
import type { ObjectRow, StoredRow } from './object-rows.ts';

export type SumsOf = (prefix: string) => Sums | undefined;

/**
 * The sort order by version count. It needs another listing, because the listing of objects
 * contains no version counts.
 */
export const BY_VERSIONS = 'number of versions';

export const BY_NAME = 'name';

/**
 * Returns the sort orders. `sumsOf` returns a folder's size, or undefined until the folder has been
 * counted.
 */
export function objectOrders(sumsOf: SumsOf): readonly SortOrder<ObjectRow>[] {
  /** Sorts rows by a number, largest first. */
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
