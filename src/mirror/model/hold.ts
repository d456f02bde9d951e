/** A change that is held for review, and what the user decided. */

import type { Head, LocalEntry } from './types.ts';

/** The version that a write replaces or hides. */
export type ExpectedHead = Pick<Head, 'etag' | 'versionId'>;

export interface Hold {
  /** `renamed away`: the object is the only copy of a file whose new name is held, so it must stay. */
  readonly change: 'delete' | 'overwrite' | 'renamed away';
  readonly state: 'held' | 'approved' | 'rejected';
  /** The current version that the user reviewed; absent if the key has none. */
  readonly head?: ExpectedHead;
  /** Id of the approval. Present exactly if `state` is `approved`. */
  readonly approval?: string;
  /** For an overwrite: the file as it was read, and its digest (lower-case hex). */
  readonly entry?: LocalEntry;
  readonly sha256?: string;
}
