/** The door of the mirror: one folder kept in one place of a bucket, for as long as it is open. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Clock } from '../base/clock.ts';
import type { PassedDeletes } from './guard/held-deletes.ts';
import type { Claimant, FoundClaim } from './objects/ownership-marker.ts';
import { defined } from '../base/defined.ts';
import { isDamagedDatabase } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { ChangeMonitor } from '../object-store/change-monitor.ts';
import type { DamageMonitor } from '../object-store/damage.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import type { ConflictControl } from './conflicts/conflicts.ts';
import type { WriteControl } from './transfer/write-control.ts';
import type { FolderTree } from './local/folder-tree.ts';
import { openFolderTree } from './local/folder-trees.ts';
import { rememberMounts } from './state/remembered-mounts.ts';
import type { VersionTimes } from './objects/version-times.ts';
import { FolderMirror } from './job.ts';
import type { Machine } from './limits/machine.ts';
import type { Room } from './limits/free-space.ts';
import type { TargetTurns } from './limits/turns.ts';
import type { HeldChangesPage } from './state/held-changes.ts';
import { finishRebuild, isEmptied, replaceState } from './state/rebuild-state.ts';
import { openStateFile, STATE_FILE, type StateFile } from './state/state.ts';
import { provenanceKey } from './objects/provenance-key.ts';
import { Provenance } from './objects/provenance.ts';
import type { KeepControl } from '../retention/version-pruning.ts';
import type { LockControl } from '../retention/lock-control.ts';
import type { ProblemControl } from './state/problem-report.ts';
import type { ProofControl } from '../verification/verification.ts';
import type { MirrorStatus } from './status.ts';
import type { Activity } from './model/activity.ts';
import type { MirrorJob } from './model/types.ts';
import type { WorkControl } from './model/work-control.ts';

export type { MirrorStatus } from './status.ts';

export interface MirrorOptions {
  readonly job: MirrorJob;
  readonly store: ObjectStore;
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
  readonly room?: Room;
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
  readonly brake: BrakeControl;
  readonly claim: ClaimControl;
  readonly conflicts: ConflictControl;
  readonly proof: ProofControl;
  readonly problems: ProblemControl;
  readonly locks: LockControl;
  readonly writes: WriteControl;
  readonly keep: KeepControl;
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

/** The job's claim to its place in the bucket. */
export interface ClaimControl {
  /** Whoever has it, this job has it from now on, and tries again at once. Returns whose it was, if another's. */
  takeOver(signal: AbortSignal): Promise<FoundClaim | undefined>;
  /** As whom it claims; also after `close`. */
  claimant(): Claimant;
}

/** What the brake holds, and what the user says of it. */
export interface BrakeControl {
  /** Up to `limit` changes after the path `after`. */
  review(page: { readonly after?: string; readonly limit: number }): HeldReview;
  /**
   * What is held now will be done in the bucket, by a full round that begins at once. Throws MirrorError `HeldChanged`
   * when it is not what has this digest.
   */
  approve(digest?: string): DecidedChanges;
  /** What is held now stays as it is in the bucket: deleted files are no longer this job's, others differ from then on. */
  reject(): DecidedChanges;
}

export interface HeldReview extends HeldChangesPage {
  /** Present while there are signs of an attack that encrypts files. */
  readonly signs?: {
    /** When the first file lost its content, milliseconds since 1970: before that the tree was good. */
    readonly since: number;
    readonly reason: string;
  };
  /** How many deletes are held, and why; present while any is. */
  readonly reason?: string;
  /** Present while deletes are held. */
  readonly passed?: PassedDeletes;
}

export interface DecidedChanges {
  readonly deletes: number;
  readonly overwrites: number;
  readonly renames: number;
}

/** Throws MirrorError `RootProtected`, `FolderMissing` or `StateUnusable`. */
export async function openMirror(options: MirrorOptions): Promise<Mirror> {
  const { stateDir } = options;
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  const path = join(stateDir, STATE_FILE);
  finishRebuild(path);
  try {
    if (!isEmptied(path)) return openWith(options, openStateFile(path));
  } catch (error) {
    if (!isDamagedDatabase(error)) throw error;
  }
  replaceState(options);
  return openWith(options, openStateFile(path));
}

function openWith(options: MirrorOptions, state: StateFile): Mirror {
  try {
    const key = provenanceKey(options.stateDir, options.clock.now());
    const provenance = new Provenance(key, state);
    const tree = options.tree ?? ownTree(options, state);
    const mirror = new FolderMirror(options, { tree, state, provenance });
    state.whenDamaged(() => options.onStateDamaged?.());
    return mirror;
  } catch (error) {
    state.close();
    throw error;
  }
}

function ownTree(
  { job, stateDir, protectedFolders, clock, logger }: MirrorOptions,
  state: StateFile,
): FolderTree {
  return openFolderTree({
    job,
    protectedFolders: [...protectedFolders, stateDir],
    clock,
    logger,
    ...defined({ mounts: job.oneFileSystem === false ? rememberMounts(state) : undefined }),
  });
}
