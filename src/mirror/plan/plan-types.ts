/** The planner's question and its answer. */

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
  /** `sha256`, lower-case hex, where the content was read since the entry last changed. */
  readonly entries: ReadonlyMap<string, LocalEntry & { readonly sha256?: string }>;
  /** Folders that could not be listed whole: what is missing there or below was not seen, not deleted. */
  readonly unlisted: ReadonlySet<string>;
  readonly excludes: (key: string) => boolean;
}

export interface FoundHead extends Head {
  /** A listing showed it: its metadata, and so its checksum, was not read. */
  readonly listed?: boolean;
  /** Its content was compared with the file's as far as possible: `sha256` is of its bytes, or absent. */
  readonly isCompared?: boolean;
  /** An older version of the job itself: the bucket lost the newer one that the baseline tells of. */
  readonly isOutdated?: boolean;
}

export type RemoteHead = FoundHead | 'absent';

/** Heads known to differ from the baseline. A key not in it is assumed to be as the baseline says; guards tell. */
export type RemoteView = ReadonlyMap<string, RemoteHead>;

export interface PlanPolicy {
  readonly bucket: BucketKind;
  readonly conflict: ConflictPolicy;
  readonly drift: DriftPolicy;
  readonly lock?: { readonly days: number; readonly refreshDays: number };
  /** The job's first look at this bucket: objects in the way of new files are held for the user. */
  readonly firstContact: boolean;
  /** Keys so held before, until the user decides. */
  readonly heldKeys: ReadonlySet<string>;
  /** What the user decided of such keys, with both sides as they were then. */
  readonly wishes: ReadonlyMap<string, HeldRow>;
  readonly brake: DeleteGuard;
}

export interface DeleteGuard {
  /** Files of the job. */
  readonly files: number;
  /** Deletes done in the rolling window before this plan. */
  readonly recentDeletes: number;
  /** Deletes that are held already, in this plan or not: they count, so that nothing passes one folder at a time. */
  readonly heldBefore: number;
  /** Keys that are not counted: the user named them, or their content is under another current key (a rename). */
  readonly exempt: ReadonlySet<string>;
  /** Keys that are held whatever their number: encrypted files stand in their place. */
  readonly suspects?: ReadonlySet<string>;
  /** What a delete counts as, together with others; undefined where that is in `recentDeletes`. By default it is one. */
  readonly unitOf?: (key: string) => string | undefined;
}

/** Both sides changed: `kept-both` and `took-remote` are among the actions, `held` waits for the user. */
export interface Conflict {
  readonly key: string;
  readonly entry: LocalEntry;
  readonly head: Head;
  readonly outcome: 'kept-both' | 'took-remote' | 'held';
}

/** Nothing is done, and it is said. */
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
  /** Of the keys at hand: what is held, and what the user decided of it. */
  readonly holds: ReadonlyMap<string, Hold>;
  readonly now: number;
}

export interface Plan {
  /** Deletes come last, so that a change of type never leaves neither. */
  readonly actions: readonly Action[];
  readonly conflicts: readonly Conflict[];
  readonly notes: readonly Note[];
  /** Keys with nothing to do. */
  readonly agreed: readonly string[];
  readonly halt?: Halt;
}

/** Actions that wait for the user: deletes that are held from now on, and changes that were held before. */
export interface Halt {
  /** Whether the number of new deletes is above the limit. */
  readonly isMass: boolean;
  readonly held: readonly Action[];
}

/** About one key. */
export interface Decision {
  readonly actions?: readonly Action[];
  readonly conflict?: Conflict;
  readonly note?: Note['is'];
}
