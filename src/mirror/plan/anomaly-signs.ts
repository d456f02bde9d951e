/**
 * Detects anomalies: signs that good content was encrypted. Contains pure functions of content facts that were measured
 * before and after a change. The table in test/unit/mirror/signs.test.ts shows which thresholds detect which content.
 */

import { DAY_MS } from '../../base/durations.ts';
import { type ContentFacts, expectedOf } from '../model/file-types.ts';

export type Anomaly =
  /** Text, tables or programs became bytes that look random. */
  | 'entropy'
  /** Text, tables or programs became text as evenly distributed as base64 of random bytes. */
  | 'encoded'
  /** The first bytes no longer match the file's type or any other, and the rest looks random. */
  | 'header'
  /** The beginning matches the file's type, but the ending no longer does, and the rest looks random. */
  | 'ending';

/**
 * Minimum share of random bytes in encrypted content, in per cent of the sample. An attacker that encrypts every other
 * block leaves half of it plain.
 */
const RANDOM_FROM = 40;
/**
 * Maximum share of random bytes in plain content, in per cent of the sample. Content with more was a picture, an
 * archive or already encrypted.
 */
const PLAIN_RANDOM_UNTIL = 15;
/**
 * Minimum share of plain bytes in plain content, in per cent of the sample. They are neither random nor padding,
 * because filling reserved space is not a loss.
 */
const PLAIN_FROM = 50;

/** Types of files whose content is stored elsewhere. A file that replaces one was downloaded, not encrypted. */
const PLACEHOLDER_TYPES: ReadonlySet<string> = new Set(['git lfs pointer']);

/**
 * Returns the anomalies of a change; an empty list if there are none. If `before` is undefined, assumes the content
 * that the file name suggests.
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
  // The file became another known type: it was compressed, converted or replaced.
  if (after.type !== known.type) return [];
  if (known.isWhole === true && after.isWhole === false) return ['ending'];
  // A document whose parts are now compressed has an intact ending. Types without a known ending cannot be
  // distinguished.
  return isPlain(known) && after.isWhole !== true ? [became] : [];
}

/**
 * Returns whether content became random or encoded. Text that already had encoded parts, such as a mail with
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

/** Returns whether a file had content worth encrypting: a known type or plain content, not random bytes. */
export function wasGood(path: string, before: ContentFacts | undefined): boolean {
  const known = before ?? expectedFacts(path);
  return known !== undefined && (known.type !== undefined || isPlain(known));
}

function isPlain({ random, plain }: ContentFacts): boolean {
  return random <= PLAIN_RANDOM_UNTIL && plain >= PLAIN_FROM;
}

/** Returns the assumed facts of a file that was mirrored before content was measured. */
function expectedFacts(path: string): ContentFacts | undefined {
  const expected = expectedOf(path);
  if (expected === undefined) return undefined;
  if (expected === 'plain') return { entropy: 0, random: 0, plain: 100 };
  return { entropy: 0, random: 100, plain: 0, type: expected.type };
}

/**
 * Returns a key, and the key without its last suffix. Two keys that share one of these may be names of the same file
 * before and after encryption.
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

/** Numbers of files with anomalies per time window that indicate an attack rather than the user's work. */
export const ANOMALY_RATES = [
  { windowMs: 10 * 60_000, files: 8 },
  // About one file per hour during a day.
  { windowMs: DAY_MS, files: 24 },
] as const;
/** Minimum limit in a small job, where a few files are a large share of it. */
const MIN_ANOMALIES = 3;
const SMALL_JOB_SHARE = 0.25;

export const ANOMALIES_KEPT_MS = DAY_MS;

/** Returns how many files with anomalies trigger the alarm in a job with `files` files. */
export function anomalyLimit(files: number, limit: number): number {
  return Math.min(limit, Math.max(MIN_ANOMALIES, Math.ceil(files * SMALL_JOB_SHARE)));
}

/**
 * Returns whether the anomalies indicate an attack. `times` are the times of all anomalies, including the current one,
 * in milliseconds since 1970.
 */
export function isAttack(times: readonly number[], files: number, now: number): boolean {
  return ANOMALY_RATES.some(({ windowMs, files: limit }) => {
    const recent = times.filter((at) => at > now - windowMs).length;
    return recent >= anomalyLimit(files, limit);
  });
}
