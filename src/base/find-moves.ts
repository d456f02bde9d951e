/**
 * Finds moved files. A removed file and an added file with the same ETag and size form a move. An empty file never
 * counts as moved.
 */

import { MINUTE_MS, SECOND_MS } from './durations.ts';

interface Content {
  readonly path: string;
  readonly etag: string;
  readonly sizeBytes: number;
  /** The time of the change in milliseconds since 1970. Absent if two points in time are compared. */
  readonly at?: number;
}

interface Change extends Content {
  readonly at: number;
  readonly is: 'added' | 'changed' | 'removed' | 'attributes';
}

export interface Move<T> {
  readonly from: T;
  readonly to: T;
}

export interface Moves<T extends Content> {
  readonly moved: readonly Move<T>[];
  /** The files that were removed or added but not moved. */
  readonly removed: readonly T[];
  readonly added: readonly T[];
}

/** The maximum time between the two changes of a move, which are a copy and a delete marker. */
const APART_MS = 5 * MINUTE_MS;
/** Each removed file is compared with at least this many added files, even if `MAX_PAIRS` is exceeded. */
const MAX_TRIED = 16;
/** The approximate maximum number of pairs to compare, because very many files can have the same content. */
const MAX_PAIRS = 100_000;

/** Finds the moves among the changes of files. The changes of each path must be consecutive, with the newest first. */
export function movesAmong<T extends Change>(changes: readonly T[]): Moves<T> {
  const since = new Map<T, number>();
  for (const [index, { is, path, at }] of changes.entries()) {
    if (is !== 'added' && is !== 'changed') continue;
    let newer = index - 1;
    while (changes[newer]?.path === path && changes[newer]?.is === 'attributes') newer -= 1;
    const removed = changes[newer];
    if (removed?.path === path && removed.is === 'removed') since.set(removed, at);
  }
  const only = (is: Change['is']) => changes.filter((each) => each.is === is);
  return findMoves(only('removed'), only('added'), (from) => since.get(from));
}

/**
 * Pairs removed files with added files, starting with the pairs that are nearest in time. A file is in one pair at
 * most. `since` returns when a removed file got its content. A file that was added before that time cannot be the
 * result of moving it.
 */
export function findMoves<T extends Content>(
  removed: readonly T[],
  added: readonly T[],
  since: (from: T) => number | undefined = () => undefined,
): Moves<T> {
  const isMove = ({ from, to }: Move<T>) =>
    to.path !== from.path &&
    apart(from, to) <= APART_MS &&
    timeOf(to) >= (since(from) ?? Number.NEGATIVE_INFINITY);
  const addedWith = Map.groupBy(added, contentOf);
  const moved = [...Map.groupBy(removed, contentOf)].flatMap(([content, group]) =>
    group[0]?.sizeBytes === 0 ? [] : pairUp(group, addedWith.get(content) ?? [], isMove),
  );
  const paired = new Set(moved.flatMap(({ from, to }) => [from, to]));
  return {
    moved,
    removed: removed.filter((each) => !paired.has(each)),
    added: added.filter((each) => !paired.has(each)),
  };
}

/**
 * Pairs files of the same content in several passes. In one pass, all files near a removed file can be paired with
 * other files.
 */
function pairUp<T extends Content>(
  removed: readonly T[],
  added: readonly T[],
  isMove: (move: Move<T>) => boolean,
): readonly Move<T>[] {
  const moved: Move<T>[] = [];
  let [gone, made] = [removed.toSorted(byTime), added.toSorted(byTime)];
  while (gone.length > 0 && made.length > 0) {
    const taken = new Set<T>();
    for (const pair of candidates(gone, made).filter(isMove).toSorted(nearestFirst)) {
      if (taken.has(pair.from) || taken.has(pair.to)) continue;
      taken.add(pair.from).add(pair.to);
      moved.push(pair);
    }
    if (taken.size === 0) break;
    gone = gone.filter((each) => !taken.has(each));
    made = made.filter((each) => !taken.has(each));
  }
  return moved;
}

/**
 * Returns pairs of each removed file with the added files that are nearest in time. Both lists must be sorted by time.
 */
function candidates<T extends Content>(gone: readonly T[], made: readonly T[]): Move<T>[] {
  const tries = Math.max(MAX_TRIED, Math.floor(MAX_PAIRS / gone.length));
  const pairs: Move<T>[] = [];
  let first = 0;
  for (const [index, from] of gone.entries()) {
    const isNow = (each: T | undefined) => each !== undefined && timeOf(each) === timeOf(from);
    // If many removed files have the same time, start with a different added file for each of them.
    if (isNow(gone[index - 1]) && isNow(made[first + 1])) first += 1;
    for (let to = made[first]; to && timeOf(to) < timeOf(from); to = made[first]) first += 1;
    let [before, after] = [first - 1, first];
    for (let count = 0; count < tries; count += 1) {
      const [earlier, later] = [made[before], made[after]];
      const isLater = later && (!earlier || apart(from, later) <= apart(from, earlier));
      const to = isLater ? later : earlier;
      if (!to || apart(from, to) > APART_MS) break;
      if (isLater) after += 1;
      else before -= 1;
      pairs.push({ from, to });
    }
  }
  return pairs;
}

/**
 * Sorts pairs by the difference in whole seconds, because services report whole seconds. Within a second, pairs with
 * the same file name come first.
 */
function nearestFirst<T extends Content>(a: Move<T>, b: Move<T>): number {
  const seconds = ({ from, to }: Move<T>) => Math.floor(apart(from, to) / SECOND_MS);
  const isRenamed = ({ from, to }: Move<T>) => Number(nameOf(from) !== nameOf(to));
  return (
    seconds(a) - seconds(b) ||
    isRenamed(a) - isRenamed(b) ||
    apart(a.from, a.to) - apart(b.from, b.to)
  );
}

function nameOf({ path }: Content): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function apart(one: Content, other: Content): number {
  return Math.abs(timeOf(one) - timeOf(other));
}

function timeOf({ at = 0 }: Content): number {
  return at;
}

function byTime(a: Content, b: Content): number {
  return timeOf(a) - timeOf(b);
}

function contentOf({ etag, sizeBytes }: Content): string {
  return `${etag} ${sizeBytes}`;
}
