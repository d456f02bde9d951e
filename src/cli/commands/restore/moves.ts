/**
 * Finds moved files among the files that were removed and added: the same ETag and size under another path. An empty
 * file never counts as moved.
 */

import { MINUTE_MS } from '../../../base/durations.ts';

interface Content {
  readonly path: string;
  readonly etag: string;
  readonly sizeBytes: number;
  /** Time of the change, in milliseconds since 1970. Absent for a comparison of two times. */
  readonly at?: number;
}

export interface Moves<T extends Content> {
  readonly moved: readonly { readonly from: T; readonly to: T }[];
  /** The files that were removed and added without a counterpart. */
  readonly removed: readonly T[];
  readonly added: readonly T[];
}

/** Maximum time between the two changes of a move, which are a copy and a delete marker. */
const APART_MS = 5 * MINUTE_MS;

/** Pairs removed and added files. Each file is in one pair at most. */
export function findMoves<T extends Content>(removed: readonly T[], added: readonly T[]): Moves<T> {
  const byContent = Map.groupBy(added.toSorted(byTime), contentOf);
  const taken = new Set<T>();
  const moved: { from: T; to: T }[] = [];
  for (const [content, group] of Map.groupBy(removed.toSorted(byTime), contentOf)) {
    const candidates = byContent.get(content) ?? [];
    let first = 0;
    for (const from of group) {
      if (from.sizeBytes === 0) break;
      const isOver = (to: T | undefined) =>
        to !== undefined && (taken.has(to) || timeOf(to) < timeOf(from) - APART_MS);
      while (isOver(candidates[first])) first += 1;
      const to = candidates
        .slice(first, first + MAX_TRIED)
        .find((each) => !taken.has(each) && each.path !== from.path);
      if (!to || timeOf(to) > timeOf(from) + APART_MS) continue;
      taken.add(to);
      moved.push({ from, to });
    }
  }
  const gone = new Set(moved.map(({ from }) => from));
  return {
    moved,
    removed: removed.filter((each) => !gone.has(each)),
    added: added.filter((each) => !taken.has(each)),
  };
}

/** Maximum number of added files that are tried for a removed one, because many may have the same content. */
const MAX_TRIED = 16;

function timeOf({ at = 0 }: Content): number {
  return at;
}

function byTime(a: Content, b: Content): number {
  return timeOf(a) - timeOf(b);
}

function contentOf({ etag, sizeBytes }: Content): string {
  return `${etag} ${sizeBytes}`;
}
