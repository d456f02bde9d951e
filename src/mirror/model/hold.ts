/** Defines the types of a change that is held for review, and of the user's decision about it. */

import type { Head, LocalEntry } from './types.ts';

/** Identifies the version that a write replaces or hides. */
export type ExpectedHead = Pick<Head, 'etag' | 'versionId'>;

export interface Hold {
  /**
   * The held change. `renamed away`: the object must stay, because it is the only copy of a file whose new name is
   * held.
   */
  readonly change: 'delete' | 'overwrite' | 'renamed away';
  readonly state: 'held' | 'approved' | 'rejected';
  /** The current version that the user reviewed; absent if the key has no current version. */
  readonly head?: ExpectedHead;
  /** Id of the user's approval; present if and only if `state` is `approved`. */
  readonly approval?: string;
  /** The local file of a held overwrite, as last read. `sha256` is the digest of its content in lower-case hex. */
  readonly entry?: LocalEntry;
  readonly sha256?: string;
}
