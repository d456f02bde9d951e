/** The tree of a bucket's prefix, as it was at a time, written below a folder. */

import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { ObjectReader, VersionReader } from '../object-store/object-store.ts';
import type { Problem } from './types.ts';

export interface RestoreOptions {
  readonly store: ObjectReader & VersionReader;
  readonly bucket: string;
  /** Empty, or ends in `/`. */
  readonly prefix: string;
  /** Absent or empty folder, which is made. */
  readonly to: string;
  /** Milliseconds since 1970 by the service's clock; absent for the current versions. */
  readonly at?: number;
  readonly onProgress?: (progress: RestoreProgress) => void;
  readonly signal?: AbortSignal;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface RestoreProgress {
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

export declare function restoreTree(options: RestoreOptions): Promise<RestoreReport>;
