/** The options of a restore, the parts that its steps share, and its report. */

import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { SyncFile } from '../base/share-syncs.ts';
import type { Excluder } from '../mirror/local/exclude.ts';
import type { SetMtime } from '../mirror/local/set-mtime.ts';
import type { Problem } from '../mirror/model/types.ts';
import type { MetadataProof } from '../mirror/objects/applied-metadata.ts';
import type { Selection, StoredObject } from '../mirror/objects/version-listing.ts';
import type { VersionTimes } from '../mirror/objects/version-times.ts';
import type { ObjectReader, VersionReader } from '../object-store/object-store.ts';
import type { Problems } from './restore-problems.ts';
import type { RestoreFolder } from './restore-folder.ts';
import type { RestoreTable, Sample } from './restore-table.ts';
import type { TreeObjects } from './restore-targets.ts';

export interface RestoreOptions extends Selection, MetadataProof {
  readonly store: ObjectReader & VersionReader;
  /** Created if it is missing. Existing files that differ are set aside. */
  readonly to: string;
  /** In milliseconds since 1970 by the service's clock; absent for the current versions. */
  readonly at?: number;
  readonly datesUploadsByEnd?: boolean;
  /** Absent if the service preserves the dates of versions. */
  readonly times?: VersionTimes;
  /** Objects below the prefix to restore instead of the bucket's listing. */
  readonly objects?: TreeObjects;
  /** Returns what the user can do if no object is stored. Called only in that case. */
  readonly hintOfNothing?: () => string | Promise<string>;
  /**
   * Set for a restore in place: the job's folder. `to` is this folder or below it, without a symbolic link in between.
   */
  readonly root?: string;
  /** Whether files in the folder that are not in the tree are set aside, too. */
  readonly exact?: boolean;
  /** The job's excluder. Excluded files were never mirrored, so `exact` leaves them in place. */
  readonly excluder?: Excluder;
  /** Path of `to` below the excluder's root; empty if it is the root. */
  readonly excluderBase?: string;
  readonly onProgress?: (progress: RestoreProgress) => void;
  /** Called with the error for each object that could not be restored. */
  readonly onUnread?: (object: StoredObject, error: unknown) => void;
  readonly signal?: AbortSignal;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface RestoreReport {
  readonly files: number;
  /** Files and links that already existed with equal content. */
  readonly kept: number;
  readonly directories: number;
  readonly symlinks: number;
  /** Bytes downloaded. */
  readonly bytes: number;
  /** Files, links and folders that were in the way or not in the tree. They are now in `asideFolder`. */
  readonly aside: number;
  /** An absolute path. */
  readonly asideFolder?: string;
  /** Objects that may not be what existed at the requested time. */
  readonly early: Sample;
  /**
   * Objects whose owner or mode bits 07000 were not applied, since no proof shows that the job uploaded their version.
   */
  readonly unproven?: Sample;
  /** Number of keys whose version at that time is not known. They are among the problems. */
  readonly undated: number;
  /** What was not restored, or not under its own name: the first 1,000. */
  readonly problems: readonly Problem[];
  readonly problemCount: number;
}

export interface RunParts extends TreeFilesParts {
  /** Whether the restore created the folder that is restored into. */
  readonly isNew: boolean;
  readonly sync: SyncFile;
}

export interface RestoreProgress {
  /** Files and links done. */
  readonly files: number;
  readonly bytes: number;
  /** Absent until the listing is complete. */
  readonly totalFiles?: number;
  readonly totalBytes?: number;
  /** Paths found so far during the listing. */
  readonly listed?: number;
}

export interface TreeFilesParts {
  readonly restoreFolder: RestoreFolder;
  readonly table: RestoreTable;
  readonly problems: Problems;
  readonly setMtime: SetMtime;
}
