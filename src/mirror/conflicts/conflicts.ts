/** The types of a job's conflicts, and the operations that the user has for them. */

import type { Resolution } from '../model/conflict.ts';

export type { Resolution } from '../model/conflict.ts';

/**
 * One path that both sides changed. `held`: nothing was done. `open`: one side's bytes were superseded, and the user has
 * not decided yet.
 */
export interface Conflict {
  /** Empty for a held conflict: each path has at most one. */
  readonly id: string;
  readonly path: string;
  readonly state: 'held' | 'open' | 'resolved';
  /** The origin of these bytes: the bucket, or the file in the folder. */
  readonly side: 'bucket' | 'folder';
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly etag: string;
  /** The version of the key itself that has these bytes. */
  readonly versionId?: string;
  /** The key of their own that has these bytes, relative to the prefix. */
  readonly savedAs?: string;
  readonly sizeBytes?: number;
  /** Lower-case hex. */
  readonly sha256?: string;
  /** Milliseconds since 1970. */
  readonly retainUntil?: number;
  readonly resolution?: Resolution;
  /** Milliseconds since 1970. */
  readonly resolvedAt?: number;
  /** The requested resolution that is not done yet. */
  readonly wish?: Resolution;
  /** The id of the conflict whose resolution superseded these bytes. */
  readonly gaveWayTo?: string;
  /** The other side, which was not superseded, as last seen by the mirror; absent if nothing exists there now. */
  readonly stands?: { readonly sizeBytes: number; readonly modifiedAt: number };
}

export interface ConflictPage {
  /** In the byte order of the keys. */
  readonly conflicts: readonly Conflict[];
  /** Present if and only if there may be more. */
  readonly next?: string;
}

export interface ResolveChoice {
  readonly keep: Resolution;
  /** Paths, or patterns in `.gitignore` syntax; absent for all. */
  readonly patterns?: readonly string[];
  /** Selects exactly these paths, instead of patterns. */
  readonly paths?: readonly string[];
  /** Changes nothing, and returns what would be done. */
  readonly dryRun?: boolean;
}

/** `dismiss`: everything remains as it is. The others say where the superseded or held bytes go. */
export type ResolveStep = 'dismiss' | 'cover' | 'replace' | 'beside';

export interface ResolveReport {
  /** Number of conflicts that the choice selects. */
  readonly matched: number;
  /** What is done, over all selected conflicts. */
  readonly counts: Readonly<Record<ResolveStep, number>>;
  /** The first hundred steps of a dry run. */
  readonly steps: readonly { readonly path: string; readonly does: ResolveStep }[];
  readonly resolved: number;
  /** The first hundred conflicts that are not done yet; each full round retries them. */
  readonly waiting: readonly { readonly path: string; readonly why: string }[];
}

export interface ConflictControl {
  /**
   * Returns up to `limit` conflicts after `after`, the cursor of an earlier page. `resolved`: includes resolved
   * conflicts.
   */
  list(page: {
    readonly after?: string;
    readonly limit: number;
    readonly resolved?: boolean;
  }): ConflictPage;
  /** All conflicts of one path, newest first, including resolved ones. */
  show(path: string): readonly Conflict[];
  /** The decision is durable at once. It is carried out by a full round, which this call starts and awaits. */
  resolve(choice: ResolveChoice): Promise<ResolveReport>;
}
