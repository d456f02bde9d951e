/** Formats a job as text: its state, its counts and what needs attention. */

import { nextStep, onlyInBucketText, standingText } from '../../control/job-standing.ts';
import { type Protection, protectionText } from '../../control/protection.ts';
import type { JobStatus } from '../../control/shapes.ts';
import type { Paint, Tone } from './output.ts';
import { bytesText, countText, numberText, rateText } from '../../text/amounts.ts';
import { durationText, timeText } from '../../text/time.ts';
import { messageText, visible } from './text.ts';

type Problem = JobStatus['problems'][number];

/**
 * The maximum number of problems that are listed for a job. `--json` contains all problems that the daemon returned.
 */
const SHOWN_PROBLEMS = 10;

const STUCK: ReadonlySet<JobStatus['state']> = new Set([
  'root missing',
  'clock',
  'no room',
  'failed',
]);

const PROTECTION_TONES: Readonly<Record<Protection['is'], Tone>> = {
  protected: 'good',
  kept: 'strong',
  'at risk': 'bad',
  unknown: 'attention',
};

/**
 * Returns whether the job is protected and why not, such as
 * `at risk: 3 files held for review: holdfast job review photos`. With `isAfterState`, omits a reason that the state of
 * the job already contains.
 */
export function protectionLine(
  { protection, reason }: JobStatus,
  paint: Paint,
  { isAfterState = false } = {},
): string {
  const { reason: why, ...rest } = protection;
  const isRepeated = isAfterState && reason !== undefined && why?.endsWith(reason) === true;
  const text = protectionText(isRepeated ? rest : protection);
  return paint(PROTECTION_TONES[protection.is], messageText(text));
}

const PROTECTION_CELLS = Math.max(...Object.keys(PROTECTION_TONES).map(({ length }) => length));

/**
 * Returns the protection of a job, its state, since when, and the command to run, as a single line. For example:
 * `at risk    3 files held for review, for 2 h: holdfast job review photos`.
 */
export function overviewText(job: JobStatus, paint: Paint, now: number): string {
  const { is, reason, command } = job.protection;
  const word = paint(PROTECTION_TONES[is], is.padEnd(PROTECTION_CELLS));
  const isGood = is === 'protected' || is === 'kept';
  const what = isGood || reason === undefined ? stateText(job, paint) : messageText(reason);
  const amounts = isGood ? [amountText(job)] : [];
  const parts = [what, ...scanText(job), ...amounts, ...sinceText(job, now)];
  return `${word}  ${parts.join(', ')}${command === undefined ? '' : `: ${command}`}`;
}

/**
 * Returns a line such as `12,000 of about 42,000 files scanned` or `12,000 files scanned so far`. Returns no line if no
 * scan is running.
 */
export function scanText({ scan }: JobStatus): string[] {
  if (!scan) return [];
  const { files, expected = 0 } = scan;
  if (files > expected) return [`${countText(files, 'file')} scanned so far`];
  return [`${numberText(files)} of about ${countText(expected, 'file')} scanned`];
}

function sinceText({ brake, lastRoundAt, lagMs }: JobStatus, now: number): string[] {
  if (brake?.alarmSince !== undefined) return [`for ${durationText(now - brake.alarmSince)}`];
  // The text of the state already contains the lag.
  if (lagMs > 0 || lastRoundAt === undefined) return [];
  return [`checked ${durationText(Math.max(0, now - lastRoundAt))} ago`];
}

/**
 * Returns the state with its lag and reason. A job in sync has the text `in sync` or, for example,
 * `in sync except for 3 conflicts`.
 */
export function stateText(job: JobStatus, paint: Paint): string {
  const state = paint(stateTone(job), standingText(job, countText));
  const lag = job.lagMs > 0 ? `, ${durationText(job.lagMs)} behind` : '';
  return `${state}${lag}${job.reason ? `: ${messageText(job.reason)}` : ''}`;
}

function stateTone(job: JobStatus): Tone {
  if (STUCK.has(job.state)) return 'bad';
  if (job.state === 'paused' || job.protection.is === 'at risk') return 'attention';
  return job.inSync ? 'good' : 'strong';
}

/**
 * Returns the folder and destination of a job, such as `/home/me/Photos → bucket photos/laptop/ in the embedded store`.
 */
export function routeText(job: JobStatus): string {
  const place = visible(`${job.bucket}${job.prefix === '' ? '' : `/${job.prefix}`}`);
  const where = job.target === 'local' ? 'in the embedded store' : `at ${visible(job.targetUrl)}`;
  return `${visible(job.folder)} → bucket ${place} ${where}`;
}

