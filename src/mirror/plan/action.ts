/** Defines the actions that the planner returns. Each write is conditional on the current version. */

import type { ConflictEntry, ReplacedContent, Resolution } from '../model/conflict.ts';
import type { BaselineEntry, Head, LocalEntry, Problem } from '../model/types.ts';

/** Condition for a write: the current version has this ETag, or the key has no current version. */
export type WriteCondition = { readonly ifMatch: string } | { readonly ifNoneMatch: '*' };

export interface PutAction {
  readonly kind: 'put';
  readonly key: string;
  readonly entry: LocalEntry;
  readonly guard: WriteCondition;
  readonly why: 'new' | 'changed' | 'missing' | 'conflict' | 'drifted';
  /** Whether the new version gets the job's retention. */
  readonly lock: boolean;
  /** Another client's version that this put supersedes. The conflict log records it. */
  readonly supersedes?: Head & ReplacedContent;
  /** Id of the user's approval, if this overwrite was held for review. */
  readonly approval?: string;
  /**
   * For a new file, the baseline rows (last synced states) with the same inode, because the file may be a renamed one.
   * Absent before they are read.
   */
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
      /** Set if the content must be compared, because another client wrote an object of the same size. */
      readonly comparesContent?: true;
      /** Set if the mass-change guard has already counted this delete and must not count it again. */
      readonly isWeighed?: true;
    }
  /** Only updates the baseline (the last synced state), because file and object have the same content. */
  | {
      readonly kind: 'adopt';
      readonly key: string;
      readonly entry: LocalEntry;
      readonly sha256: string;
      readonly head: Head;
    }
  | { readonly kind: 'drop-baseline'; readonly key: string }
  /**
   * Copies the last synced version on the service, because the key has lost its current version. If the copy fails,
   * uploads the file.
   */
  | {
      readonly kind: 'copy-version-to-head';
      readonly key: string;
      readonly versionId: string;
      readonly otherwise: PutAction;
    }
  /**
   * Copies the current object to another key first, because its content would be lost in a bucket without versioning.
   */
  | {
      readonly kind: 'save-head';
      readonly key: string;
      readonly head: Pick<Head, 'etag'>;
      readonly into: 'conflict' | 'trash';
      readonly next: PutAction | DeleteAction;
    }
  /** Reads a requested lock that is not confirmed yet, and extends it if it is too short. */
  | {
      readonly kind: 'confirm-lock';
      readonly key: string;
      readonly entry: LocalEntry;
      /**
       * End of the retention that the upload requested, in milliseconds since 1970. Absent for uploads by earlier
       * releases of Holdfast; the job's current rule then applies.
       */
      readonly retainUntil?: number;
      /** Journal id of the upload; absent if the baseline identifies the version. */
      readonly journalId?: string;
      /** Problem with the uploaded content. It is reported when the lock is confirmed. */
      readonly problem?: Problem;
    }
  /** Locks another client's version for the conflict window before the version is superseded. */
  | {
      readonly kind: 'lock-foreign';
      readonly key: string;
      readonly head: Head;
      readonly next: PutAction;
    }
  | DownloadAction
  | DownloadBesideAction;

/** Replaces the file with content from the bucket after the file's own content was saved. */
export interface DownloadAction {
  readonly kind: 'download';
  readonly key: string;
  /** The file that is replaced; absent if no file exists. */
  readonly entry?: LocalEntry;
  readonly from: BucketBytes;
  /** Conflict log entries that this download resolves; absent if the conflict policy decided automatically. */
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

/** Content in the bucket that a download reads. */
export interface BucketBytes extends ReplacedContent {
  /** Whether the content is the key's current version. If so, file and object are equal after the download. */
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

/** Returns an action's local entry; undefined for a delete. */
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

/** Returns an upper limit for the bytes that an action reads, uploads or downloads. */
export function transferOf(action: Action): number {
  const sizeBytes = entryOf(action)?.sizeBytes ?? 0;
  const isDownload = action.kind === 'download' || action.kind === 'download-beside';
  return isDownload ? Math.max(sizeBytes, action.from.sizeBytes ?? 0) : sizeBytes;
}
