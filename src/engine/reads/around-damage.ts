/**
 * Reads rows for a listing although some database pages are damaged. It reads from another index or, if no index can be
 * read, continues at the next readable name.
 */

import type { ListingGap } from '../../object-store/listing.ts';
import { compareUtf8 } from '../../object-store/rules/listing.ts';
import { startOf } from '../schema/key-bounds.ts';
import { isUnreadable } from '../disk/metadata-damage.ts';

/** The maximum number of queries in one search. Needed in case no part of the database can be read. */
const MOST_LOOKS = 4_000;
/** The maximum number of times that a search halves the range of names. */
const MOST_HALVINGS = 48;
const HIGHEST = 0x10ffff;
const [SURROGATES_START, SURROGATES_END] = [0xd800, 0xdfff];
/** The first code point after ASCII. A search tries ASCII names first, because most names are ASCII. */
const USUAL_END = 0x80;

export interface Around<Row> {
  /**
   * One function for each index that contains the rows. A function returns up to `limit` rows from `start` on, ordered
   * by name.
   */
  readonly sources: readonly ((start: string, limit: number) => Iterable<Row>)[];
  readonly nameOf: (row: Row) => string;
  /** Whether several rows can have the same name. */
  readonly hasMoreOfName?: boolean;
  readonly start: string;
  readonly limit: number;
}

/**
 * Returns up to `limit` rows. If a page of one index is damaged, reads the rows from the next index. If no index can be
 * read, throws the error. With `gaps`, adds the unreadable range to `gaps` instead, and continues with the next
 * readable name.
 */
export function rowsAround<Row>(about: Around<Row>, gaps?: ListingGap[]): readonly Row[] {
  const rows: Row[] = [];
  for (let start: string | undefined = about.start; start !== undefined;) {
    const from: string = start;
    const taken = takeFromAny({ ...about, start: from }, rows);
    if (taken.isDone) return rows;
    start = taken.next;
    if (start !== from) {
      // If several rows can have the same name, further rows of this name may be unreadable.
      if (about.hasMoreOfName) gaps?.push({ from: start.slice(0, -1), to: start });
      continue;
    }
    if (!gaps) throw taken.error;
    start = nextReadable(about, from);
    gaps.push(start === undefined ? { from } : { from, to: start });
  }
  return rows;
}

type Taken =
  | { readonly isDone: true }
  | { readonly isDone: false; readonly next: string; readonly error: unknown };

/** Adds rows until an index has no more rows, or until every index has reached an unreadable page. */
function takeFromAny<Row>({ sources, nameOf, start, limit }: Around<Row>, rows: Row[]): Taken {
  let next = start;
  let failure: unknown;
  for (const source of sources) {
    try {
      for (const row of source(next, limit - rows.length)) {
        rows.push(row);
        next = startOf({ name: nameOf(row), inclusive: false });
      }
      return { isDone: true };
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      failure = error;
    }
  }
  return { isDone: false, next, error: failure };
}

/**
 * Returns the next name that can be read from any index; undefined if none is found. The search halves the range of
 * names repeatedly and tries the lower half first.
 */
function nextReadable<Row>({ sources, nameOf }: Around<Row>, from: string): string | undefined {
  let looks = 0;
  /**
   * Returns the first name at or after `start`, or null if no name follows. Returns undefined if the rows cannot be
   * read.
   */
  const firstAt = (start: string): string | null | undefined => {
    for (const source of sources) {
      looks += 1;
      try {
        for (const row of source(start, 1)) return nameOf(row);
        return null;
      } catch (error) {
        if (!isUnreadable(error)) throw error;
      }
    }
    return undefined;
  };
  const search = (start: string, end: string | undefined, depth: number): string | undefined => {
    const middle = between(start, end);
    if (middle === undefined || depth === 0 || looks > MOST_LOOKS) return undefined;
    const found = firstAt(middle);
    const lower = search(start, middle, depth - 1);
    if (lower !== undefined || found === null) return lower;
    return found ?? search(middle, end, depth - 1);
  };
  return search(from, undefined, MOST_HALVINGS);
}

/** Returns a name about halfway between two names; undefined if no such name is found. */
function between(start: string, end: string | undefined): string | undefined {
  const low = codePoints(start);
  const high = end === undefined ? [] : codePoints(end);
  let same = 0;
  while (same < high.length && low[same] === high[same]) same += 1;
  const a = low[same] ?? 0;
  const b = end === undefined ? Math.max(USUAL_END, a + 2) : (high[same] ?? 0);
  const middle =
    b - a >= 2
      ? [...low.slice(0, same), Math.floor((a + b) / 2)]
      : [...low.slice(0, same + 1), halfAbove(low[same + 1] ?? 0)];
  const name = String.fromCodePoint(...middle.map(scalar));
  const isBetween =
    compareUtf8(start, name) < 0 && (end === undefined || compareUtf8(name, end) < 0);
  return isBetween ? name : undefined;
}

function halfAbove(point: number): number {
  const end = point < USUAL_END - 1 ? USUAL_END : HIGHEST + 1;
  return Math.min(HIGHEST, point + Math.max(1, Math.floor((end - point) / 2)));
}

/** Returns U+E000 for a surrogate, which UTF-8 cannot encode. Returns any other code point unchanged. */
function scalar(point: number): number {
  return point >= SURROGATES_START && point <= SURROGATES_END ? SURROGATES_END + 1 : point;
}

function codePoints(text: string): readonly number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}
