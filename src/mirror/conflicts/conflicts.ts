/** Types of conflicts, and the operations to list and resolve them. */

import type { Resolution } from '../model/conflict.ts';

export type { Resolution } from '../model/conflict.ts';

/**
 * A path that changed in the folder and in the bucket. State `held`: neither side was overwritten. State
 * `open`: the content of one side was superseded, and the user has not decided yet.
 */
export interface Conflict {
  /** Id of the entry in the conflict log. Empty for a held conflict: each path has at most one. */
  readonly id: string;
  readonly path: string;
  readonly state: 'held' | 'open' | 'resolved';
  /** Origin of the superseded or held content: the object in the bucket, or the file in the folder. */
  readonly side: 'bucket' | 'folder';
  /** When the conflict was detected, in milliseconds since 1970. */
  readonly at: number;
  readonly etag: string;
  /** Version id of the content, if it is a version of the path's own key. */
  readonly versionId?: string;
  /** Key of a saved copy of the content, relative to the prefix; absent if there is none. */
  readonly savedAs?: string;
  readonly sizeBytes?: number;
  /** Lower-case hex. */
  readonly sha256?: string;
  /** Known end of the content's retention, in milliseconds since 1970. */
  readonly retainUntil?: number;
  readonly resolution?: Resolution;
  /** When the conflict was resolved, in milliseconds since 1970. */
  readonly resolvedAt?: number;
  /** Resolution that the user requested, until it is carried out. */
  readonly wish?: Resolution;
  /** Id of the conflict whose resolution superseded this content. */
  readonly gaveWayTo?: string;
  /**
   * Content of the other side, which was not superseded, as last seen by the mirror: size in bytes and
   * modification time in milliseconds since 1970. Absent if nothing exists there.
   */
  readonly stands?: { readonly sizeBytes: number; readonly modifiedAt: number };
}

export interface ConflictPage {
  /** Conflicts in the byte order of their keys. */
  readonly conflicts: readonly Conflict[];
  /** Cursor of the next page; present if there may be more conflicts. */
  readonly next?: string;
}

export interface ResolveChoice {
  readonly keep: Resolution;
  /** Paths, or patterns in `.gitignore` syntax, that select conflicts. Absent: all conflicts. */
  readonly patterns?: readonly string[];
  /** Exact paths of the conflicts to resolve, instead of patterns. */
  readonly paths?: readonly string[];
  /** If true, nothing changes, and the report contains what would be done. */
  readonly dryRun?: boolean;
}

/**
 * What resolving a conflict does. `dismiss`: changes nothing. `cover`: uploads the file over the object.
 * `replace`: downloads the content over the file. `beside`: downloads the content to a new file next to the
 * file.
 */
export type ResolveStep = 'dismiss' | 'cover' | 'replace' | 'beside';

export interface ResolveReport {
  /** Number of conflicts that the choice selects. */
  readonly matched: number;
  /** Number of selected conflicts per step. */
  readonly counts: Readonly<Record<ResolveStep, number>>;
  /** The first hundred steps of a dry run. */
  readonly steps: readonly { readonly path: string; readonly does: ResolveStep }[];
  readonly resolved: number;
  /** The first hundred conflicts that are not resolved yet; each full round retries them. */
  readonly waiting: readonly { readonly path: string; readonly why: string }[];
}

export interface ConflictControl {
  /**
   * Lists up to `limit` conflicts after `after`, the cursor of an earlier page. With `resolved`, the list
   * includes resolved conflicts.
   */
  list(page: {
    readonly after?: string;
    readonly limit: number;
    readonly resolved?: boolean;
  }): ConflictPage;
  /** Returns all conflicts of one path, newest first, including resolved ones. */
  show(path: string): readonly Conflict[];
  /** Stores the user's decision durably, starts a full round that carries it out, and waits for that round. */
  resolve(choice: ResolveChoice): Promise<ResolveReport>;
}
