/** Computes what a job did between two statuses, for its progress and for the summary at the end. */

import { defined } from '../../base/defined.ts';
import type { DaemonEvent, Result } from '../../control/messages.ts';
import type { JobStatus } from '../../control/shapes.ts';
import { attentionLines, stateText } from './job-text.ts';
import type { Paint } from './output.ts';
import type { Amounts } from './progress.ts';
import { visible } from './text.ts';
import { bytesText, countText, numberText } from '../../text/amounts.ts';
import { durationText } from '../../text/time.ts';

export interface Settled extends Result<'jobs.settled'> {
  /** The status of the job when the command started to follow it. */
  readonly before: JobStatus;
}

/** A job that a command follows, with its status at the start and now. */
export interface Followed {
  /** The status of the job when the command started to follow it, and its latest status. */
  readonly before: JobStatus;
  readonly job: JobStatus;
  /** The latest event about the job's transfers. Absent before the first event. */
  readonly transfers?: TransfersEvent;
  /** The number and size of the files counted so far in a first backup. Absent for all later backups. */
  readonly count?: FolderCount;
}

export type TransfersEvent = Extract<DaemonEvent['event'], { type: 'job.transfers' }>;

/** The number and size of the files in a folder. */
export interface FolderCount {
  readonly files: number;
  readonly bytes: number;
  /** Whether the whole folder has been counted. */
  readonly isComplete: boolean;
}

/** Returns the combined progress of all followed jobs. */
export function jobProgress(followed: readonly Followed[]): {
  readonly title: string;
  readonly amounts: Amounts;
} {
  const works = followed.map((each) => workOf(each));
  const sum = (value: (work: Work) => number) =>
    works.reduce((total, work) => total + value(work), 0);
  const current = largestOf(followed);
  const amounts = { files: sum(({ files }) => files), bytes: sum(({ bytes }) => bytes) };
  const totals = works.every(({ isKnown }) => isKnown)
    ? {
        totalFiles: sum(({ totalFiles }) => totalFiles),
        totalBytes: sum((work) => work.totalBytes),
      }
    : scanOf(works, sum);
  return { title: titleOf(followed), amounts: { ...amounts, ...totals, ...defined({ current }) } };
}

/**
 * Returns the progress of the scans. The number of files to find is known only if all scanning jobs have an expected
 * number.
 */
function scanOf(
  works: readonly Work[],
  sum: (value: (work: Work) => number) => number,
): Pick<Amounts, 'scanned' | 'scan'> {
  const scanned = sum((work) => work.scanned);
  const isExpected = works.every(({ isKnown, expected }) => isKnown || expected !== undefined);
  const foundFiles = sum(({ totalFiles }) => totalFiles);
  const foundBytes = sum(({ totalBytes }) => totalBytes);
  const files = sum(({ expected = 0 }) => expected);
  return { scanned, ...(isExpected && { scan: { files, foundFiles, foundBytes } }) };
}

interface Work {
  readonly files: number;
  readonly bytes: number;
  readonly totalFiles: number;
  readonly totalBytes: number;
  readonly scanned: number;
  /** The approximate number of files that the scan will find. Absent if it is unknown, and if no scan is running. */
  readonly expected?: number;
  /** Whether the totals will not grow any more. */
  readonly isKnown: boolean;
}

function workOf(followed: Followed): Work {
  const { before, job, transfers, count } = followed;
  const { pending, pendingBytes } = job.counts;
  const files = job.counts.uploadedVersions - before.counts.uploadedVersions;
  const sent = job.counts.uploadedBytes - before.counts.uploadedBytes;
  const scanned = Math.max(transfers?.scanned ?? 0, count?.files ?? 0);
  const { expected } = transfers ?? {};
  const work = { files, bytes: sent + bytesInFlight(followed), scanned, ...defined({ expected }) };
  const [totalFiles, totalBytes] = [files + pending, sent + pendingBytes];
  if (!isScanning(followed) || !count)
    return { ...work, totalFiles, totalBytes, isKnown: !isScanning(followed) };
  return {
    ...work,
    totalFiles: Math.max(totalFiles, count.files),
    totalBytes: Math.max(totalBytes, count.bytes),
    isKnown: count.isComplete,
  };
}

/** Returns a title such as `mirroring photos`, or the state of the first job that cannot continue. */
function titleOf(now: readonly Followed[]): string {
  const busy = now.find(({ job }) => !job.inSync && !WORKING.has(job.state));
  if (busy) return `${visible(busy.job.name)}: ${busy.job.state}`;
  const [only] = now;
  return now.length === 1 && only
    ? `mirroring ${visible(only.job.name)}`
    : `mirroring ${countText(now.length, 'job')}`;
}

const WORKING: ReadonlySet<JobStatus['state']> = new Set([
  'starting',
  'scanning',
  'mirroring',
  'watching',
]);

function isScanning({ job, transfers }: Followed): boolean {
  if (job.state === 'starting') return true;
  return transfers ? transfers.scanned !== undefined : job.state === 'scanning';
}

function bytesInFlight({ job, transfers }: Followed): number {
  const progress = transfers ? transfers.progress : job.progress;
  return progress ? Math.max(0, job.counts.pendingBytes - progress.remainingBytes) : 0;
}

/**
 * Returns the largest file being transferred. If there is none, returns the largest file that is being read before its
 * upload.
 */
function largestOf(now: readonly Followed[]): Amounts['current'] {
  let largest: Amounts['current'];
  for (const { transfers } of now)
    for (const { path, kind, sentBytes: bytes, sizeBytes } of transfers?.transfers ?? [])
      if (kind !== 'delete' && (sizeBytes ?? 0) > (largest?.sizeBytes ?? 0))
        largest = { path, bytes, ...defined({ sizeBytes }) };
  for (const { transfers } of now)
    if (transfers?.reading && transfers.reading.sizeBytes > (largest?.sizeBytes ?? 0))
      largest = { ...transfers.reading, isRead: true };
  return largest;
}

/** The states in which a job backs up nothing because of an error. */
export const FAILED: ReadonlySet<JobStatus['state']> = new Set([
  'failed',
  'root missing',
  'no room',
  'clock',
]);

/**
 * Returns the state of a job, its files, bytes and duration, and how many files were sent, were unchanged, are not
 * backed up (sockets, pipes, devices) or failed. In a failed state, omits the numbers.
 */
export function summaryLines({ job, seconds, before }: Settled, paint: Paint): string[] {
  const { files, bytes, problems, skipped = 0 } = job.counts;
  const versions = job.counts.uploadedVersions - before.counts.uploadedVersions;
  const sent = job.counts.uploadedBytes - before.counts.uploadedBytes;
  const deleted = job.counts.deleted - before.counts.deleted;
  const unchanged = Math.max(0, files - versions);
  const did = [
    `${numberText(versions)} sent (${bytesText(sent)})`,
    `${numberText(unchanged)} unchanged`,
    ...(deleted > 0 ? [`${numberText(deleted)} deleted`] : []),
    ...(skipped > 0 ? [`${numberText(skipped)} skipped`] : []),
    `${numberText(problems)} failed`,
  ];
  const state = `${paint('strong', job.name)}  ${stateText(job, paint)}`;
  if (FAILED.has(job.state)) return [state];
  return [
    state,
    `  ${countText(files, 'file')}, ${bytesText(bytes)} in ${durationText(seconds * 1_000)}: ${did.join(', ')}`,
    ...attentionLines(job, paint).map((line) => `  ${line}`),
  ];
}
