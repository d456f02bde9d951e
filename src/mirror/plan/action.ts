/** Declares the actions that the planner returns. Each write has a condition on the current version. */

import type { ConflictEntry, ReplacedContent, Resolution } from '../model/conflict.ts';
import type { BaselineEntry, Head, LocalEntry, Problem } from '../model/types.ts';

/** Condition of a write: the current version has this ETag, or the key has none. */
export type WriteCondition = { readonly ifMatch: string } | { readonly ifNoneMatch: '*' };

export interface PutAction {
  readonly kind: 'put';
  readonly key: string;
  readonly entry: LocalEntry;
  readonly guard: WriteCondition;
  readonly why: 'new' | 'changed' | 'missing' | 'conflict' | 'drifted';
  /** Whether the new version gets the job's retention. */
  readonly lock: boolean;
  /** Another client's version that this put supersedes. It is recorded in the conflict log. */
  readonly supersedes?: Head & ReplacedContent;
  /** Id of the user's approval, if this overwrite was held for review. */
  readonly approval?: string;
  /** For a new file: baseline rows with the same inode, since the file may be a renamed one. Absent if not read yet. */
  readonly sameInode?: readonly BaselineEntry[];
}

export interface DeleteAction {
  readonly kind: 'delete';
  readonly key: string;
  readonly guard: { readonly ifMatch: string };
  /** Id of the user's approval, if this delete was held for review. */
  readonly approval?: string;
}

export type Action =
  | PutAction
  | DeleteAction
  /** Reads the current version, the file's content, or both, and then plans the key again. */
  | {
      readonly kind: 'examine';
      readonly key: string;
      readonly entry?: LocalEntry;
      readonly readHead: boolean;
      readonly hashFile: boolean;
      /** Set if the content must be compared because another client wrote an object of the same size. */
      readonly comparesContent?: true;
      /** Set if the mass-change guard already counted this delete, so that it is not counted twice. */
      readonly isWeighed?: true;
    }
  /** Updates only the baseline, because file and object have the same content. */
  | {
      readonly kind: 'adopt';
      readonly key: string;
      readonly entry: LocalEntry;
      readonly sha256: string;
      readonly head: Head;
    }
  | { readonly kind: 'drop-baseline'; readonly key: string }
  /**
   * Copies the baseline's version on the service if the key has lost its current version. Uploads the file if that
   * fails.
   */
  | {
      readonly kind: 'copy-version-to-head';
      readonly key: string;
      readonly versionId: string;
      readonly otherwise: PutAction;
    }
  /** Copies the current object to another key first, because a bucket without versioning would lose its content. */
  | {
      readonly kind: 'save-head';
      readonly key: string;
      readonly head: Pick<Head, 'etag'>;
      readonly into: 'conflict' | 'trash';
      readonly next: PutAction | DeleteAction;
    }
  /** Reads a lock that was requested and is not confirmed yet, and extends it if it is too short. */
  | {
      readonly kind: 'confirm-lock';
      readonly key: string;
      readonly entry: LocalEntry;
      /**
       * End of the retention that the upload requested, in milliseconds since 1970. Absent for earlier uploads, to
       * which the job's current rule applies.
       */
      readonly retainUntil?: number;
      /** Journal id of the upload; absent if the baseline identifies the version. */
      readonly journalId?: string;
      /** Problem of the uploaded content, which is reported when the lock is confirmed. */
      readonly problem?: Problem;
    }
  /** Locks another client's version for the conflict window before it is superseded. */
  | {
      readonly kind: 'lock-foreign';
      readonly key: string;
      readonly head: Head;
      readonly next: PutAction;
    }
  | DownloadAction
  | DownloadBesideAction;

/** Replaces the file with content from the bucket, after the file's own content was saved. */
export interface DownloadAction {
  readonly kind: 'download';
  readonly key: string;
  /** The file to replace; absent if none exists. */
  readonly entry?: LocalEntry;
  readonly from: BucketBytes;
  /** Conflict log entries that this download resolves; absent if the conflict policy decided without the user. */
  readonly resolves?: Resolves;
  /** The local file that was saved, and where its content is stored. */
  readonly saved?: { readonly entry: LocalEntry; readonly as: ReplacedContent };
}

/** Downloads content from the bucket to a new name next to the file. */
export interface DownloadBesideAction {
  readonly kind: 'download-beside';
  readonly key: string;
  readonly from: BucketBytes;
  readonly resolves: Resolves;
  readonly next?: Action;
}

/** Content in the bucket that is downloaded. */
export interface BucketBytes extends ReplacedContent {
  /** Whether this is the key's current version. If so, file and object are equal after the download. */
  readonly isHead: boolean;
  readonly side: ConflictEntry['side'];
  /** When the conflict began, in milliseconds since 1970. */
  readonly since: number;
  /** Upload time from the object's metadata, in milliseconds since 1970. */
  readonly uploadedAt?: number;
}

export interface Resolves {
  readonly as: Resolution;
  /** Ids of conflict log entries; empty for a key that is held as a conflict. */
  readonly ids: readonly string[];
}

/** Returns the local entry of an action; undefined for a delete. */
export function entryOf(action: Action): LocalEntry | undefined {
  switch (action.kind) {
    case 'put':
    case 'adopt':
    case 'examine':
    case 'confirm-lock':
    case 'download':
      return action.entry;
    case 'copy-version-to-head':
      return action.otherwise.entry;
    case 'save-head':
    case 'lock-foreign':
      return entryOf(action.next);
    case 'download-beside':
      return action.next && entryOf(action.next);
    default:
      return undefined;
  }
}

/** Returns the maximum number of bytes that an action reads, uploads or downloads. */
export function transferOf(action: Action): number {
  const sizeBytes = entryOf(action)?.sizeBytes ?? 0;
  const isDownload = action.kind === 'download' || action.kind === 'download-beside';
  return isDownload ? Math.max(sizeBytes, action.from.sizeBytes ?? 0) : sizeBytes;
}
