/** Declares the options of a restore, the dependencies that its steps share, and its report. */

import type { Clock } from '../base/clock.ts';
import type { FilesInFlight } from '../base/files-in-flight.ts';
import type { Logger } from '../base/logger.ts';
import type { SyncFile } from '../base/share-syncs.ts';
import type { Excluder } from '../mirror/local/exclude.ts';
import type { SetMtime } from '../mirror/local/set-mtime.ts';
import type { SaveLocal } from '../mirror/transfer/save-version.ts';
import type { Problem } from '../mirror/model/types.ts';
import type { MetadataProof } from '../mirror/objects/applied-metadata.ts';
import type { Selection, StoredObject } from '../mirror/objects/version-listing.ts';
import type { VersionTimes } from '../mirror/objects/version-times.ts';
import type { ObjectReader, VersionReader } from '../object-store/object-store.ts';
import type { Problems } from './restore-problems.ts';
import type { RestoreFolder } from './restore-folder.ts';
import type { RestoreTable, Sample } from './restore-table.ts';
import type { WayMaker } from './set-aside.ts';
import type { TreeObjects } from './restore-targets.ts';

export interface RestoreOptions extends Selection, MetadataProof {
  readonly store: ObjectReader & VersionReader;
  /** The target folder. It is created if missing. Existing files that differ from the tree are set aside. */
  readonly to: string;
  /** The time to restore, in milliseconds since 1970 by the service's clock; absent for the current versions. */
  readonly at?: number;
  readonly datesUploadsByEnd?: boolean;
  /** Reads the upload times of versions; absent if the service preserves the dates of versions. */
  readonly times?: VersionTimes;
  /** Paths below `path`, or below the prefix: only these are restored, to their place below `to`. Absent for all. */
  readonly paths?: readonly string[];
  /** The objects to restore, instead of a listing of the bucket. Their keys start with the prefix. */
  readonly objects?: TreeObjects;
  /** Returns a hint for the user if no object is stored. Called only in that case. */
  readonly hintOfNothing?: () => string | Promise<string>;
  /**
   * The job's folder; set for a restore in place. `to` is this folder or below it, with no symbolic link in between.
   */
  readonly root?: string;
  /**
   * Stores local files of the job before they are replaced; set only together with `root`. If absent, they are moved to
   * a set-aside folder.
   */
  readonly saveLocal?: SaveLocal;
  /** Whether local files in the target folder that are not in the tree are also set aside. */
  readonly exact?: boolean;
  /** Matches the job's excluded files. They were never mirrored, so `exact` leaves them in place. */
  readonly excluder?: Excluder;
  /** Path of `to` relative to the excluder's root; empty if it is the root. */
  readonly excluderBase?: string;
  readonly onProgress?: (progress: RestoreProgress) => void;
  /** Records the files that are restored at the moment, so that the caller can show the largest one. */
  readonly inFlight?: FilesInFlight;
  /** Called for each object that could not be restored. */
  readonly onUnread?: (object: StoredObject, error: unknown) => void;
  readonly signal?: AbortSignal;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface RestoreReport {
  readonly files: number;
  /** Number of files and links that already existed with equal content. */
  readonly kept: number;
  readonly directories: number;
  readonly symlinks: number;
  /** Number of bytes downloaded. */
  readonly bytes: number;
  /** Number of files, links and folders that were in the way or not in the tree. They are now in `asideFolder`. */
  readonly aside: number;
  /** Number of local files that were stored as a version before they were replaced, because no version had them. */
  readonly saved: number;
  /** Absolute path of the folder with the entries that were set aside. */
  readonly asideFolder?: string;
  /** Objects that may differ from the versions that existed at the requested time. */
  readonly early: Sample;
  /**
   * Objects whose owner and mode bits 07000 were not applied, since no proof shows that the job uploaded their version.
   */
  readonly unproven?: Sample;
  /** Number of keys whose version at the requested time is unknown. The problems include them. */
  readonly undated: number;
  /** The first 1,000 problems: paths that were not restored, or not under their own name. */
  readonly problems: readonly Problem[];
  readonly problemCount: number;
}

export interface RunParts extends TreeFilesParts {
  /** Whether the restore created its target folder. */
  readonly isNew: boolean;
  readonly sync: SyncFile;
}

export interface RestoreProgress {
  /** Number of files and links that are restored so far. */
  readonly files: number;
  readonly bytes: number;
  /** Number of files to restore; absent until the listing is complete. */
  readonly totalFiles?: number;
  readonly totalBytes?: number;
  /** Number of paths found so far by the listing. */
  readonly listed?: number;
}

export interface TreeFilesParts {
  readonly aside: WayMaker;
  readonly restoreFolder: RestoreFolder;
  readonly table: RestoreTable;
  readonly problems: Problems;
  readonly setMtime: SetMtime;
}
