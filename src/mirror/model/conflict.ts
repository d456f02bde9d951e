/** Conflicts of a job: the bytes that were replaced on one side, and keys that wait for the decision of the user. */

import type { LocalEntry, Head } from './types.ts';

/** What the user says of a conflict: whose bytes are right, or that both are to be there. */
export type Resolution = 'local' | 'remote' | 'both';

/** Bytes that gave way, and where they are. */
export interface ReplacedContent {
  readonly etag: string;
  /** Of the key itself; absent where the bucket keeps no versions, or did not tell. */
  readonly versionId?: string;
  /** The key below the prefix that a copy was saved under. */
  readonly savedAs?: string;
  readonly sizeBytes?: number;
  /** Lower-case hex. */
  readonly sha256?: string;
  /** Until when the version is known to be retained, milliseconds since 1970. */
  readonly retainUntil?: number;
  /** The user had decided before it was done. */
  readonly resolution?: Resolution;
}

export interface ConflictEntry extends ReplacedContent {
  /** Of the journal row that made it. */
  readonly id: string;
  readonly key: string;
  /** Whose bytes gave way: a version of someone else in the bucket, or the file in the folder. */
  readonly side: 'bucket' | 'folder';
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly resolvedAt?: number;
  /** What the user asked for, and what is not done yet. */
  readonly wish?: Resolution;
  /** The conflict by whose answer these bytes gave way: it has the answer, and this says where they are kept. */
  readonly gaveWayTo?: string;
}

/** Of a key that is told apart. */
export type NewConflict = Omit<ConflictEntry, 'key' | 'resolvedAt' | 'wish' | 'gaveWayTo'>;

export interface HeldRow {
  readonly key: string;
  readonly entry: LocalEntry;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** What the bucket holds; absent where it is no conflict that holds the key. */
  readonly head?: Head;
  /** What the user asked for, of these two sides and no others. */
  readonly wish?: Resolution;
}
