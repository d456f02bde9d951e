/** What the planner may ask for: a closed union of small records, each with what it expects of the head. */

import type { GaveWay } from '../state/conflict-table.ts';
import type { Head, LocalEntry } from '../types.ts';

/** What a write expects of the current version: one ETag, or that there is none. */
export type Guard = { readonly ifMatch: string } | { readonly ifNoneMatch: '*' };

export interface PutAction {
  readonly kind: 'put';
  readonly key: string;
  readonly entry: LocalEntry;
  readonly guard: Guard;
  readonly why: 'new' | 'changed' | 'missing' | 'conflict' | 'drifted';
  /** Whether the version is to carry the job's retention. */
  readonly lock: boolean;
  /** A version of someone else that this put covers: recorded, so that it can be found again. */
  readonly supersedes?: Head & GaveWay;
}

export interface DeleteAction {
  readonly kind: 'delete';
  readonly key: string;
  readonly guard: { readonly ifMatch: string };
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
  | { readonly kind: 'renew-lock'; readonly key: string; readonly retainUntil: number }
  /** A lock was asked for, and the service not yet seen to hold it: looked at, and set where it is less. */
  | {
      readonly kind: 'confirm-lock';
      readonly key: string;
      readonly entry: LocalEntry;
      readonly retainUntil: number;
      /** Of the request that made the version, where that was just now; else the baseline tells the version. */
      readonly journalId?: string;
    }
  /** A foreign version that was covered is kept for the conflict window. */
  | { readonly kind: 'lock-foreign'; readonly key: string; readonly head: Head }
  /** `conflict: remote`: the head is taken over into the folder, the local bytes saved first. */
  | { readonly kind: 'take-remote'; readonly key: string; readonly head: Head };

/** What the user reads of an action that cannot be done yet; undefined for those that can. */
export function notYetDone(action: Action): string | undefined {
  switch (action.kind) {
    case 'renew-lock':
      return 'renew lock: not supported yet; the retention given with the upload stands';
    case 'lock-foreign':
      return 'lock the version of someone else: not supported yet; it stays as an unlocked version';
    case 'take-remote':
      return 'take the version of the bucket (conflict: remote): not supported yet; both sides are left as they are';
    default:
      return undefined;
  }
}

/** What the action mirrors; undefined for a delete. */
export function entryOf(action: Action): LocalEntry | undefined {
  switch (action.kind) {
    case 'put':
    case 'adopt':
    case 'examine':
    case 'confirm-lock':
      return action.entry;
    case 'copy-version-to-head':
      return action.otherwise.entry;
    case 'save-head':
      return entryOf(action.next);
    default:
      return undefined;
  }
}
