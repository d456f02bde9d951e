/** What is known of a job's conflicts, and what the user may say of them. */

import type { Resolution } from '../model/conflict.ts';

export type { Resolution } from '../model/conflict.ts';

/** One path on which both sides wrote; `held`: nothing was done, `open`: one side gave way, and it waits for the user. */
export interface Conflict {
  /** Empty for one that is held: there is one a path. */
  readonly id: string;
  readonly path: string;
  readonly state: 'held' | 'open' | 'resolved';
  /** Whose bytes these are: what the bucket held, or the file of the folder. */
  readonly side: 'bucket' | 'folder';
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly etag: string;
  /** Where they are: a version of the key itself, */
  readonly versionId?: string;
  /** or a key of their own, below the prefix. */
  readonly savedAs?: string;
  readonly sizeBytes?: number;
  /** Lower-case hex. */
  readonly sha256?: string;
  /** Milliseconds since 1970. */
  readonly retainUntil?: number;
  readonly resolution?: Resolution;
  /** Milliseconds since 1970. */
  readonly resolvedAt?: number;
  /** What was asked for, and is not done yet. */
  readonly wish?: Resolution;
  /** The id of the conflict by whose answer these bytes gave way. */
  readonly gaveWayTo?: string;
  /** The other side, which did not give way, as the mirror saw it last; absent where it has none now. */
  readonly stands?: { readonly sizeBytes: number; readonly modifiedAt: number };
}

export interface ConflictPage {
  /** In the byte order of the keys. */
  readonly conflicts: readonly Conflict[];
  /** Present exactly when there may be more. */
  readonly next?: string;
}

export interface ResolveChoice {
  readonly keep: Resolution;
  /** Paths, or patterns in the syntax of `.gitignore`; absent for all. */
  readonly patterns?: readonly string[];
  /** In place of patterns: these paths and no others. */
  readonly paths?: readonly string[];
  /** Nothing is done, and what would be is told. */
  readonly dryRun?: boolean;
}

/** `dismiss`: all stays as it is. The others say where the bytes that gave way, or are held, go. */
export type ResolveStep = 'dismiss' | 'cover' | 'replace' | 'beside';

export interface ResolveReport {
  /** How many conflicts the choice is about. */
  readonly matched: number;
  /** Of all of them: what is done. */
  readonly counts: Readonly<Record<ResolveStep, number>>;
  /** Of a dry run: the first hundred of them. */
  readonly steps: readonly { readonly path: string; readonly does: ResolveStep }[];
  readonly resolved: number;
  /** Those that are not done yet, the first hundred; they are tried again at each full round. */
  readonly waiting: readonly { readonly path: string; readonly why: string }[];
}

export interface ConflictControl {
  /** Up to `limit` after `after`, which a page before gave; `resolved`: those that are over, too. */
  list(page: {
    readonly after?: string;
    readonly limit: number;
    readonly resolved?: boolean;
  }): ConflictPage;
  /** Of one path, the newest first, those that are over, too. */
  show(path: string): readonly Conflict[];
  /** Durable at once; done by the next full round, which it begins and waits for. */
  resolve(choice: ResolveChoice): Promise<ResolveReport>;
}
