/** Defines the types of the planner's input and output. */

import type { HeldRow } from '../model/conflict.ts';
import type { Action } from './action.ts';
import type { Hold } from '../model/hold.ts';
import type {
  BaselineEntry,
  BucketKind,
  ConflictPolicy,
  DriftPolicy,
  Head,
  LocalEntry,
} from '../model/types.ts';

export interface LocalView {
  /**
   * Local entries by key. `sha256` (lower-case hex) is present if the content was read after the entry last changed.
   */
  readonly entries: ReadonlyMap<string, LocalEntry & { readonly sha256?: string }>;
  /**
   * Folders that could not be listed completely. An entry that is missing in or below them does not count as deleted.
   */
  readonly unlisted: ReadonlySet<string>;
  readonly excludes: (key: string) => boolean;
}

export interface FoundHead extends Head {
  /** Set if the version is known only from a listing, so its metadata and checksum were not read. */
  readonly listed?: boolean;
  /**
   * Set if the object's content was compared with the file's content as far as possible. `sha256` is then the digest of
   * the object's actual content, or absent.
   */
  readonly isCompared?: boolean;
  /** Set for an older version that this job uploaded, if the bucket lost the newer version in the baseline. */
  readonly isOutdated?: boolean;
}

export type RemoteHead = FoundHead | 'absent';

/**
 * Current versions that are known to differ from the baseline. All other keys are assumed to match it. If one does not,
 * its conditional write fails.
 */
export type RemoteView = ReadonlyMap<string, RemoteHead>;

export interface PlanPolicy {
  readonly bucket: BucketKind;
  readonly conflict: ConflictPolicy;
  readonly drift: DriftPolicy;
  readonly lock?: { readonly days: number; readonly refreshDays: number };
  /**
   * Whether no full round has finished yet. Until then, an object that conflicts with a new file is held until the user
   * decides.
   */
  readonly isFirstRound: boolean;
  /** Keys that are held as conflicts since an earlier round, until the user decides. */
  readonly heldKeys: ReadonlySet<string>;
  /** The user's resolutions for held keys, with the file and the object at the time of the decision. */
  readonly answers: ReadonlyMap<string, HeldRow>;
  readonly deleteGuard: DeleteGuard;
}

export interface DeleteGuard {
  /** Number of files in the job. */
  readonly files: number;
  /** Number of deletes in the current time window before this plan. */
  readonly recentDeletes: number;
  /**
   * Number of deletes that are already held. They count too, so that a client cannot delete many small folders one at a
   * time.
   */
  readonly heldBefore: number;
  /**
   * Keys that are not counted, because the user named them or because their content is now stored under another key (a
   * rename).
   */
  readonly exempt: ReadonlySet<string>;
  /** Keys whose deletes are held regardless of the limit, because encrypted files replace their files. */
  readonly suspects?: ReadonlySet<string>;
  /**
   * Returns a delete's unit. Deletes with the same unit count as one. Returns undefined if the unit is already counted
   * in `recentDeletes`. If the function is absent, each delete counts separately.
   */
  readonly unitOf?: (key: string) => string | undefined;
}

/**
 * A key that changed on both sides. The plan has actions for `kept-both` and `took-remote`, but `held` waits for the
 * user's decision.
 */
export interface Conflict {
  readonly key: string;
  readonly entry: LocalEntry;
  readonly head: Head;
  readonly outcome: 'kept-both' | 'took-remote' | 'held';
}

/** A finding about a key that the job's status reports. */
export interface Note {
  readonly key: string;
  readonly is:
    | 'drifted'
    | 'contested'
    | 'foreign'
    | 'no longer mirrored'
    | 'delete skipped'
    | 'outdated'
    | 'outdated and deleted'
    | 'not seen';
}

export interface PlanInput {
  readonly baseline: ReadonlyMap<string, BaselineEntry>;
  readonly local: LocalView;
  readonly remote: RemoteView;
  readonly policy: PlanPolicy;
  /** Baseline rows (last synced states) with the same inodes as the new files. Absent before they are read. */
  readonly sameInode?: ReadonlyMap<number, readonly BaselineEntry[]>;
  /** Holds on the planned keys, with the user's decisions. */
  readonly holds: ReadonlyMap<string, Hold>;
  readonly now: number;
}

export interface Plan {
  /**
   * The actions to run, with deletes last. If a path changes its type, one of its two objects therefore always exists.
   */
  readonly actions: readonly Action[];
  readonly conflicts: readonly Conflict[];
  readonly notes: readonly Note[];
  /** Keys whose file and object agree, so that they need no action. */
  readonly agreed: readonly string[];
  readonly halt?: Halt;
}

/** Actions that are held for review: newly held deletes, and changes that were held before. */
export interface Halt {
  /** Whether the number of new deletes exceeds the limit. */
  readonly isMass: boolean;
  readonly held: readonly Action[];
}

/** The planner's decision about one key. */
export interface Decision {
  readonly actions?: readonly Action[];
  readonly conflict?: Conflict;
  readonly note?: Note['is'];
}
