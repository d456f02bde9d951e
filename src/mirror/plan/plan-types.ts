/** Input and output types of the planner. */

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
  /** Local entries by key. `sha256` (lower-case hex) is present if the content was read since the entry last changed. */
  readonly entries: ReadonlyMap<string, LocalEntry & { readonly sha256?: string }>;
  /** Folders that could not be listed completely. Entries missing there or below are unseen, not deleted. */
  readonly unlisted: ReadonlySet<string>;
  readonly excludes: (key: string) => boolean;
}

export interface FoundHead extends Head {
  /** Known only from a listing, so its metadata and checksum were not read. */
  readonly listed?: boolean;
  /** Its content was compared with the file's as far as possible. `sha256` is of its actual content, or absent. */
  readonly isCompared?: boolean;
  /** An older version of this job: the bucket lost the newer one in the baseline. */
  readonly isOutdated?: boolean;
}

export type RemoteHead = FoundHead | 'absent';

/** Current versions known to differ from the baseline. Other keys are assumed to match it; conditional writes detect when they do not. */
export type RemoteView = ReadonlyMap<string, RemoteHead>;

export interface PlanPolicy {
  readonly bucket: BucketKind;
  readonly conflict: ConflictPolicy;
  readonly drift: DriftPolicy;
  readonly lock?: { readonly days: number; readonly refreshDays: number };
  /** Whether no full round is complete yet: objects that conflict with new files are held until the user decides. */
  readonly isFirstRound: boolean;
  /** Keys held in this way before, until the user decides. */
  readonly heldKeys: ReadonlySet<string>;
  /** The user's answers for such keys, with both sides as they were then. */
  readonly answers: ReadonlyMap<string, HeldRow>;
  readonly deleteGuard: DeleteGuard;
}

export interface DeleteGuard {
  /** Number of files of the job. */
  readonly files: number;
  /** Deletes in the rolling window before this plan. */
  readonly recentDeletes: number;
  /** Deletes already held, in this plan or not. They count, so that many small folders cannot pass one at a time. */
  readonly heldBefore: number;
  /** Keys that are not counted: the user named them, or another current key has their content (a rename). */
  readonly exempt: ReadonlySet<string>;
  /** Keys that are held regardless of the limit, because encrypted files replace them. */
  readonly suspects?: ReadonlySet<string>;
  /**
   * Deletes with the same unit count as one. Undefined if the unit is already in `recentDeletes`. By default each
   * delete is its own unit.
   */
  readonly unitOf?: (key: string) => string | undefined;
}

/** Both sides changed. `kept-both` and `took-remote` have actions; `held` awaits the user's decision. */
export interface Conflict {
  readonly key: string;
  readonly entry: LocalEntry;
  readonly head: Head;
  readonly outcome: 'kept-both' | 'took-remote' | 'held';
}

/** Finding about a key that the status reports. */
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
  /** Holds of the planned keys, with the user's decisions. */
  readonly holds: ReadonlyMap<string, Hold>;
  readonly now: number;
}

export interface Plan {
  /** Deletes come last: if a path changes its type, one of both objects always exists. */
  readonly actions: readonly Action[];
  readonly conflicts: readonly Conflict[];
  readonly notes: readonly Note[];
  /** Keys without work. */
  readonly agreed: readonly string[];
  readonly halt?: Halt;
}

/** Actions that are held for review: deletes held from now on, and changes held before. */
export interface Halt {
  /** Whether the number of new deletes is above the limit. */
  readonly isMass: boolean;
  readonly held: readonly Action[];
}

/** Decision about one key. */
export interface Decision {
  readonly actions?: readonly Action[];
  readonly conflict?: Conflict;
  readonly note?: Note['is'];
}
