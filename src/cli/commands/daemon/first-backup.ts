/** Counts the folder of a first backup, so that the totals are known long before the scan of the job ends. */

import { errorCode } from '../../../base/errors.ts';
import type { JobStatus } from '../../../control/shapes.ts';
import type { Context } from '../../context.ts';
import type { FolderCount } from '../../output/summary.ts';

interface Counting {
  readonly signal: AbortSignal;
  /** Called with the running totals after each counted folder. */
  readonly onCount: (count: FolderCount) => void;
}

/**
 * Counts the files of a job that has stored nothing yet. This is needed because the scan of the job runs only slightly
 * ahead of its uploads. If the folder cannot be read, the count stays incomplete. The scan reports the reason.
 */
export async function countFirstBackup(
  context: Context,
  { name, folder }: JobStatus,
  { signal, onCount }: Counting,
): Promise<void> {
  const { loadConfig } = await import('../../../config/load.ts');
  const { previewFolder } = await import('../../../../daemon/offline/preview-folder.ts');
  const onScanned = (files: number, bytes: number) => onCount({ files, bytes, isComplete: false });
  try {
    const home = await context.home();
    const job = (await loadConfig(home)).jobs.find((each) => each.name === name);
    if (!job) return;
    const { exclude, cacheDirs } = job;
    const found = await previewFolder({ folder, exclude, cacheDirs, home, onScanned }, signal);
    onCount({ files: found.files + found.links, bytes: found.bytes, isComplete: true });
  } catch (error) {
    if (!signal.aborted && errorCode(error) === undefined) throw error;
  }
}
