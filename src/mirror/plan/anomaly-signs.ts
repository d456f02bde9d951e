/**
 * The signs that content was encrypted in the place of content that was good: pure functions of what was measured
 * before and after. What each threshold sees, and what none does, is a table in test/unit/mirror/signs.test.ts.
 */

import { DAY_MS } from '../../base/durations.ts';
import { type ContentFacts, expectedOf } from '../model/file-types.ts';

export type Sign =
  /** Text, tables or programs became bytes that no test tells from random ones. */
  | 'entropy'
  /** The same, but for text that is as evenly spread as base64 of random bytes. */
  | 'encoded'
  /** The first bytes are no longer those of its type, nor of any other, and the rest looks random. */
  | 'header'
  /** It begins as its type does, and no longer ends so; what is between looks random. */
  | 'ending';

/** Per cent of the sample. What encrypts every other block for speed leaves half of it plain. */
const RANDOM_FROM = 40;
/** Content with more of it was never plain: a picture, an archive, something encrypted before. */
const PLAIN_RANDOM_UNTIL = 15;
/** Less than half is filling: space that was reserved and is filled in later has lost nothing. */
const PLAIN_FROM = 50;

/** Their content is elsewhere: what takes their place was fetched, not encrypted. */
const STAND_INS: ReadonlySet<string> = new Set(['git lfs pointer']);

/** Empty when nothing speaks for it. `before` undefined: what the name promises is taken for it. */
export function signsOf(
  path: string,
  before: ContentFacts | undefined,
  after: ContentFacts,
): readonly Sign[] {
  const known = before ?? expectedFacts(path);
  if (!known || (known.type !== undefined && STAND_INS.has(known.type))) return [];
  const became = whatBecame(known, after);
  if (became === undefined) return [];
  if (known.type !== undefined && after.type === undefined) {
    return isPlain(known) ? ['header', became] : ['header'];
  }
  // It became another type that is known: compressed, converted, or replaced.
  if (after.type !== known.type) return [];
  if (known.isWhole === true && after.isWhole === false) return ['ending'];
  // A document whose parts are compressed now is whole; without an ending nothing tells.
  return isPlain(known) && after.isWhole !== true ? [became] : [];
}

/** Text that holds encoded parts, such as a mail with attachments, is not encoded as a whole. */
function whatBecame(known: ContentFacts, after: ContentFacts): 'entropy' | 'encoded' | undefined {
  if (after.random >= RANDOM_FROM) return 'entropy';
  return after.isEncoded && !known.isEncoded ? 'encoded' : undefined;
}

/** Whether a new file may be another one, encrypted under a new name. */
export function looksEncrypted({ random, isEncoded, type }: ContentFacts): boolean {
  return (random >= RANDOM_FROM || isEncoded === true) && type === undefined;
}

/** Whether a file held something that an attacker would take away: not what was random all along. */
export function wasGood(path: string, before: ContentFacts | undefined): boolean {
  const known = before ?? expectedFacts(path);
  return known !== undefined && (known.type !== undefined || isPlain(known));
}

function isPlain({ random, plain }: ContentFacts): boolean {
  return random <= PLAIN_RANDOM_UNTIL && plain >= PLAIN_FROM;
}

/** Of a file that was mirrored before its content was measured. */
function expectedFacts(path: string): ContentFacts | undefined {
  const expected = expectedOf(path);
  if (expected === undefined) return undefined;
  if (expected === 'plain') return { entropy: 0, random: 0, plain: 100 };
  return { entropy: 0, random: 100, plain: 0, type: expected.type };
}

/**
 * Names that one file may have been given from another: with a suffix more, or another one in its place. Two names
 * belong together when they share one of these.
 */
export function stemsOf(key: string): readonly string[] {
  const slash = key.lastIndexOf('/') + 1;
  const dot = key.lastIndexOf('.');
  return dot > slash ? [key, key.slice(0, dot)] : [key];
}

/** Of `a/b.txt.locked` it is `.locked`; empty for none. */
export function suffixOf(key: string): string {
  const [, stem] = stemsOf(key);
  return stem === undefined ? '' : key.slice(stem.length);
}

/** So many files with signs, in so long a time, are an attack and not a user's doing. */
export const SIGN_RATES = [
  { windowMs: 10 * 60_000, files: 8 },
  // One file in a quarter of an hour, all day long.
  { windowMs: DAY_MS, files: 24 },
] as const;
/** In a small job fewer are as great a part of it. */
const FEWEST_SIGNS = 3;
const SMALL_JOB_SHARE = 0.25;

export const SIGNS_KEPT_MS = DAY_MS;

/** How many files with signs a window takes, for a job of so many files. */
export function signLimit(files: number, limit: number): number {
  return Math.min(limit, Math.max(FEWEST_SIGNS, Math.ceil(files * SMALL_JOB_SHARE)));
}

/** `times`: when each sign was seen, the one at hand among them. */
export function isAttack(times: readonly number[], files: number, now: number): boolean {
  return SIGN_RATES.some(({ windowMs, files: limit }) => {
    const recent = times.filter((at) => at > now - windowMs).length;
    return recent >= signLimit(files, limit);
  });
}
