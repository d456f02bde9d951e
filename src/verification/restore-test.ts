/**
 * Runs a restore test of limited size. It restores some small files to a temporary folder, compares them with the
 * uploaded content, and removes them. It tests large files by ranges.
 */

import { hash } from 'node:crypto';
import { createReadStream, mkdirSync, readlinkSync, rmSync } from 'node:fs';

import { defined } from '../base/defined.ts';
import { type FileInFlight, FilesInFlight } from '../base/files-in-flight.ts';
import { failureReason } from '../base/disk-error.ts';
import { silentLogger } from '../base/logger.ts';
import { digestOf } from '../mirror/local/file-content.ts';
import { statsAt } from '../mirror/local/path-exists.ts';
import { restoreTree } from '../restore/restore.ts';
import type { RestoreOptions } from '../restore/restore-options.ts';
import { NO_SHA256 } from '../mirror/state/baseline-table.ts';
import type { BaselineEntry } from '../mirror/model/types.ts';
import { damageIn } from './reread.ts';
import type { RestoreTestReport } from './proof-record.ts';
import { isReplaced, type RangeTestOptions, testRanges } from './range-test.ts';

export interface RestoreTestLimits {
  /** The maximum number of files in a test. */
  readonly files: number;
  /** The size above which a file is tested by ranges. It also limits the total size of the whole files in a test. */
  readonly wholeBytes: number;
  readonly rangeBytes: number;
  /** The maximum number of bytes that a test reads. */
  readonly bytes: number;
}

export interface RestoreTestOptions extends RangeTestOptions {
  /** The folder that the test creates and removes afterwards. Leftovers of a killed test are also removed. */
  readonly folder: string;
  readonly limits: RestoreTestLimits;
  readonly onProgress?: ReportTest;
}

export interface TestProgress {
  /** The number of files that are restored completely. */
  readonly files: number;
  readonly bytes: number;
  /** The maximum value of `bytes`. Ranges that were tested before are not read again. */
  readonly totalBytes: number;
  readonly current?: FileInFlight;
}

export type ReportTest = (progress: TestProgress) => void;

const MEBIBYTE = 1024 * 1024;
export const RESTORE_TEST_LIMITS: RestoreTestLimits = {
  files: 24,
  wholeBytes: 32 * MEBIBYTE,
  rangeBytes: 8 * MEBIBYTE,
  bytes: 64 * MEBIBYTE,
};

const FAILURES_SHOWN = 20;

/**
 * Runs a restore test with the same code as a real restore. Rejects with the errors of `restoreTree` or the signal's
 * reason.
 */
export async function runRestoreTest(
  options: RestoreTestOptions,
): Promise<Omit<RestoreTestReport, 'provenAt'>> {
  const { limits, clock, proven, state } = options;
  const sample = sampleOf(options);
  proven.largeBytes = state.baseline.bytesOfLarge(limits.wholeBytes);
  const wholeBytes = sample.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const totalBytes = Math.min(limits.bytes, wholeBytes + proven.largeBytes);
  const report = (done: Omit<TestProgress, 'totalBytes'>) =>
    options.onProgress?.({ ...done, totalBytes });
  const bytes = sample.length === 0 ? 0 : await testWhole(sample, options, report);
  const onRange = (read: number, current: FileInFlight) =>
    report({ files: sample.length, bytes: bytes + read, current });
  const ranges = await testRanges({ ...options, onRange }, limits.bytes - bytes);
  return {
    at: clock.now(),
    files: sample.length,
    bytes,
    ...(ranges.count > 0 && { ranges }),
    failures: proven.failures().slice(0, FAILURES_SHOWN),
  };
}

/** Selects the files to restore: the files whose last test failed, and random files. */
function sampleOf({ state, limits, proven }: RestoreTestOptions): readonly BaselineEntry[] {
  const sample = new Map<string, BaselineEntry>();
  let left = limits.wholeBytes;
  const again = proven.failures().flatMap(({ path }) => state.baseline.get(path) ?? []);
  for (const entry of [...again, ...state.baseline.draw(limits.files, limits.wholeBytes)]) {
    if (entry.sizeBytes > left || entry.sha256 === NO_SHA256 || sample.has(entry.path)) continue;
    left -= entry.sizeBytes;
    sample.set(entry.path, entry);
  }
  return [...sample.values()];
}

/** Restores and compares whole files. Returns the number of bytes downloaded. */
async function testWhole(
  sample: readonly BaselineEntry[],
  options: RestoreTestOptions,
  report: (done: Omit<TestProgress, 'totalBytes'>) => void,
): Promise<number> {
  const { destination, folder, clock, signal } = options;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    const objects = sample.map((entry) => ({
      key: destination.prefix + entry.path,
      sizeBytes: entry.sizeBytes,
      ...defined({ versionId: entry.versionId }),
    }));
    const unread = new Map<string, unknown>();
    const onUnread: RestoreOptions['onUnread'] = ({ key }, error) =>
      void unread.set(key.slice(destination.prefix.length), error);
    const request = { ...destination, to: folder, objects, clock, signal, logger: silentLogger };
    const inFlight = new FilesInFlight();
    const onProgress: RestoreOptions['onProgress'] = ({ files, bytes: done }) =>
      report({ files, bytes: done, ...defined({ current: inFlight.largest() }) });
    const { bytes } = await restoreTree({ ...request, onUnread, onProgress, inFlight });
    for (const entry of sample) await judgeRestored(entry, unread.get(entry.path), options);
    return bytes;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function judgeRestored(
  entry: BaselineEntry,
  error: unknown,
  options: RestoreTestOptions,
): Promise<void> {
  const { folder, state, proven, clock, onDamaged } = options;
  const reason =
    error === undefined
      ? await whyNotSame(`${folder}/${entry.path}`, entry)
      : `it cannot be read: ${failureReason(error)}`;
  // If a new version was uploaded in the meantime, the restore may have read the new version.
  if (state.baseline.get(entry.path)?.etag !== entry.etag) return;
  if (reason === undefined) return proven.passed(entry, entry.sizeBytes, clock.now());
  if (await isReplaced(entry, options)) return;
  proven.failed(entry, reason, clock.now());
  if (error === undefined || damageIn(error) !== undefined) onDamaged(entry, reason);
}

async function whyNotSame(path: string, entry: BaselineEntry): Promise<string | undefined> {
  const stats = statsAt(path);
  if (!stats) return 'it was not restored';
  const sha256 = stats.isSymbolicLink()
    ? hash('sha256', readlinkSync(path, { encoding: 'buffer' }))
    : (await digestOf(createReadStream(path))).sha256;
  return sha256 === entry.sha256 ? undefined : 'its content differs from what was stored';
}

/** Describes a restore test for the activity log. */
export function restoreTestText({ files, ranges, failures }: RestoreTestReport): string {
  const large = ranges ? `, ranges of large files compared: ${ranges.count}` : '';
  return `restore test: files restored: ${files}${large}, failed: ${failures.length}`;
}
