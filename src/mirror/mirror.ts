/** Defines the public interface of a mirror. An open mirror keeps one folder in sync with one destination. */

import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { ChangeMonitor } from '../object-store/change-monitor.ts';
import type { DamageMonitor } from '../object-store/damage.ts';
import type { MirrorStore } from '../object-store/mirror-store.ts';
import type { ConflictControl } from './conflicts/conflicts.ts';
import type { WriteControl } from './transfer/write-control.ts';
import type { OverflowDetector } from './local/tree/overflow-detector.ts';
import type { FolderTree } from './local/tree/folder-tree.ts';
import type { VersionTimes } from './objects/version-times.ts';
import type { Machine } from './limits/machine.ts';
import type { FreeSpace } from './limits/free-space.ts';
import type { TargetTurns } from './limits/job-priority.ts';
import type { StateFile } from './state/state-file.ts';
import type { Provenance } from './objects/provenance.ts';
import type { PruningControl } from '../retention/version-pruning.ts';
import type { LockControl } from '../retention/lock-control.ts';
import type { ProblemControl } from './state/problem-report.ts';
import type { VerificationControl } from '../verification/verification.ts';
import type { MirrorStatus } from './status.ts';
import type { Activity } from './model/tracker.ts';
import type { MirrorJob } from './model/types.ts';
import type { WorkControl } from './model/work-control.ts';
import type { OwnershipControl } from './ownership/ownership.ts';
import type { HeldChangesControl } from './rounds/held-review.ts';

export type { MirrorStatus } from './status.ts';

export interface MirrorOptions {
  readonly job: MirrorJob;
  readonly store: MirrorStore;
  /**
   * Whether the store is a remote service whose capabilities must be probed. The embedded store supports everything.
   */
  readonly isRemote?: boolean;
  /** Reports damaged versions in the store; absent if the service does not report any. */
  readonly damage?: DamageMonitor;
  /**
   * Reports changes that other clients make in the store, but not changes made through `store`. Absent if the
   * service does not report changes.
   */
  readonly changes?: ChangeMonitor;
  /** Version of Holdfast. After an update, the job probes the service's capabilities again. */
  readonly release?: string;
  /** Reports power and network state for the job's run conditions; absent if they are unknown. */
  readonly machine?: Machine;
  /** Checks the free space on the store's disk; absent if that disk is unknown. */
  readonly freeSpace?: FreeSpace;
  /** Priorities that all jobs with this target share. Absent if this job is the only one. */
  readonly turns?: TargetTurns;
  /** Folder tree that all jobs with the same folder and exclusion rules share. Absent if this job is the only one. */
  readonly tree?: FolderTree;
  /** Counts the file events of all jobs in this process. Used only by a job with its own folder tree. */
  readonly overflows?: OverflowDetector;
  /** Directory for the job's state. It is created if it is missing, and no other job uses it. */
  readonly stateDir: string;
  /** Folders that are never mirrored: Holdfast's home, its store and its state. */
  readonly protectedFolders: readonly string[];
  /** Identifies this installation in the ownership marker. */
  readonly hostId: string;
  /** Check value of the key that encrypts the store's objects; absent if objects are not encrypted. */
  readonly keyCheck?: string;
  /** Check values of earlier encryption keys. The store uses these keys only to decrypt. */
  readonly earlierChecks?: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called with each new status, at most four times a second. */
  readonly onChange: (status: MirrorStatus) => void;
  readonly onActivity: (activity: Activity) => void;
  /**
   * Number of days within which restore tests read each large file completely. If it is 0 or absent, the tests have no
   * deadline.
   */
  readonly provenDays?: () => number;
  /**
   * Called when the job's state can no longer be read. To create a new state, the caller closes and reopens the mirror.
   */
  readonly onStateDamaged?: () => void;
}

/** Parts of a mirror that `openMirror` creates first. */
export interface MirrorParts {
  readonly tree: FolderTree;
  readonly state: StateFile;
  readonly provenance: Provenance;
}

export interface Mirror {
  /** Returns the current status; after `close`, the last one. */
  status(): MirrorStatus;
  /** Starts mirroring. The mirror changes no file and no object before this call. */
  start(): void;
  /** Runs a full round, which scans the folder and lists the bucket. Resolves when the round is over. */
  runNow(): Promise<void>;
  /**
   * Resolves when every change from before the call is durable or reported as a problem, even if no file event
   * announced it. Also resolves if the job cannot continue; the status then contains the reason. Rejects with the
   * signal's reason when aborted.
   */
  settled(signal?: AbortSignal): Promise<void>;
  /** Pauses the job. The status contains the reason. */
  pause(reason?: string): void;
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
   * Returns the upload times of the versions at the destination. Undefined if the service never changes version dates,
   * so that LastModified is reliable.
   */
  readonly versionTimes: () => VersionTimes | undefined;
  readonly work: WorkControl;
  /** Recognises versions that this job uploaded. */
  readonly provenance: Provenance;
  /**
   * Accepts the folder that is now at the root path as the job's folder. Throws MirrorError `FolderMissing` if that
   * path is not a folder.
   */
  acceptRoot(): void;
  /**
   * Compares this machine's clock with the service's clock again at once. Called after one of the clocks was corrected.
   */
  clockChanged(): void;
  /**
   * Closes the mirror. For a job that is being removed, pass `signal`: unfinished multipart uploads are then aborted
   * until the signal fires. Returns the keys whose uploads may remain on the service.
   */
  close(signal?: AbortSignal): Promise<readonly string[]>;
}
