/** Computes what a job did between two statuses, for its progress and for the summary at the end. */

import type { Result } from '../../control/messages.ts';
import type { JobStatus } from '../../control/shapes.ts';
import { attentionLines, stateText } from './job-text.ts';
import type { Paint } from './output.ts';
import type { Amounts } from './progress.ts';
import { bytesText, countText } from '../../text/amounts.ts';
import { durationText } from '../../text/time.ts';

export interface Settled extends Result<'jobs.settled'> {
  /** The status of the job when the command began to follow it. */
  readonly before: JobStatus;
}

/** Returns the progress of all followed jobs together. The title is the state of the first one that is not in sync. */
export function jobProgress(
  before: readonly JobStatus[],
  now: readonly JobStatus[],
): { readonly title: string; readonly amounts: Amounts } {
  const sum = (jobs: readonly JobStatus[], value: (job: JobStatus) => number) =>
    jobs.reduce((total, job) => total + value(job), 0);
  const busy = now.find((job) => !job.inSync) ?? now[0];
  const title = busy?.state ?? 'mirroring';
  if (title === 'starting' || title === 'scanning') {
    const files = sum(now, ({ counts }) => counts.files);
    return { title, amounts: { files, bytes: sum(now, ({ counts }) => counts.bytes) } };
  }
  const grown = (value: (job: JobStatus) => number) => sum(now, value) - sum(before, value);
  const files = grown(({ counts }) => counts.uploadedVersions);
  const sent = grown(({ counts }) => counts.uploadedBytes);
  const underWay = sum(now, ({ counts: { pendingBytes }, progress }) =>
    progress ? Math.max(0, pendingBytes - progress.remainingBytes) : 0,
  );
  const bytes = sent + underWay;
  const totalFiles = files + sum(now, ({ counts }) => counts.pending);
  const totalBytes = sent + sum(now, ({ counts }) => counts.pendingBytes);
  const isGrowing = now.some(({ progress }) => progress && progress.etaMs === undefined);
  return { title, amounts: { files, bytes, totalFiles, totalBytes, isGrowing } };
}

/** The states in which a job backs up nothing because of an error. */
export const FAILED: ReadonlySet<JobStatus['state']> = new Set([
  'failed',
  'root missing',
  'no room',
  'clock',
]);

/**
 * Returns the state of a job, then its files, bytes, duration, new versions and problems. Omits them in a failed state.
 */
export function summaryLines({ job, seconds, before }: Settled, paint: Paint): string[] {
  const { files, bytes, problems } = job.counts;
  const versions = job.counts.uploadedVersions - before.counts.uploadedVersions;
  const sent = job.counts.uploadedBytes - before.counts.uploadedBytes;
  const deleted = job.counts.deleted - before.counts.deleted;
  const did = [
    `${countText(versions, 'version')} created (${bytesText(sent)})`,
    ...(deleted > 0 ? [`${countText(deleted, 'delete marker')} created`] : []),
    problems === 0 ? 'no problems' : countText(problems, 'problem'),
  ];
  const state = `${paint('strong', job.name)}  ${stateText(job, paint)}`;
  if (FAILED.has(job.state)) return [state];
  return [
    state,
    `  ${countText(files, 'file')}, ${bytesText(bytes)} in ${durationText(seconds * 1_000)}: ${did.join(', ')}`,
    ...attentionLines(job, paint).map((line) => `  ${line}`),
  ];
}
