/** Actions that the planner returns: a closed union of records. Each write states its condition on the current version. */

import type { ConflictEntry, ReplacedContent, Resolution } from '../model/conflict.ts';
import type { Head, LocalEntry, Problem } from '../model/types.ts';

/** Condition of a write: the current version has this ETag, or the key does not exist. */
export type WriteCondition = { readonly ifMatch: string } | { readonly ifNoneMatch: '*' };

export interface PutAction {
  readonly kind: 'put';
  readonly key: string;
  readonly entry: LocalEntry;
  readonly guard: WriteCondition;
  readonly why: 'new' | 'changed' | 'missing' | 'conflict' | 'drifted';
  /** Whether the new version gets the job's retention. */
  readonly lock: boolean;
  /** Another client's version that this put supersedes. It is recorded so that the user can find it. */
  readonly supersedes?: Head & ReplacedContent;
  /** Id of the user's approval, if this overwrite was held for review. */
  readonly approval?: string;
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
  /** More information is needed: read the current version, hash the file, or both, then plan this key again. */
  | {
      readonly kind: 'examine';
      readonly key: string;
      readonly entry?: LocalEntry;
      readonly readHead: boolean;
      readonly hashFile: boolean;
      /** Another client wrote an object of the same size, so its content is compared with the file's. */
      readonly comparesContent?: true;
      /** The mass-change guard already counted this delete. Planning it again does not count it twice. */
      readonly isWeighed?: true;
    }
  /** Both sides have the same content: only the baseline is updated. */
  | {
      readonly kind: 'adopt';
      readonly key: string;
      readonly entry: LocalEntry;
      readonly sha256: string;
      readonly head: Head;
    }
  | { readonly kind: 'drop-baseline'; readonly key: string }
  /** The key has no current version, but the baseline's version still exists: copy it on the service, or upload again. */
  | {
      readonly kind: 'copy-version-to-head';
      readonly key: string;
      readonly versionId: string;
      readonly otherwise: PutAction;
    }
  /** A bucket without versioning would lose the current content: copy it to another key first. */
  | {
      readonly kind: 'save-head';
      readonly key: string;
      readonly head: Pick<Head, 'etag'>;
      readonly into: 'conflict' | 'trash';
      readonly next: PutAction | DeleteAction;
    }
  /** A requested lock is not confirmed yet: read it, and extend it if it is shorter. */
  | {
      readonly kind: 'confirm-lock';
      readonly key: string;
      readonly entry: LocalEntry;
      /** Retention that the upload requested. Absent for versions uploaded earlier: then the job's current rule applies. */
      readonly retainUntil?: number;
      /** Journal id of that upload; absent if the baseline identifies the version. */
      readonly journalId?: string;
      /** Problem of the uploaded content, reported once the lock is confirmed. */
      readonly problem?: Problem;
    }
  /** Another client's version is about to be superseded: lock it for the conflict window first. */
  | {
      readonly kind: 'lock-foreign';
      readonly key: string;
      readonly head: Head;
      readonly next: PutAction;
    }
  | DownloadAction
  | DownloadBesideAction;

/** Replaces the file with content from the bucket, after the file was saved. */
export interface DownloadAction {
  readonly kind: 'download';
  readonly key: string;
  /** The file to replace; absent if none exists. */
  readonly entry?: LocalEntry;
  readonly from: BucketBytes;
  /** Conflict log entries that this resolves. Absent if a policy decided and the user has not seen the conflict. */
  readonly resolves?: Resolves;
  /** The saved file, and where its content is kept. */
  readonly saved?: { readonly entry: LocalEntry; readonly as: ReplacedContent };
}

/** Downloads content from the bucket next to the file, under a new name. */
export interface DownloadBesideAction {
  readonly kind: 'download-beside';
  readonly key: string;
  readonly from: BucketBytes;
  readonly resolves: Resolves;
  readonly next?: Action;
}

/** Content to download. */
export interface BucketBytes extends ReplacedContent {
  /** Whether this is the key's current version. If so, both sides match after the download. */
  readonly isHead: boolean;
  readonly side: ConflictEntry['side'];
  /** When the conflict began, milliseconds since 1970. */
  readonly since: number;
  /** Upload time from its metadata, milliseconds since 1970. */
  readonly uploadedAt?: number;
}

export interface Resolves {
  readonly as: Resolution;
  /** Ids of conflict log entries; empty for a held key. */
  readonly ids: readonly string[];
}

/** The local entry that the action is about; undefined for a delete. */
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

/** Maximum number of bytes that the action reads, uploads or downloads. */
export function transferOf(action: Action): number {
  const sizeBytes = entryOf(action)?.sizeBytes ?? 0;
  const isDownload = action.kind === 'download' || action.kind === 'download-beside';
  return isDownload ? Math.max(sizeBytes, action.from.sizeBytes ?? 0) : sizeBytes;
}
