/**
 * Defines the types of a job's conflicts: content that was superseded on one side, and keys that are held until the
 * user decides.
 */

import type { LocalEntry, Head } from './types.ts';

/** The user's resolution of a conflict: keep the file, keep the object, or keep both. */
export type Resolution = 'local' | 'remote' | 'both';

/** The content that lost a conflict, and where it is stored. */
export interface ReplacedContent {
  readonly etag: string;
  /**
   * Version id of the content under its own key. Absent if the bucket has no versioning, or if the service did not
   * return an id.
   */
  readonly versionId?: string;
  /** Key of the content's saved copy, relative to the job's prefix. */
  readonly savedAs?: string;
  readonly sizeBytes?: number;
  /** SHA-256 of the content in lower-case hex. */
  readonly sha256?: string;
  /** End of the version's retention in milliseconds since 1970, if known. */
  readonly retainUntil?: number;
  /** The resolution that the user had requested before the content was replaced. */
  readonly resolution?: Resolution;
}

export interface ConflictEntry extends ReplacedContent {
  /** Journal id of the write that superseded the content. */
  readonly id: string;
  readonly key: string;
  /** Which side was superseded: another client's version in the bucket, or the file in the folder. */
  readonly side: 'bucket' | 'folder';
  /** When the content was superseded, in milliseconds since 1970. */
  readonly at: number;
  readonly resolvedAt?: number;
  /** The resolution that the user requested; absent after it was carried out. */
  readonly wish?: Resolution;
  /**
   * Id of the conflict whose resolution superseded this content. That conflict records the resolution; this entry
   * records where the content is stored.
   */
  readonly gaveWayTo?: string;
}

/** A conflict entry without its key, for calls with a separate key argument. */
export type NewConflict = Omit<ConflictEntry, 'key' | 'resolvedAt' | 'wish' | 'gaveWayTo'>;

export interface HeldRow {
  readonly key: string;
  readonly entry: LocalEntry;
  /** When the key was held, in milliseconds since 1970. */
  readonly since: number;
  /** The current version in the bucket; absent if the key is held for a reason other than a conflict. */
  readonly head?: Head;
  /**
   * The resolution that the user requested. It applies only as long as the entry and the current version stay the same.
   */
  readonly wish?: Resolution;
}
