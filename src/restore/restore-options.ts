/** Defines a restore's options, the dependencies that its steps share, and its report. */

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
  /** The target folder. It is created if it is missing. Existing files that differ from the tree are set aside. */
  readonly to: string;
  /** The time to restore, in milliseconds since 1970 by the service's clock; absent to restore the current versions. */
  readonly at?: number;
  readonly datesUploadsByEnd?: boolean;
  /** Reads the upload times of versions; absent if the service preserves version dates. */
  readonly times?: VersionTimes;
  /**
   * Paths below `path`, or below the prefix if `path` is absent. Only these paths are restored, to their place below
   * `to`. Absent to restore everything.
   */
  readonly paths?: readonly string[];
  /** The objects to restore. If absent, the bucket is listed. Their keys start with the prefix. */
  readonly objects?: TreeObjects;
  /** Returns a hint for the user. Called only if no object is stored. */
  readonly hintOfNothing?: () => string | Promise<string>;
  /**
   * The job's folder. Present only for a restore in place; `to` is then this folder or below it, without a symbolic
   * link in between.
   */
  readonly root?: string;
  /**
   * Stores local files of the job before they are replaced. Present only together with `root`. If absent, replaced
   * files are moved to a set-aside folder.
   */
  readonly saveLocal?: SaveLocal;
  /** Whether local files in the target folder that are not in the tree are set aside too. */
  readonly exact?: boolean;
  /** Matches the job's excluded files. With `exact`, they stay in place, because they were never mirrored. */
  readonly excluder?: Excluder;
  /** Path of `to` relative to the excluder's root; empty if it is the root. */
  readonly excluderBase?: string;
  readonly onProgress?: (progress: RestoreProgress) => void;
  /** Records the files that are currently being restored, so that the caller can show the largest one. */
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
  /** Number of downloaded bytes. */
  readonly bytes: number;
  /**
   * Number of files, links and folders that were set aside in `asideFolder`, because they were in the way or not in the
   * tree.
   */
  readonly aside: number;
  /**
   * Number of local files that were stored as a version before they were replaced, because no version had their
   * content.
   */
  readonly saved: number;
  /** Absolute path of the folder that contains the set-aside entries. */
  readonly asideFolder?: string;
  /** Objects that may not be the versions that existed at the requested time. */
  readonly early: Sample;
  /**
   * Objects whose owner and mode bits 07000 were not applied, because no proof shows that the job uploaded their
   * version.
   */
  readonly unproven?: Sample;
  /** Number of keys for which the version at the requested time is unknown. The problems include these keys. */
  readonly undated: number;
  /** The first 1,000 problems: paths that were not restored, or that were restored under another name. */
  readonly problems: readonly Problem[];
  readonly problemCount: number;
}

export interface RunParts extends TreeFilesParts {
  /** Whether the restore created its target folder. */
  readonly isNew: boolean;
  readonly sync: SyncFile;
}

export interface RestoreProgress {
  /** Number of files and links that have been restored so far. */
  readonly files: number;
  readonly bytes: number;
  /** Number of files to restore; absent until the listing is complete. */
  readonly totalFiles?: number;
  readonly totalBytes?: number;
  /** Number of paths that the listing has found so far. */
  readonly listed?: number;
}

export interface TreeFilesParts {
  readonly aside: WayMaker;
  readonly restoreFolder: RestoreFolder;
  readonly table: RestoreTable;
  readonly problems: Problems;
  readonly setMtime: SetMtime;
}
