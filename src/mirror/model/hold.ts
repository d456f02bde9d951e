/** Declares a change that is held for review, and the user's decision on it. */

import type { Head, LocalEntry } from './types.ts';

/** Identifies the version that a write replaces or hides. */
export type ExpectedHead = Pick<Head, 'etag' | 'versionId'>;

export interface Hold {
  /** The held change. `renamed away`: the object is the only copy of a file whose new name is held, so it must stay. */
  readonly change: 'delete' | 'overwrite' | 'renamed away';
  readonly state: 'held' | 'approved' | 'rejected';
  /** The current version that the user reviewed; absent if the key has none. */
  readonly head?: ExpectedHead;
  /** Id of the user's approval; present if and only if `state` is `approved`. */
  readonly approval?: string;
  /** The file of a held overwrite when it was read; `sha256` is the digest of its content in lower-case hex. */
  readonly entry?: LocalEntry;
  readonly sha256?: string;
}
