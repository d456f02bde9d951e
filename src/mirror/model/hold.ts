/** A change that is held for review, and what the user decided. */

import type { Head, LocalEntry } from './types.ts';

/** The version that a write replaces or hides. */
export type ExpectedHead = Pick<Head, 'etag' | 'versionId'>;

export interface Hold {
  /** `renamed away`: the object is the only copy of a file whose new name is held, so it must stay. */
  readonly change: 'delete' | 'overwrite' | 'renamed away';
  readonly state: 'held' | 'approved' | 'rejected';
  /** The head that the user reviewed; absent where the key has none. */
  readonly head?: ExpectedHead;
  /** Present exactly when it is approved. */
  readonly approval?: string;
  /** Of an overwrite: the file as it was read, and its content. */
  readonly entry?: LocalEntry;
  readonly sha256?: string;
}
