/**
 * Returns one line that states whether all folders are protected, and when a job last checked its folder for
 * changes. All functions are pure.
 */

import { HOUR_MS, MINUTE_MS } from '../../../src/base/durations.ts';
import { onlyInBucketText } from '../../../src/control/job-standing.ts';
import type { JobStatus } from '../../../src/control/shapes.ts';
import { shortDurationText } from '../../../src/text/time.ts';
import { countText, numberText } from '../../../src/text/amounts.ts';
import type { Tone } from '../../theme/look.ts';

export interface Verdict {
  readonly tone: Tone;
  /** The verdict as text. It must be escaped before it is drawn. */
  readonly text: string;
  /**
   * The text without the reason or the age, for terminals on which the full text does not fit. The attention pane shows
   * the reason.
   */
  readonly short?: string;
}

/**
 * Returns the verdict, or undefined without jobs. While the daemon is down, `seen` is a text such as `last seen 10:42`,
 * and the verdict describes the state at that time.
 */
export function verdictOf(
  jobs: readonly JobStatus[],
  now: number,
  seen?: string,
): Verdict | undefined {
  const verdict = jobs.length === 0 ? undefined : currentVerdict(jobs, now);
  if (!verdict || seen === undefined) return verdict;
  const { text, short = text } = verdict;
  const known = `${seen[0]?.toUpperCase()}${seen.slice(1)}: ${short}`;
  return { tone: 'attention', text: `Daemon down. ${known}`, short: known };
}

function currentVerdict(jobs: readonly JobStatus[], now: number): Verdict {
  const atRisk = jobs.filter(({ protection }) => protection.is === 'at risk');
  if (atRisk.length > 0) return gapVerdict('bad', 'at risk', atRisk);
  const unknown = jobs.filter(({ protection }) => protection.is === 'unknown');
  if (unknown.length > 0) return gapVerdict('attention', 'of unknown protection', unknown);
  const kept = jobs.filter(({ protection }) => protection.is === 'kept');
  const [few, all] = [foldersOf(kept), foldersOf(jobs)];
  const subject = few > 0 && few < all ? countedFolders(few) : allFolders(all);
  const text = `${subject} ${few === 0 ? 'protected' : 'kept against mistakes only'}`;
  const only = onlyInBucketText(jobs, countText);
  const exception = only === undefined ? '' : ` ${only}.`;
  return {
    tone: few === 0 && only === undefined ? 'good' : 'attention',
    text: `${text}.${exception}${checkedText(jobs, now)}`,
    short: `${text}${only === undefined ? '' : `; ${countOnlyInBucket(jobs)} only in the bucket`}.`,
  };
}

function countOnlyInBucket(jobs: readonly JobStatus[]): string {
  return countText(
    jobs.reduce((sum, { brake }) => sum + (brake?.rejectedDeletes ?? 0), 0),
    'file',
  );
}

/** Returns a verdict that names the first of the jobs and its reason. */
function gapVerdict(tone: Tone, word: string, jobs: readonly JobStatus[]): Verdict {
  const [first] = jobs;
  const { name = '', state, protection } = first ?? {};
  const reason = protection?.reason === undefined ? '' : `: ${protection.reason}`;
  const more = jobs.length > 1 ? `, and ${numberText(jobs.length - 1)} more` : '';
  const paused = state === 'paused' ? ' (paused)' : '';
  const start = `${countedFolders(foldersOf(jobs))} ${word}: ${name}${paused}`;
  return { tone, text: `${start}${reason}${more}`, short: `${start}${more}` };
}

function allFolders(count: number): string {
  if (count === 1) return 'The folder is';
  return count === 2 ? 'Both folders are' : `All ${numberText(count)} folders are`;
}

function countedFolders(count: number): string {
  return count === 1 ? '1 folder is' : `${numberText(count)} folders are`;
}

/** Returns the number of folders. A folder with several targets counts only once. */
function foldersOf(jobs: readonly JobStatus[]): number {
  return new Set(jobs.map(({ folder }) => folder)).size;
}

function checkedText(jobs: readonly JobStatus[], now: number): string {
  const checkedAt = Math.max(...jobs.map(({ lastRoundAt = 0 }) => lastRoundAt));
  if (checkedAt === 0) return '';
  return ` Last checked ${agoText(Math.max(0, now - checkedAt))} ago.`;
}

/**
 * Formats an age. Above one minute, the text changes only once a minute, so that an idle screen is not redrawn every
 * second.
 */
function agoText(ms: number): string {
  if (ms < MINUTE_MS || ms >= 2 * HOUR_MS) return shortDurationText(ms);
  return `${Math.floor(ms / MINUTE_MS)} min`;
}
