/** Declares the conflicts of a job, and the operations that users have for them. */

import type { Resolution } from '../model/conflict.ts';

export type { Resolution } from '../model/conflict.ts';

/**
 * A path that changed on both sides. `held`: neither side was changed. `open`: the content of one side was superseded,
 * and the user has not decided yet.
 */
export interface Conflict {
  /** Id of the conflict; empty for a held conflict, because each path has at most one. */
  readonly id: string;
  readonly path: string;
  readonly state: 'held' | 'open' | 'resolved';
  /** The origin of the superseded or held content: the bucket, or the file in the folder. */
  readonly side: 'bucket' | 'folder';
  /** When the conflict began, in milliseconds since 1970. */
  readonly at: number;
  readonly etag: string;
  /** Id of the version that has this content, under the path's own key. */
  readonly versionId?: string;
  /** Key of the object that has this content, relative to the prefix, if it was saved under another key. */
  readonly savedAs?: string;
  readonly sizeBytes?: number;
  /** SHA-256 in lower-case hex. */
  readonly sha256?: string;
  /** End of the retention of this content, in milliseconds since 1970. */
  readonly retainUntil?: number;
  readonly resolution?: Resolution;
  /** When the conflict was resolved, in milliseconds since 1970. */
  readonly resolvedAt?: number;
  /** The resolution that the user requested and that is not carried out yet. */
  readonly wish?: Resolution;
  /** Id of the conflict whose resolution superseded this content. */
  readonly gaveWayTo?: string;
  /** The other side, which was not superseded, as the mirror last saw it; absent if it does not exist now. */
  readonly stands?: { readonly sizeBytes: number; readonly modifiedAt: number };
}

export interface ConflictPage {
  /** Conflicts in the byte order of their keys. */
  readonly conflicts: readonly Conflict[];
  /** Cursor of the next page; present if and only if there may be more conflicts. */
  readonly next?: string;
}

export interface ResolveChoice {
  readonly keep: Resolution;
  /** Paths, or patterns in `.gitignore` syntax; absent for all conflicts. */
  readonly patterns?: readonly string[];
  /** Selects exactly these paths, instead of patterns. */
  readonly paths?: readonly string[];
  /** Whether to change nothing, and only return the steps that would be done. */
  readonly dryRun?: boolean;
}

/**
 * A step of a resolution. `dismiss` changes nothing. `cover` uploads the file over the object. `replace` replaces the
 * file. `beside` saves the content as a second file.
 */
export type ResolveStep = 'dismiss' | 'cover' | 'replace' | 'beside';

export interface ResolveReport {
  /** Number of selected conflicts. */
  readonly matched: number;
  /** Number of selected conflicts per step. */
  readonly counts: Readonly<Record<ResolveStep, number>>;
  /** The first hundred steps of a dry run. */
  readonly steps: readonly { readonly path: string; readonly does: ResolveStep }[];
  readonly resolved: number;
  /** The first hundred conflicts that are not resolved yet. Each full round retries them. */
  readonly waiting: readonly { readonly path: string; readonly why: string }[];
}

export interface ConflictControl {
  /**
   * Returns up to `limit` conflicts after the cursor `after` of an earlier page. `resolved` includes resolved
   * conflicts.
   */
  list(page: {
    readonly after?: string;
    readonly limit: number;
    readonly resolved?: boolean;
  }): ConflictPage;
  /** Returns all conflicts of one path, newest first, including resolved ones. */
  show(path: string): readonly Conflict[];
  /** Stores the user's decision durably, then starts a full round that carries it out, and waits for it. */
  resolve(choice: ResolveChoice): Promise<ResolveReport>;
}
