/** Declares the input and output types of the planner. */

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
   * Local entries by key. `sha256` (lower-case hex) is present if the content was read since the entry last changed.
   */
  readonly entries: ReadonlyMap<string, LocalEntry & { readonly sha256?: string }>;
  /** Folders that could not be listed completely. Entries that are missing in or below them do not count as deleted. */
  readonly unlisted: ReadonlySet<string>;
  readonly excludes: (key: string) => boolean;
}

export interface FoundHead extends Head {
  /** Set if the version is only known from a listing, so that its metadata and checksum were not read. */
  readonly listed?: boolean;
  /**
   * Set if the content was compared with the file's as far as possible. `sha256` is then the digest of the actual
   * content, or absent.
   */
  readonly isCompared?: boolean;
  /** Set for an older version of this job, if the bucket lost the newer one in the baseline. */
  readonly isOutdated?: boolean;
}

export type RemoteHead = FoundHead | 'absent';

/**
 * Current versions that are known to differ from the baseline. Other keys are assumed to match it; conditional writes
 * detect if they do not.
 */
export type RemoteView = ReadonlyMap<string, RemoteHead>;

export interface PlanPolicy {
  readonly bucket: BucketKind;
  readonly conflict: ConflictPolicy;
  readonly drift: DriftPolicy;
  readonly lock?: { readonly days: number; readonly refreshDays: number };
  /**
   * Whether no full round is complete yet. Objects that conflict with new files are then held until the user decides.
   */
  readonly isFirstRound: boolean;
  /** Keys that were held as conflicts before, until the user decides. */
  readonly heldKeys: ReadonlySet<string>;
  /** The user's resolutions for held keys, with file and object as they were then. */
  readonly answers: ReadonlyMap<string, HeldRow>;
  readonly deleteGuard: DeleteGuard;
}

export interface DeleteGuard {
  /** Number of files of the job. */
  readonly files: number;
  /** Number of deletes in the time window before this plan. */
  readonly recentDeletes: number;
  /**
   * Number of deletes that are already held. They count, so that many small folders cannot be deleted one at a time.
   */
  readonly heldBefore: number;
  /** Keys that are not counted, because the user named them, or another current key has their content (a rename). */
  readonly exempt: ReadonlySet<string>;
  /** Keys that are held regardless of the limit, because encrypted files replace them. */
  readonly suspects?: ReadonlySet<string>;
  /**
   * Returns the unit of a delete. Deletes with the same unit count as one. Undefined if the unit is already counted in
   * `recentDeletes`. By default, each delete is its own unit.
   */
  readonly unitOf?: (key: string) => string | undefined;
}

/** A key that changed on both sides. `kept-both` and `took-remote` have actions; `held` awaits the user's decision. */
export interface Conflict {
  readonly key: string;
  readonly entry: LocalEntry;
  readonly head: Head;
  readonly outcome: 'kept-both' | 'took-remote' | 'held';
}

/** A finding about a key, which the job's status reports. */
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
  /** Baseline rows by inode, for the inodes of all new files. Absent: not read. */
  readonly sameInode?: ReadonlyMap<number, readonly BaselineEntry[]>;
  /** Holds of the planned keys, with the user's decisions. */
  readonly holds: ReadonlyMap<string, Hold>;
  readonly now: number;
}

export interface Plan {
  /** The actions to run, with deletes at the end: if a path changes its type, one of its two objects always exists. */
  readonly actions: readonly Action[];
  readonly conflicts: readonly Conflict[];
  readonly notes: readonly Note[];
  /** Keys that need no action. */
  readonly agreed: readonly string[];
  readonly halt?: Halt;
}

/** Actions that are held for review: newly held deletes, and changes that were held before. */
export interface Halt {
  /** Whether the number of new deletes exceeds the limit. */
  readonly isMass: boolean;
  readonly held: readonly Action[];
}

/** The decision about one key. */
export interface Decision {
  readonly actions?: readonly Action[];
  readonly conflict?: Conflict;
  readonly note?: Note['is'];
}
