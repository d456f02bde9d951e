/** The orders of the objects of a prefix. The way up always comes first, and folders have names only. */

import type { SortOrder } from '../../components/list-model.ts';
import { isStored, nameOf } from './object-rows.ts';
import type { ObjectRow, StoredRow } from './object-rows.ts';

type Compare = SortOrder<ObjectRow>['compare'];

/** Needs another listing, since the one of objects has no version counts. */
export const BY_VERSIONS = 'number of versions';

export const OBJECT_ORDERS = [
  { name: 'name', compare: byName },
  { name: 'size', compare: byNumber(({ sizeBytes }) => sizeBytes) },
  { name: 'date', compare: byNumber(({ lastModifiedAt }) => lastModifiedAt) },
  { name: BY_VERSIONS, compare: byNumber(({ versions }) => versions?.count ?? 0) },
] as const satisfies readonly SortOrder<ObjectRow>[];

/** The largest number first. */
function byNumber(numberOf: (row: StoredRow) => number): Compare {
  const rank = (row: ObjectRow) => {
    if (row.kind === 'up') return Infinity;
    return isStored(row) ? numberOf(row) : -1;
  };
  return (a, b) => rank(b) - rank(a) || byName(a, b);
}

function byName(a: ObjectRow, b: ObjectRow): number {
  const [left, right] = [nameOf(a), nameOf(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}
