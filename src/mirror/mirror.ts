/** Declares the public interface of the mirror, which backs up one folder to one destination while it is open. */

import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { ChangeMonitor } from '../object-store/change-monitor.ts';
import type { DamageMonitor } from '../object-store/damage.ts';
import type { MirrorStore } from '../object-store/mirror-store.ts';
import type { ConflictControl } from './conflicts/conflicts.ts';
import type { WriteControl } from './transfer/write-control.ts';
import type { EventQueue } from './local/tree/event-queue.ts';
import type { FolderTree } from './local/tree/folder-tree.ts';
import type { VersionTimes } from './objects/version-times.ts';
import type { Machine } from './limits/machine.ts';
import type { FreeSpace } from './limits/free-space.ts';
import type { TargetBatches } from './limits/batch-priority.ts';
import type { StateFile } from './state/state.ts';
import type { Provenance } from './objects/provenance.ts';
import type { PruningControl } from '../retention/version-pruning.ts';
import type { LockControl } from '../retention/lock-control.ts';
import type { ProblemControl } from './state/problem-report.ts';
import type { VerificationControl } from '../verification/verification.ts';
import type { MirrorStatus } from './status.ts';
import type { Activity } from './model/activity.ts';
import type { MirrorJob } from './model/types.ts';
import type { WorkControl } from './model/work-control.ts';
import type { OwnershipControl } from './ownership/ownership.ts';
import type { HeldChangesControl } from './rounds/held-review.ts';

export type { MirrorStatus } from './status.ts';

export interface MirrorOptions {
  readonly job: MirrorJob;
  readonly store: MirrorStore;
  /** Whether the store is a remote service, whose capabilities must be probed. The embedded store supports everything. */
  readonly isRemote?: boolean;
  /** Reports damaged versions of the store; absent for a service that reports none. */
  readonly damage?: DamageMonitor;
  /**
   * Reports changes of other clients in the store, but not changes that are made through `store`; absent for a service
   * that reports none.
   */
  readonly changes?: ChangeMonitor;
  /** Version of the running Holdfast release. After an update, the service's capabilities are probed again. */
  readonly release?: string;
  /** Reports power and network state for the job's run conditions; absent if unknown. */
  readonly machine?: Machine;
  /** Reports the free space of the disk with the store; absent if unknown. */
  readonly freeSpace?: FreeSpace;
  /** Coordinates all jobs with the same target; absent if this job is the only one. */
  readonly batches?: TargetBatches;
  /** Folder tree that is shared by all jobs with this folder and these rules; absent if this job is the only one. */
  readonly tree?: FolderTree;
  /** Counts the file events of all jobs of this process, for a job with its own folder tree. */
  readonly watchQueue?: EventQueue;
  /** Folder of the job's state. It is created if missing, and used by one job only. */
  readonly stateDir: string;
  /** Folders that are never mirrored: Holdfast's home, store and state. */
  readonly protectedFolders: readonly string[];
  /** Id of this installation in the ownership marker. */
  readonly hostId: string;
  /** Check value of the key that encrypts the store's objects; absent if they are not encrypted. */
  readonly keyCheck?: string;
  /** Check values of keys with which the store still reads, but no longer writes. */
  readonly earlierChecks?: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called with a changed status, at most four times per second. */
  readonly onChange: (status: MirrorStatus) => void;
  readonly onActivity: (activity: Activity) => void;
  /** Returns the number of days within which each large file is tested completely; 0 or absent for no such limit. */
  readonly provenDays?: () => number;
  /** Called when the state can no longer be read. Closing and opening the mirror again creates a new state. */
  readonly onStateDamaged?: () => void;
}

/** The objects of a mirror that are not shared with other jobs. */
export interface MirrorParts {
  readonly tree: FolderTree;
  readonly state: StateFile;
  readonly provenance: Provenance;
}

export interface Mirror {
  /** Returns the current status; after `close`, the last one. */
  status(): MirrorStatus;
  /** Starts the work. Nothing is read or written before. */
  start(): void;
  /** Scans the folder and lists the bucket. Resolves when that round is over. */
  runNow(): Promise<void>;
  /**
   * Resolves when every change made before the call is durable or reported as a problem, whether or not an event
   * announced it. Also resolves if the job cannot continue; the status contains the reason. Rejects with the signal's
   * reason.
   */
  settled(signal?: AbortSignal): Promise<void>;
  pause(): void;
  resume(): void;
  readonly heldChanges: HeldChangesControl;
  readonly ownership: OwnershipControl;
  readonly conflicts: ConflictControl;
  readonly verification: VerificationControl;
  readonly problems: ProblemControl;
  readonly locks: LockControl;
  readonly writes: WriteControl;
  readonly pruning: PruningControl;
  /**
   * Returns the reader of the versions' upload times; undefined if the service is known to preserve the dates of
   * versions.
   */
  readonly versionTimes: () => VersionTimes | undefined;
  readonly work: WorkControl;
  /** Recognises versions that the job uploaded. */
  readonly provenance: Provenance;
  /** Accepts the folder that is at the root now. Throws MirrorError `FolderMissing`. */
  acceptRoot(): void;
  /** Compares the clocks again at once, after this machine's clock or the store's time was corrected. */
  clockChanged(): void;
  /**
   * Closes the mirror. With `signal`, for a job that is being removed: aborts its unfinished uploads until the signal
   * is aborted. Returns the keys whose uploads may remain on the service.
   */
  close(signal?: AbortSignal): Promise<readonly string[]>;
}
