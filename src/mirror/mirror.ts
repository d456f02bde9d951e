/** The door of the mirror: one folder kept in one place of a bucket, for as long as it is open. */

import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { ChangeMonitor } from '../object-store/change-monitor.ts';
import type { DamageMonitor } from '../object-store/damage.ts';
import type { MirrorStore } from '../object-store/mirror-store.ts';
import type { ConflictControl } from './conflicts/conflicts.ts';
import type { WriteControl } from './transfer/write-control.ts';
import type { FolderTree } from './local/tree/folder-tree.ts';
import type { VersionTimes } from './objects/version-times.ts';
import type { Machine } from './limits/machine.ts';
import type { FreeSpace } from './limits/free-space.ts';
import type { TargetTurns } from './limits/turns.ts';
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
  /** Whether the store is a service that has to be asked what it honours; the embedded one honours all. */
  readonly isRemote?: boolean;
  /** Reports damaged versions of the store; absent for a service that reports none. */
  readonly damage?: DamageMonitor;
  /** Reports what other clients change in the store, but not what is changed through `store`; absent for a service that reports nothing. */
  readonly changes?: ChangeMonitor;
  /** Of Holdfast: after another one the service is asked again. */
  readonly release?: string;
  /** Asked where the job is to spare power or network; absent: nothing is told of them. */
  readonly machine?: Machine;
  /** Of the disk that the store is on; absent where that is not known. */
  readonly room?: FreeSpace;
  /** Of all jobs with this target; absent: it has it for itself. */
  readonly turns?: TargetTurns;
  /** Of all jobs with this folder and these rules; absent: it has it for itself. */
  readonly tree?: FolderTree;
  /** Made when missing. One job's alone. */
  readonly stateDir: string;
  /** Never mirrored: Holdfast's home, store and state. */
  readonly protectedFolders: readonly string[];
  /** Names this installation in the claim. */
  readonly hostId: string;
  /** Tells the key that the store encrypts objects under from others; absent: they are in clear. */
  readonly keyCheck?: string;
  /** The same of keys that it reads with, and no longer writes with. */
  readonly earlierChecks?: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
  /** At most four times a second. */
  readonly onChange: (status: MirrorStatus) => void;
  readonly onActivity: (activity: Activity) => void;
  /** Large files are tested whole within so many days; 0 or absent: no such time. */
  readonly provenDays?: () => number;
  /** The state cannot be read any more: once closed and opened again, the mirror has a new one. */
  readonly onStateDamaged?: () => void;
}

/** What a mirror has for itself. */
export interface MirrorParts {
  readonly tree: FolderTree;
  readonly state: StateFile;
  readonly provenance: Provenance;
}

export interface Mirror {
  /** After `close`: how the job stood then. */
  status(): MirrorStatus;
  /** Begins to work; before, nothing is read or written. */
  start(): void;
  /** Has everything looked at, the bucket's listing too. Resolves when that round is over. */
  runNow(): Promise<void>;
  /**
   * Resolves when all that was changed before the call is durable or a named problem, whether a watch saw
   * it or not; or when the job cannot go on: its status says why. Rejects with the signal's reason.
   */
  settled(signal?: AbortSignal): Promise<void>;
  pause(): void;
  resume(): void;
  readonly brake: HeldChangesControl;
  readonly claim: OwnershipControl;
  readonly conflicts: ConflictControl;
  readonly proof: VerificationControl;
  readonly problems: ProblemControl;
  readonly locks: LockControl;
  readonly writes: WriteControl;
  readonly keep: PruningControl;
  /** Of the versions of its place; undefined where it is known that the service keeps the dates of versions. */
  readonly versionTimes: () => VersionTimes | undefined;
  readonly work: WorkControl;
  /** Recognises the job's own versions. */
  readonly provenance: Provenance;
  /** The folder that is at the root now is mirrored from here on. Throws MirrorError `FolderMissing`. */
  acceptRoot(): void;
  /** The clock of this machine or the time of the store was corrected: both are compared again at once. */
  clockChanged(): void;
  /**
   * With `signal`, of a job that ends here: aborts its unfinished uploads until then. Returns the keys of uploads that may
   * remain at the service.
   */
  close(signal?: AbortSignal): Promise<readonly string[]>;
}
