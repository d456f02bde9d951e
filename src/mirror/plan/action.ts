/** What the planner may ask for: a closed union of small records, each with what it expects of the head. */

import type { ConflictEntry, ReplacedContent, Resolution } from '../model/conflict.ts';
import type { Head, LocalEntry, Problem } from '../model/types.ts';

/** What a write expects of the current version: one ETag, or that there is none. */
export type WriteCondition = { readonly ifMatch: string } | { readonly ifNoneMatch: '*' };

export interface PutAction {
  readonly kind: 'put';
  readonly key: string;
  readonly entry: LocalEntry;
  readonly guard: WriteCondition;
  readonly why: 'new' | 'changed' | 'missing' | 'conflict' | 'drifted';
  /** Whether the version is to carry the job's retention. */
  readonly lock: boolean;
  /** A version of someone else that this put covers: recorded, so that it can be found again. */
  readonly supersedes?: Head & ReplacedContent;
  /** Id of the user's approval, where this overwrite was held. */
  readonly approval?: string;
}

export interface DeleteAction {
  readonly kind: 'delete';
  readonly key: string;
  readonly guard: { readonly ifMatch: string };
  /** Id of the user's approval, where this delete was held. */
  readonly approval?: string;
}

export type Action =
  | PutAction
  | DeleteAction
  /** Too little is known to decide: read the head, hash the file, or both, then plan this key again. */
  | {
      readonly kind: 'examine';
      readonly key: string;
      readonly entry?: LocalEntry;
      readonly readHead: boolean;
      readonly hashFile: boolean;
      /** Another client wrote an object of the file's size: their contents are compared. */
      readonly comparesContent?: true;
      /** The mass-change guard counted this delete before: planned again, it is not counted twice. */
      readonly isWeighed?: true;
    }
  /** Both sides hold the same bytes: only the baseline is written. */
  | {
      readonly kind: 'adopt';
      readonly key: string;
      readonly entry: LocalEntry;
      readonly sha256: string;
      readonly head: Head;
    }
  | { readonly kind: 'drop-baseline'; readonly key: string }
  /** The head is gone, but the version of the baseline is not: copied on the service, or put again. */
  | {
      readonly kind: 'copy-version-to-head';
      readonly key: string;
      readonly versionId: string;
      readonly otherwise: PutAction;
    }
  /** Bytes that the bucket would not keep by itself are copied aside first. */
  | {
      readonly kind: 'save-head';
      readonly key: string;
      readonly head: Pick<Head, 'etag'>;
      readonly into: 'conflict' | 'trash';
      readonly next: PutAction | DeleteAction;
    }
  /** A lock was asked for, and the service not yet seen to hold it: looked at, and set where it is less. */
  | {
      readonly kind: 'confirm-lock';
      readonly key: string;
      readonly entry: LocalEntry;
      /** As the request asked that made the version; absent for one of before: then as a version of this key gets it now. */
      readonly retainUntil?: number;
      /** Of that request; absent where the baseline tells the version. */
      readonly journalId?: string;
      /** Of the content that was mirrored: told when the lock is seen. */
      readonly problem?: Problem;
    }
  /** A version of someone else that is about to be covered is retained for the conflict window first. */
  | {
      readonly kind: 'lock-foreign';
      readonly key: string;
      readonly head: Head;
      readonly next: PutAction;
    }
  | TakeAction
  | TakeBesideAction;

/** Bytes of the bucket get the name; the file that has it is saved first. */
export interface TakeAction {
  readonly kind: 'take';
  readonly key: string;
  /** The file that gives way; absent where none is there. */
  readonly entry?: LocalEntry;
  readonly from: BucketBytes;
  /** Of the ledger: what this resolves. Absent where a policy decided, and the user has not seen it. */
  readonly resolves?: Resolves;
  /** Where the bytes of that very file are safe. */
  readonly saved?: { readonly entry: LocalEntry; readonly as: ReplacedContent };
}

/** Bytes of the bucket go beside the file, under a name of their own. */
export interface TakeBesideAction {
  readonly kind: 'take-beside';
  readonly key: string;
  readonly from: BucketBytes;
  readonly resolves: Resolves;
  readonly next?: Action;
}

/** What is to be fetched. */
export interface BucketBytes extends ReplacedContent {
  /** The current version of the key: both sides agree when it is there. */
  readonly isHead: boolean;
  readonly side: ConflictEntry['side'];
  /** Since when it is in conflict, milliseconds since 1970. */
  readonly since: number;
  /** As its metadata say: when it was uploaded, milliseconds since 1970. */
  readonly uploadedAt?: number;
}

export interface Resolves {
  readonly as: Resolution;
  /** Entries of the ledger; none for a key that is held. */
  readonly ids: readonly string[];
}

/** What the action mirrors; undefined for a delete. */
export function entryOf(action: Action): LocalEntry | undefined {
  switch (action.kind) {
    case 'put':
    case 'adopt':
    case 'examine':
    case 'confirm-lock':
    case 'take':
      return action.entry;
    case 'copy-version-to-head':
      return action.otherwise.entry;
    case 'save-head':
    case 'lock-foreign':
      return entryOf(action.next);
    case 'take-beside':
      return action.next && entryOf(action.next);
    default:
      return undefined;
  }
}

/** How many bytes may have to be read, sent or fetched. */
export function transferOf(action: Action): number {
  const sizeBytes = entryOf(action)?.sizeBytes ?? 0;
  const isTake = action.kind === 'take' || action.kind === 'take-beside';
  return isTake ? Math.max(sizeBytes, action.from.sizeBytes ?? 0) : sizeBytes;
}
