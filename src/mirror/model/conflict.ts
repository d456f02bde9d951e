/**
 * Declares the conflicts of a job: content that was replaced on one side, and keys that are held until the user
 * decides.
 */

import type { LocalEntry, Head } from './types.ts';

/** The user's resolution of a conflict: use the file, use the object, or keep both. */
export type Resolution = 'local' | 'remote' | 'both';

/** The superseded content of a conflict, and where it is stored. */
export interface ReplacedContent {
  readonly etag: string;
  /**
   * Version id of the content under its own key. Absent if the bucket has no versioning or the service did not return
   * the id.
   */
  readonly versionId?: string;
  /** Key of a saved copy, relative to the job's prefix. */
  readonly savedAs?: string;
  readonly sizeBytes?: number;
  /** SHA-256 in lower-case hex. */
  readonly sha256?: string;
  /** Known end of the version's retention, in milliseconds since 1970. */
  readonly retainUntil?: number;
  /** The resolution that the user requested before the content was replaced. */
  readonly resolution?: Resolution;
}

export interface ConflictEntry extends ReplacedContent {
  /** Id of the journal row of the write that superseded the content. */
  readonly id: string;
  readonly key: string;
  /** Which side was superseded: another client's version in the bucket, or the file in the folder. */
  readonly side: 'bucket' | 'folder';
  /** When the content was superseded, in milliseconds since 1970. */
  readonly at: number;
  readonly resolvedAt?: number;
  /** The resolution that the user requested, until it is carried out. */
  readonly wish?: Resolution;
  /**
   * Id of the conflict whose resolution superseded this content. That conflict has the resolution; this entry records
   * where the content is stored.
   */
  readonly gaveWayTo?: string;
}

/** A conflict entry without its key, for calls that pass the key separately. */
export type NewConflict = Omit<ConflictEntry, 'key' | 'resolvedAt' | 'wish' | 'gaveWayTo'>;

export interface HeldRow {
  readonly key: string;
  readonly entry: LocalEntry;
  /** When the key was held, in milliseconds since 1970. */
  readonly since: number;
  /** The current version in the bucket; absent if the key is not held because of a conflict. */
  readonly head?: Head;
  /** The resolution that the user requested. It applies only to exactly this entry and this current version. */
  readonly wish?: Resolution;
}
