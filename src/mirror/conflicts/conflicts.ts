/** Defines the type of a conflict, and the operations that list and resolve conflicts. */

import type { Resolution } from '../model/conflict.ts';

export type { Resolution } from '../model/conflict.ts';

/**
 * A path that changed both in the folder and in the bucket. State `held`: neither side was overwritten. State `open`:
 * one side's content was superseded, and the user has not decided yet.
 */
export interface Conflict {
  /** Id of the entry in the conflict log. Empty for a held conflict, because a path has at most one. */
  readonly id: string;
  readonly path: string;
  readonly state: 'held' | 'open' | 'resolved';
  /** Where the superseded or held content comes from: the object in the bucket, or the file in the folder. */
  readonly side: 'bucket' | 'folder';
  /** When the conflict was detected, in milliseconds since 1970. */
  readonly at: number;
  readonly etag: string;
  /** Version id of the content, if the content is a version of the path's own key. */
  readonly versionId?: string;
  /** Key of the content's saved copy, relative to the prefix; absent if no copy was saved. */
  readonly savedAs?: string;
  readonly sizeBytes?: number;
  /** SHA-256 of the content in lower-case hex. */
  readonly sha256?: string;
  /** End of the content's retention in milliseconds since 1970, if known. */
  readonly retainUntil?: number;
  readonly resolution?: Resolution;
  /** When the conflict was resolved, in milliseconds since 1970. */
  readonly resolvedAt?: number;
  /** Resolution that the user requested; absent after it was carried out. */
  readonly wish?: Resolution;
  /** Id of the conflict whose resolution superseded this content. */
  readonly gaveWayTo?: string;
  /**
   * The other side's content, which was not superseded, as the mirror last saw it: size in bytes, and modification time
   * in milliseconds since 1970. Absent if that side has no content.
   */
  readonly stands?: { readonly sizeBytes: number; readonly modifiedAt: number };
}

export interface ConflictPage {
  /** One page of conflicts, in byte order of their keys. */
  readonly conflicts: readonly Conflict[];
  /** Cursor for the next page; present if there may be more conflicts. */
  readonly next?: string;
}

export interface ResolveChoice {
  readonly keep: Resolution;
  /** Paths, or patterns in `.gitignore` syntax, that select conflicts. If absent, all conflicts are selected. */
  readonly patterns?: readonly string[];
  /** Exact paths of the conflicts to resolve, instead of patterns. */
  readonly paths?: readonly string[];
  /** If true, nothing is changed, and the report describes what would be done. */
  readonly dryRun?: boolean;
}

/**
 * What happens when a conflict is resolved. `dismiss`: nothing changes. `cover`: the file is uploaded over the object.
 * `replace`: the content is downloaded over the file. `beside`: the content is downloaded to a new file next to the
 * file.
 */
export type ResolveStep = 'dismiss' | 'cover' | 'replace' | 'beside';

export interface ResolveReport {
  /** Number of selected conflicts. */
  readonly matched: number;
  /** Number of selected conflicts for each step. */
  readonly counts: Readonly<Record<ResolveStep, number>>;
  /** The first hundred steps that a dry run would take. */
  readonly steps: readonly { readonly path: string; readonly does: ResolveStep }[];
  readonly resolved: number;
  /** The first hundred conflicts that are not resolved yet. Each full round tries them again. */
  readonly waiting: readonly { readonly path: string; readonly why: string }[];
}

export interface ConflictControl {
  /**
   * Lists up to `limit` conflicts after the cursor `after` from an earlier page. With `resolved`, the list includes
   * resolved conflicts.
   */
  list(page: {
    readonly after?: string;
    readonly limit: number;
    readonly resolved?: boolean;
  }): ConflictPage;
  /** Returns all conflicts of a path, newest first, including resolved ones. */
  show(path: string): readonly Conflict[];
  /** Stores the user's decision durably, starts a full round that carries it out, and waits until that round ends. */
  resolve(choice: ResolveChoice): Promise<ResolveReport>;
}
