/** The public interface of the mirror, which keeps one folder in sync with one destination while it is open. */

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
   * Reports what other clients change in the store, but not changes made through `store`; absent for a service that
   * reports nothing.
   */
  readonly changes?: ChangeMonitor;
  /** Release of Holdfast: after an update the service is probed again. */
  readonly release?: string;
  /** Reports power and network state for the job's run conditions; absent if unknown. */
  readonly machine?: Machine;
  /** Free space of the disk with the store; absent if unknown. */
  readonly freeSpace?: FreeSpace;
  /** Shared by all jobs with this target; absent if this job is the only one. */
  readonly batches?: TargetBatches;
  /** Shared by all jobs with this folder and these rules; absent if this job is the only one. */
  readonly tree?: FolderTree;
  /** For a job with its own folder tree: counts the file events of all jobs of this process. */
  readonly watchQueue?: EventQueue;
  /** Created if missing. Used by one job only. */
  readonly stateDir: string;
  /** Never mirrored: Holdfast's home, store and state. */
  readonly protectedFolders: readonly string[];
  /** Identifies this installation in the ownership marker. */
  readonly hostId: string;
  /** A check value of the key that the store encrypts objects with; absent if they are stored in clear. */
  readonly keyCheck?: string;
  /** Check values of keys that the store still reads with, but no longer writes with. */
  readonly earlierChecks?: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called at most four times a second. */
  readonly onChange: (status: MirrorStatus) => void;
  readonly onActivity: (activity: Activity) => void;
  /** Number of days within which each large file is tested whole; 0 or absent for no such limit. */
  readonly provenDays?: () => number;
  /** Called when the state can no longer be read. Closing and opening the mirror again creates a new state. */
  readonly onStateDamaged?: () => void;
}

/** The parts that a mirror does not share. */
export interface MirrorParts {
  readonly tree: FolderTree;
  readonly state: StateFile;
  readonly provenance: Provenance;
}

export interface Mirror {
  /** After `close`: the last status. */
  status(): MirrorStatus;
  /** Starts the work; nothing is read or written before. */
  start(): void;
  /** Scans the folder and lists the bucket. Resolves when that round is over. */
  runNow(): Promise<void>;
  /**
   * Resolves when every change made before the call is durable or reported as a problem, whether or not an event
   * announced it. Also resolves if the job cannot continue: the status says why. Rejects with the signal's reason.
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
  /** Times of the versions at the destination; undefined if the service is known to keep the dates of versions. */
  readonly versionTimes: () => VersionTimes | undefined;
  readonly work: WorkControl;
  /** Recognises the job's own versions. */
  readonly provenance: Provenance;
  /** Accepts the folder that is at the root now. Throws MirrorError `FolderMissing`. */
  acceptRoot(): void;
  /** Compares the clocks again at once, after this machine's clock or the store's time was corrected. */
  clockChanged(): void;
  /**
   * With `signal`, for a job that is being removed: aborts its unfinished uploads until the signal fires. Returns the
   * keys whose uploads may remain on the service.
   */
  close(signal?: AbortSignal): Promise<readonly string[]>;
}