/** Returns the size of a job, such as `5,012 files, 3.1 GB; 3 changes pending, 12 kB`. */
export function amountText({ counts }: JobStatus): string {
  const all = `${countText(counts.files, 'file')}, ${bytesText(counts.bytes)}`;
  if (counts.pending === 0) return all;
  return `${all}; ${countText(counts.pending, 'change')} pending, ${bytesText(counts.pendingBytes)}`;
}

/**
 * Returns a line with the current rate limit and the time of the next scheduled run. Returns no line if there is
 * neither.
 */
export function mannersText({ manners = {} }: JobStatus): string[] {
  const { bytesPerSecond, nextRunAt } = manners;
  const text = [
    ...(bytesPerSecond === undefined ? [] : [`at most ${rateText(bytesPerSecond)} now`]),
    ...(nextRunAt === undefined ? [] : [`next run ${timeText(nextRunAt)}`]),
  ].join(', ');
  return text === '' ? [] : [text];
}

/** Returns the result of the last version pruning. Returns no line if there was none. */
export function keepLines({ keep }: JobStatus): string[] {
  if (!keep) return [];
  const { at, versions, bytes, retained, failed, failure } = keep;
  const text = [
    `old versions pruned ${timeText(at)}: ${countText(versions, 'version')} removed, ${bytesText(bytes)} freed`,
    ...(retained > 0 ? [`${countText(retained, 'more version')} kept until a lock ends`] : []),
    ...(failed > 0
      ? [`${failed} could not be removed: ${visible(failure ?? 'no reason given')}`]
      : []),
  ];
  return [text.join('; ')];
}

/** Returns a line for each count that needs attention and is not zero, followed by the next step and the problems. */
export function attentionLines(job: JobStatus, paint: Paint): string[] {
  const { conflicts, drifted, held, heldConflicts = 0, problems, acknowledged = 0 } = job.counts;
  const lines: string[] = [];
  const say = (count: number, text: string) => {
    if (count > 0) lines.push(paint('attention', text));
  };
  say(conflicts, `${countText(conflicts, 'conflict')}: changed here and in the bucket`);
  const names = `holdfast job queue ${job.name} --reason drifted`;
  say(drifted, `${countText(drifted, 'object')} changed in the bucket, not by this job: ${names}`);
  const others = held - heldConflicts;
  say(others, `${countText(others, 'change')} held for review`);
  const rejected = job.brake?.rejectedOverwrites ?? 0;
  say(
    rejected,
    `${countText(rejected, 'file')} differ from the bucket: their new content was rejected`,
  );
  const only = onlyInBucketText([job], countText);
  const back = `to bring them back: holdfast restore ${job.name} --in-place`;
  if (only !== undefined) lines.push(paint('attention', `${only}; ${back}`));
  const step = nextStep(job);
  return [
    ...lines,
    ...(step === undefined ? [] : [step]),
    ...problemLines(job.problems, problems + acknowledged, paint),
  ];
}

/**
 * Returns a heading, at most `shown` problems, and the number of further problems. `total` is the number of all
 * problems.
 */
export function problemLines(
  problems: readonly Problem[],
  total: number,
  paint: Paint,
  shown = SHOWN_PROBLEMS,
): string[] {
  if (total === 0) return [];
  const named = problems.slice(0, shown).map((problem) => `  ${problemText(problem)}`);
  const rest = total - named.length;
  const more = rest > 0 ? [`  and ${countText(rest, 'more problem')}`] : [];
  return [paint('bad', `${countText(total, 'problem')}:`), ...named, ...more];
}

function problemText({ path, code, message, acknowledged }: Problem): string {
  const note = acknowledged
    ? ` (acknowledged until ${timeText(acknowledged.until)}: ${visible(acknowledged.note)})`
    : '';
  return `${visible(path)}: ${code}: ${messageText(message)}${note}`;
}

/** Returns each distinct warning of the jobs once, preceded by the names of the jobs that have it. */
export function commonWarnings(jobs: readonly JobStatus[]): string[] {
  const named = new Map<string, string[]>();
  for (const { name, warnings } of jobs) {
    for (const warning of warnings) named.set(warning, [...(named.get(warning) ?? []), name]);
  }
  return [...named].map(([warning, names]) => `${names.join(', ')}: ${warning}`);
}
