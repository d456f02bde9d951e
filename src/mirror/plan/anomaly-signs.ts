/**
 * Detects anomalies: signs that good content was encrypted. Pure functions of content facts measured before and after
 * a change. The table in test/unit/mirror/signs.test.ts shows what each threshold detects, and what none does.
 */

import { DAY_MS } from '../../base/durations.ts';
import { type ContentFacts, expectedOf } from '../model/file-types.ts';

export type Anomaly =
  /** Text, tables or programs became bytes that look random. */
  | 'entropy'
  /** The same, but the result is text as evenly distributed as base64 of random bytes. */
  | 'encoded'
  /** The first bytes match neither the former type nor any other, and the rest looks random. */
  | 'header'
  /** The beginning matches its type, but the ending no longer does, and the rest looks random. */
  | 'ending';

/** Per cent of the sample. An attacker that encrypts every other block for speed leaves half of it plain. */
const RANDOM_FROM = 40;
/** Per cent of the sample. Content with more was never plain: a picture, an archive, or encrypted before. */
const PLAIN_RANDOM_UNTIL = 15;
/** At least half of the sample must be neither random nor padding. Reserved space that is filled later is not a loss. */
const PLAIN_FROM = 50;

/** Types of files whose content is stored elsewhere. A file that replaces one was downloaded, not encrypted. */
const PLACEHOLDER_TYPES: ReadonlySet<string> = new Set(['git lfs pointer']);

/** Anomalies of a change; empty if there are none. If `before` is undefined, the content that the file name promises is assumed. */
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
  // It became another known type: compressed, converted or replaced.
  if (after.type !== known.type) return [];
  if (known.isWhole === true && after.isWhole === false) return ['ending'];
  // A document whose parts are now compressed is whole. Without an ending this cannot be decided.
  return isPlain(known) && after.isWhole !== true ? [became] : [];
}

/** Text with encoded parts, such as a mail with attachments, does not count as encoded. */
function becameRandom(known: ContentFacts, after: ContentFacts): 'entropy' | 'encoded' | undefined {
  if (after.random >= RANDOM_FROM) return 'entropy';
  return after.isEncoded && !known.isEncoded ? 'encoded' : undefined;
}

/** Whether a new file may be an encrypted copy of another file. */
export function looksEncrypted({ random, isEncoded, type }: ContentFacts): boolean {
  return (random >= RANDOM_FROM || isEncoded === true) && type === undefined;
}

/** Whether a file had content worth encrypting: a known type or plain content, not random bytes. */
export function wasGood(path: string, before: ContentFacts | undefined): boolean {
  const known = before ?? expectedFacts(path);
  return known !== undefined && (known.type !== undefined || isPlain(known));
}

function isPlain({ random, plain }: ContentFacts): boolean {
  return random <= PLAIN_RANDOM_UNTIL && plain >= PLAIN_FROM;
}

/** Assumed facts of a file that was mirrored before content was measured. */
function expectedFacts(path: string): ContentFacts | undefined {
  const expected = expectedOf(path);
  if (expected === undefined) return undefined;
  if (expected === 'plain') return { entropy: 0, random: 0, plain: 100 };
  return { entropy: 0, random: 100, plain: 0, type: expected.type };
}

/**
 * The key, and the key without its last suffix. Two keys may be names of the same file, before and after encryption,
 * if they share one of these.
 */
export function stemsOf(key: string): readonly string[] {
  const slash = key.lastIndexOf('/') + 1;
  const dot = key.lastIndexOf('.');
  return dot > slash ? [key, key.slice(0, dot)] : [key];
}

/** The last suffix of a key: `.locked` for `a/b.txt.locked`; empty if it has none. */
export function suffixOf(key: string): string {
  const [, stem] = stemsOf(key);
  return stem === undefined ? '' : key.slice(stem.length);
}

/** Rates of files with anomalies that count as an attack rather than as the user's work. */
export const ANOMALY_RATES = [
  { windowMs: 10 * 60_000, files: 8 },
  // About one file an hour, all day long.
  { windowMs: DAY_MS, files: 24 },
] as const;
/** In a small job, fewer files are an equally large part of it. */
const MIN_ANOMALIES = 3;
const SMALL_JOB_SHARE = 0.25;

export const ANOMALIES_KEPT_MS = DAY_MS;

/** Number of files with anomalies that trigger the alarm, for a job with `files` files. */
export function anomalyLimit(files: number, limit: number): number {
  return Math.min(limit, Math.max(MIN_ANOMALIES, Math.ceil(files * SMALL_JOB_SHARE)));
}

/** Whether the anomalies exceed a rate. `times`: when each was detected, including the current one, milliseconds since 1970. */
export function isAttack(times: readonly number[], files: number, now: number): boolean {
  return ANOMALY_RATES.some(({ windowMs, files: limit }) => {
    const recent = times.filter((at) => at > now - windowMs).length;
    return recent >= anomalyLimit(files, limit);
  });
}
