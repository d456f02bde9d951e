/** Formats a job's folder, destination and state as text, and selects the colours for the state. */

import { exceptionsOf, isWhollyInSync, standingText } from '../../../src/control/job-standing.ts';
import type { JobStatus } from '../../../src/control/shapes.ts';
import { lastSeenText } from '../../data/last-seen.ts';
import type { Ui } from '../../ui/ui.ts';
import { countText, numberText } from '../../../src/text/amounts.ts';
import { shortPath } from '../../text/home-path.ts';
import type { Tone } from '../../theme/look.ts';

/** The states in which a job cannot continue without the user. */
const STUCK: ReadonlySet<JobStatus['state']> = new Set([
  'root missing',
  'clock',
  'no room',
  'failed',
]);

export function stateTone(job: JobStatus): Tone {
  const { state, inSync } = job;
  if (STUCK.has(state)) return 'bad';
  if (state === 'held' || state === 'paused' || state === 'waiting') return 'attention';
  if (state === 'stopped') return 'dim';
  if (!inSync) return 'accent';
  return isWhollyInSync(job) ? 'good' : 'attention';
}

/** Returns the text of a state for a narrow column. While the daemon is down, it is the last known state. */
export function wasText(text: string, ui: Ui): string {
  return lastSeenText(ui) === undefined ? text : `was ${text}`;
}

export function protectionTone({ protection }: JobStatus): Tone {
  if (protection.is === 'at risk') return 'bad';
  return protection.is === 'unknown' ? 'attention' : 'good';
}

/** Returns a number for sorting: jobs that need the user come first, then active jobs, then idle jobs. */
export function troubleOf({ state, counts, inSync }: JobStatus): number {
  if (STUCK.has(state)) return 0;
  if (state === 'held' || counts.held > 0) return 1;
  if (counts.problems + counts.conflicts > 0) return 2;
  if (state === 'waiting' || state === 'paused') return 3;
  return inSync ? 5 : 4;
}

/** Returns the mark `!` for a job that needs attention. A job in any state may need attention. */
export function attentionSign(job: JobStatus): string | undefined {
  return troubleOf(job) <= 2 ? '!' : undefined;
}

/** Returns the destination of a job, such as `eu/photos/laptop/`. The text must be escaped before it is drawn. */
export function placeText({ target, bucket, prefix }: JobStatus): string {
  return `${target}/${bucket}${prefix === '' ? '' : `/${prefix}`}`;
}

/** Returns the folder and destination of a job, such as `~/Photos → eu/photos`. The text is safe to draw. */
export function routeText(job: JobStatus, ui: Ui): string {
  const { look } = ui;
  const folder = look.name(shortPath(job.folder, ui.outside.userHome));
  return `${folder} ${look.glyphs.arrow} ${look.name(placeText(job))}`;
}

/**
 * Returns why the job makes no progress in at most `cells` cells, or undefined while the job works or is idle. With
 * `canReview`, names the key that reviews held changes.
 */
export function standstillText(
  job: JobStatus,
  canReview: boolean,
  cells = Infinity,
): string | undefined {
  const { state, reason, counts, brake } = job;
  // Normally only the number of held changes and the review key fit here, and the reason is shown beside them. A
  // possible attack is shown in full.
  const isAttack = brake?.alarmSince !== undefined;
  if (state === 'held' && !isAttack && counts.held > 0)
    return `${numberText(counts.held)} held${canReview ? ' (a)' : ''}`;
  if (state === 'held' || STUCK.has(state)) return reason;
  if (state === 'waiting' || state === 'stopped' || state === 'paused') return reason;
  const exception = exceptionText(job);
  const isLong = exception !== undefined && exception.length > cells;
  return isLong ? exceptionsOf(job, countText).join(', ') : exception;
}

/** Returns the exceptions of an idle job, such as `in sync except for 3 conflicts`. */
export function exceptionText(job: JobStatus): string | undefined {
  const isExcepted = job.state === 'watching' && exceptionsOf(job, countText).length > 0;
  return isExcepted ? standingText(job, countText) : undefined;
}

/** Returns how the user can resolve the job's state. */
export function wayOut({ state, counts, brake }: JobStatus): string | undefined {
  if (brake?.alarmSince !== undefined || state === 'held') {
    return 'press a to review and approve, z to reject';
  }
  if (state === 'root missing')
    return 'press A to accept the present folder, if it is the right one';
  if (state === 'paused') return 'press p to resume it';
  if (counts.conflicts > 0) return 'press 4 to resolve the conflicts';
  if (state === 'failed')
    return 'it retries automatically; press R to retry now, e to edit the job';
  if (counts.problems > 0) return 'press Enter: the queue lists each problem';
  if (counts.drifted > 0) return 'press Enter: the queue lists each object that drifted';
  if (brake?.rejectedDeletes !== undefined)
    return 'press t, then F, to restore the files that are only in the bucket';
  return undefined;
}
