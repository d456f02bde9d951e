/**
 * Detects anomalies that indicate encryption, by comparing content statistics from before and after a change. All
 * functions are pure. The table in test/unit/mirror/signs.test.ts shows which thresholds detect which content.
 */

import { DAY_MS } from '../../base/durations.ts';
import { type ContentFacts, expectedOf } from '../model/file-types.ts';

export type Anomaly =
  /** Text, a table or a program became bytes that look random. */
  | 'entropy'
  /** Text, a table or a program became text with characters as evenly distributed as in base64 of random bytes. */
  | 'encoded'
  /** The first bytes match neither the file's former type nor another known type, and the rest looks random. */
  | 'header'
  /** The beginning still matches the file's type, but the ending does not, and the rest looks random. */
  | 'ending';

/**
 * Minimum percentage of random bytes in the sample of encrypted content. An attacker who encrypts every other block
 * leaves half of the content readable.
 */
const RANDOM_FROM = 40;
/**
 * Maximum percentage of random bytes in the sample of readable content. Content above it was a picture, an archive or
 * already encrypted.
 */
const PLAIN_RANDOM_UNTIL = 15;
/**
 * Minimum percentage of plain bytes (neither random nor padding) in the sample of readable content. Padding is
 * excluded, because overwriting it loses nothing.
 */
const PLAIN_FROM = 50;

/**
 * Types of placeholder files whose content is stored elsewhere. If another file replaces a placeholder, it was
 * downloaded, not encrypted.
 */
const PLACEHOLDER_TYPES: ReadonlySet<string> = new Set(['git lfs pointer']);

/**
 * Returns a change's anomalies; an empty list if there are none. If `before` is undefined, assumes the content that the
 * filename implies.
 */
export function anomaliesOf(
  path: string,
  before: ContentFacts | undefined,
  after: ContentFacts,
): readonly Anomaly[] {
  const known = before ?? expectedFacts(path);
  if (!known || (known.type !== undefined && PLACEHOLDER_TYPES.has(known.type))) return [];
  const became = becameRandom(known, after);
  if (became === undefined) return [];
  if (known.type !== undefined && after.type === undefined) {
    return isPlain(known) ? ['header', became] : ['header'];
  }
  // A file that became another known type was compressed, converted or replaced.
  if (after.type !== known.type) return [];
  if (known.isWhole === true && after.isWhole === false) return ['ending'];
  // A document whose content is merely compressed still has an intact ending. Types without a known ending cannot be
  // judged this way.
  return isPlain(known) && after.isWhole !== true ? [became] : [];
}

/**
 * Returns whether content became random or encoded. Text that already contained encoded passages, such as a mail with
 * attachments, does not count as encoded.
 */
function becameRandom(known: ContentFacts, after: ContentFacts): 'entropy' | 'encoded' | undefined {
  if (after.random >= RANDOM_FROM) return 'entropy';
  return after.isEncoded && !known.isEncoded ? 'encoded' : undefined;
}

/** Returns whether a new file may be an encrypted copy of another file. */
export function looksEncrypted({ random, isEncoded, type }: ContentFacts): boolean {
  return (random >= RANDOM_FROM || isEncoded === true) && type === undefined;
}

/** Returns whether a file had readable content before the change: a known type or plain content, not random bytes. */
export function wasGood(path: string, before: ContentFacts | undefined): boolean {
  const known = before ?? expectedFacts(path);
  return known !== undefined && (known.type !== undefined || isPlain(known));
}

function isPlain({ random, plain }: ContentFacts): boolean {
  return random <= PLAIN_RANDOM_UNTIL && plain >= PLAIN_FROM;
}

/** Returns the assumed statistics for a file that was mirrored before content was measured. */
function expectedFacts(path: string): ContentFacts | undefined {
  const expected = expectedOf(path);
  if (expected === undefined) return undefined;
  if (expected === 'plain') return { entropy: 0, random: 0, plain: 100 };
  return { entropy: 0, random: 100, plain: 0, type: expected.type };
}

/**
 * Returns a key, and the same key without its last suffix. Two keys that share one of these stems may name the same
 * file before and after encryption.
 */
export function stemsOf(key: string): readonly string[] {
  const slash = key.lastIndexOf('/') + 1;
  const dot = key.lastIndexOf('.');
  return dot > slash ? [key, key.slice(0, dot)] : [key];
}

/** Returns the last suffix of a key, such as `.locked` for `a/b.txt.locked`; empty if it has none. */
export function suffixOf(key: string): string {
  const [, stem] = stemsOf(key);
  return stem === undefined ? '' : key.slice(stem.length);
}

/** For each time window, the number of files with anomalies that indicates an attack and not the user's work. */
export const ANOMALY_RATES = [
  { windowMs: 10 * 60_000, files: 8 },
  // About one file per hour for a whole day.
  { windowMs: DAY_MS, files: 24 },
] as const;
/** Lower bound of the limit in a small job, where a few files are a large share. */
const MIN_ANOMALIES = 3;
const SMALL_JOB_SHARE = 0.25;

export const ANOMALIES_KEPT_MS = DAY_MS;

/** Returns how many files with anomalies trigger the guard in a job with `files` files. */
export function anomalyLimit(files: number, limit: number): number {
  return Math.min(limit, Math.max(MIN_ANOMALIES, Math.ceil(files * SMALL_JOB_SHARE)));
}

/**
 * Returns whether the anomalies indicate an attack. `times` contains the times of all anomalies up to now, in
 * milliseconds since 1970.
 */
export function isAttack(times: readonly number[], files: number, now: number): boolean {
  return ANOMALY_RATES.some(({ windowMs, files: limit }) => {
    const recent = times.filter((at) => at > now - windowMs).length;
    return recent >= anomalyLimit(files, limit);
  });
}
