/** Conflicts of a job: content that was replaced on one side, and keys that are held until the user decides. */

import type { LocalEntry, Head } from './types.ts';

/** The user's answer to a conflict: use the file, use the object, or keep both. */
export type Resolution = 'local' | 'remote' | 'both';

/** The superseded content of a conflict, and where it is kept. */
export interface ReplacedContent {
  readonly etag: string;
  /** Version of the key itself. Absent if the bucket has no versioning or the service did not return the version. */
  readonly versionId?: string;
  /** Key of a saved copy, relative to the job's prefix. */
  readonly savedAs?: string;
  readonly sizeBytes?: number;
  /** Lower-case hex. */
  readonly sha256?: string;
  /** Known end of the version's retention, milliseconds since 1970. */
  readonly retainUntil?: number;
  /** The answer that the user gave before the content was replaced. */
  readonly resolution?: Resolution;
}

export interface ConflictEntry extends ReplacedContent {
  /** Id of the journal row of the write that superseded the content. */
  readonly id: string;
  readonly key: string;
  /** Which side was superseded: another client's version in the bucket, or the file in the folder. */
  readonly side: 'bucket' | 'folder';
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly resolvedAt?: number;
  /** The user's answer, as long as it is not carried out. */
  readonly wish?: Resolution;
  /** Id of the conflict whose answer superseded this content. That conflict has the answer; this entry says where the content is kept. */
  readonly gaveWayTo?: string;
}

/** A conflict entry without its key, for calls that pass the key separately. */
export type NewConflict = Omit<ConflictEntry, 'key' | 'resolvedAt' | 'wish' | 'gaveWayTo'>;

export interface HeldRow {
  readonly key: string;
  readonly entry: LocalEntry;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** Current version in the bucket; absent if the key is not held because of a conflict. */
  readonly head?: Head;
  /** The user's answer. It applies only to exactly this entry and this current version. */
  readonly wish?: Resolution;
}
