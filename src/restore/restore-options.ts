/** What a restore is asked to do, what its parts share, and what it reports. */

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
import type { Destination } from './destination.ts';
import type { RestoreTable, Sample } from './restore-table.ts';
import type { TreeObjects } from './restore-targets.ts';

export interface RestoreOptions extends Selection, MetadataProof {
  readonly store: ObjectReader & VersionReader;
  /** Made when it is missing. What stands there and differs is set aside. */
  readonly to: string;
  /** Milliseconds since 1970 by the service's clock; absent for the current versions. */
  readonly at?: number;
  readonly datesUploadsByEnd?: boolean;
  /** Absent where the service keeps the dates of versions. */
  readonly times?: VersionTimes;
  /** In place of what the bucket lists: objects below the prefix. */
  readonly objects?: TreeObjects;
  /** What the user can do where no object is stored; called then alone. */
  readonly hintOfNothing?: () => string | Promise<string>;
  /** In place: the job's folder. `to` is it or lies below it, and nothing between the two may be a link. */
  readonly root?: string;
  /** What is in the folder and not in the tree is set aside too. */
  readonly exact?: boolean;
  /** Of the job: what it leaves out was never mirrored, so that `exact` leaves it alone. */
  readonly excluder?: Excluder;
  /** Where `to` is below the excluder's root; empty where it is that. */
  readonly excluderBase?: string;
  readonly onProgress?: (progress: RestoreProgress) => void;
  /** Called for each object that could not be brought back, with the error. */
  readonly onUnread?: (object: StoredObject, error: unknown) => void;
  readonly signal?: AbortSignal;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface RestoreReport {
  readonly files: number;
  /** Files and links that were there already, equal. */
  readonly kept: number;
  readonly directories: number;
  readonly symlinks: number;
  /** Fetched. */
  readonly bytes: number;
  /** Files, links and folders that stood in the way, or were later, and lie in `asideFolder` now. */
  readonly aside: number;
  /** Absolute. */
  readonly asideFolder?: string;
  /** Objects that may not be what was there at the time that was asked for. */
  readonly early: Sample;
  /** Of which owner or mode bits 07000 were not applied, since no proof shows that the job uploaded their version. */
  readonly unproven?: Sample;
  /** How many keys it is not known of what they were at that time: they are among the problems. */
  readonly undated: number;
  /** What was not restored, or not under its own name: the first 1,000. */
  readonly problems: readonly Problem[];
  readonly problemCount: number;
}

export interface RunParts extends TreeFilesParts {
  /** Whether the folder that is restored into was not there before. */
  readonly isMade: boolean;
  readonly sync: SyncFile;
}

export interface RestoreProgress {
  /** Files and links done. */
  readonly files: number;
  readonly bytes: number;
  /** Absent until all is listed. */
  readonly totalFiles?: number;
  readonly totalBytes?: number;
  /** Paths that were found, while they are listed. */
  readonly listed?: number;
}

export interface TreeFilesParts {
  readonly destination: Destination;
  readonly table: RestoreTable;
  readonly problems: Problems;
  readonly setMtime: SetMtime;
}
