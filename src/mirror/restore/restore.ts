/** The tree of a bucket's prefix, as it was at a time, written below a folder. */

import { mkdirSync, readdirSync, realpathSync } from 'node:fs';

import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { ObjectReader, VersionReader } from '../../object-store/object-store.ts';
import { MirrorError } from '../mirror-error.ts';
import { listTree, type StoredObject } from './restore-listing.ts';
import { RestoreRun } from './restore-run.ts';
import { placeKeys } from './restore-targets.ts';
import { loadSetMtime } from './set-mtime.ts';
import { loadSyncFile } from './shared-sync.ts';
import type { Problem } from '../types.ts';

export interface RestoreOptions {
  readonly store: ObjectReader & VersionReader;
  readonly bucket: string;
  /** Empty, or ends in `/`. */
  readonly prefix: string;
  /** Absent or empty; it is made. */
  readonly to: string;
  /** Milliseconds since 1970 by the service's clock; absent for the current versions. */
  readonly at?: number;
  readonly onProgress?: (progress: RestoreProgress) => void;
  readonly signal?: AbortSignal;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface RestoreProgress {
  /** Files and links done. */
  readonly files: number;
  readonly bytes: number;
  readonly totalFiles: number;
  readonly totalBytes: number;
}

export interface RestoreReport {
  readonly files: number;
  readonly directories: number;
  readonly symlinks: number;
  readonly bytes: number;
  /** What was not restored, or not under its own name. */
  readonly problems: readonly Problem[];
}

/**
 * mirror.md §7: nothing is written outside `to`, through a link, or half. What fails for one path is a
 * problem of the report; what would fail for all (no space, no connection) rejects.
 * Rejects with MirrorError `TargetNotEmpty`, StorageError, TransportError, a system error, or the
 * signal's reason.
 */
export async function restoreTree(options: RestoreOptions): Promise<RestoreReport> {
  const to = prepareTarget(options.to);
  const calls = { setMtime: await loadSetMtime(), sync: await loadSyncFile(to) };
  const objects: StoredObject[] = [];
  for await (const object of listTree(options)) objects.push(object);
  const run = new RestoreRun(options, to, placeKeys(objects, options.prefix), calls);
  const startedAt = options.clock.monotonic();
  const report = await run.run();
  const { files, bytes, problems } = report;
  const fields = { to, files, bytes, problems: problems.length };
  const ms = Math.round(options.clock.monotonic() - startedAt);
  options.logger.info({ ...fields, ms }, 'restored');
  return report;
}

function prepareTarget(to: string): string {
  mkdirSync(to, { recursive: true });
  if (readdirSync(to).length === 0) return realpathSync(to);
  throw new MirrorError(
    'TargetNotEmpty',
    `restore into ${to}: it is not empty; name a new or an empty folder`,
  );
}
