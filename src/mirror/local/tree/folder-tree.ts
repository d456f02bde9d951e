/**
 * Represents a folder that several jobs mirror. It is watched once for all of them, and listed once if they scan it at
 * about the same time. No job waits for another. A listing is kept for a while, and a job that needs it later lists the
 * folder again.
 */

import type { Clock } from '../../../base/clock.ts';
import type { Logger } from '../../../base/logger.ts';
import type { LocalEntry } from '../../model/types.ts';
import { Digests } from '../digests.ts';
import type { Excluder } from '../exclude.ts';
import { recheckFolder } from './folder-difference.ts';
import type { OverflowDetector } from './overflow-detector.ts';
import { KeptListings } from './kept-listings.ts';
import { parentOf } from '../../model/local-path.ts';
import { type FolderScan, scanFolder, scanTree } from '../scan.ts';
import { type Coverage, FolderWatch, watchTree } from './watch.ts';

export interface FolderTreeOptions {
  readonly root: string;
  readonly excluder: Excluder;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Counts the events of all watches in the process; see `WatchOptions.overflows`. */
  readonly overflows?: OverflowDetector;
}

/** A job's callbacks. */
export interface TreeHooks {
  /** Called when this path may have changed and must therefore be scanned. */
  readonly onHint: (path: string) => void;
  /** Called when file events may have been lost, so that the whole folder must be scanned. */
  readonly onOverflow: (reason: string) => void;
  /**
   * Called when another job starts a full scan. If this job scans soon afterwards, it can reuse the other job's
   * listings.
   */
  readonly onScan: () => void;
}

export interface ListOptions {
  /** A reading of the tree's logical clock. A listing that began later is recent enough. */
  readonly after: number;
  readonly signal: AbortSignal;
}

/** Data about a listing that several jobs share. */
interface Shared {
  /** The listed folder's own entry. */
  folderEntry?: { readonly entry: LocalEntry | undefined };
  /** Resolves when the folders in the listing are watched. */
  watched?: Promise<void>;
}

/** Maximum number of replaced folders that are remembered while a job runs no rounds: about 10 MB of memory. */
const MAX_REPLACED = 100_000;

export class FolderTree {
  readonly excluder: Excluder;
  readonly root: string;
  readonly #digests = new Digests();
  readonly #members = new Set<TreeMember>();
  readonly #watching = new Set<TreeMember>();
  readonly #watch: FolderWatch;
  readonly #kept: KeptListings<TreeMember>;
  #shared = new WeakMap<FolderScan, Shared>();
  /**
   * For each folder, the logical time when its exclusion rules last changed. Earlier listings of the folder, and of
   * everything below it, were made with other rules.
   */
  readonly #rulesAt = new Map<string, number>();
  #moment = 0;
  #hintedAt = 0;

  constructor(options: FolderTreeOptions) {
    const { root, excluder, clock } = options;
    this.#kept = new KeptListings(clock);
    this.root = root;
    this.excluder = {
      ...excluder,
      enter: (directory, names) => {
        const seen = excluder.enter(directory, names);
        if (seen.changed) this.#noteRules(directory);
        return seen;
      },
    };
    this.#watch = new FolderWatch(() =>
      watchTree({
        ...options,
        excluder: this.excluder,
        onHint: (path, scope) => this.#hint(path, scope === 'tree'),
        onOverflow: (reason) => this.#overflow(reason),
      }),
    );
  }

  join(hooks: TreeHooks): TreeMember {
    const member = new TreeMember(this, hooks);
    this.#members.add(member);
    return member;
  }

  get isUnused(): boolean {
    return this.#members.size === 0;
  }

  /** Returns the next reading of a logical clock. It is greater than all earlier readings. */
  moment(): number {
    return ++this.#moment;
  }

  async leave(member: TreeMember): Promise<void> {
    this.#members.delete(member);
    this.#watching.delete(member);
    if (this.#members.size < 2) this.#kept.clear();
    if (this.#watching.size === 0) await this.#unwatchAll();
  }

  /**
   * Stops watching a folder that no longer exists. If there are several jobs, checks again whether the folder exists,
   * because a job that lags behind may report a folder that has been created again.
   */
  unwatch(directory: string): void {
    if (this.#members.size > 1 && recheckFolder(this.root, directory)) return;
    this.#watch.remove(directory);
  }

  coverage(missed: string | undefined): Coverage | undefined {
    return this.#watch.coverage(missed);
  }

  /**
   * Closes all watches because the root is missing or was replaced. The other jobs then scan the whole folder, so that
   * all watches are set again.
   */
  async closeWatch(by: TreeMember): Promise<void> {
    // A job that has not added watches since the last close must not close the watches of other jobs.
    if (!this.#watching.has(by)) return;
    const closed = this.#unwatchAll();
    const reason = 'the folder was missing';
    for (const member of this.#members) if (member !== by) member.hooks.onOverflow(reason);
    await closed;
  }

  /** Returns another job's listing of the folder, if there is a recent one. */
  known(receiver: TreeMember, directory: string, after: number): FolderScan | undefined {
    const newest = Math.max(after, this.#rulesAbove(directory));
    return this.#kept.take(directory, {
      receiver,
      receiverCount: this.#members.size,
      after: newest,
    });
  }

  /** Keeps a listing for the other jobs. `begunAt` is a logical time before the listing began. */
  keep(member: TreeMember, scan: FolderScan, begunAt: number): void {
    // A folder is listed in slices, so a part of the listing may be older than a hint that arrived in between.
    if (this.#members.size < 2 || this.#hintedAt > begunAt) return;
    if (!scan.rulesChanged && this.#rulesOf(scan.directory) > begunAt) return;
    this.#kept.keep(scan, begunAt, member);
  }

  /** Watches folders before they are listed. Watches them only once for all jobs that share the listing `scan`. */
  watchWithin(
    member: TreeMember,
    directories: readonly string[],
    scan: FolderScan | undefined,
  ): Promise<void> {
    this.#watching.add(member);
    const shared = scan && this.#sharedOf(scan);
    if (!shared) return this.#watch.add(directories);
    return (shared.watched ??= this.#watch.add(directories));
  }

  ownOf(scan: FolderScan): LocalEntry | undefined {
    const readOwn = () => ({ entry: recheckFolder(this.root, scan.directory) });
    const shared = this.#sharedOf(scan);
    return (shared ? (shared.folderEntry ??= readOwn()) : readOwn()).entry;
  }

  /** Returns the digests that the jobs share; undefined if no other job has this folder. */
  digests(): Digests | undefined {
    return this.#members.size > 1 ? this.#digests : undefined;
  }

  reportScan(by: TreeMember): void {
    for (const member of this.#members) if (member !== by) member.hooks.onScan();
  }

  #unwatchAll(): Promise<void> {
    this.#watching.clear();
    this.#kept.clear();
    this.#digests.clear();
    this.#shared = new WeakMap();
    return this.#watch.close();
  }

  #sharedOf(scan: FolderScan): Shared | undefined {
    if (this.#members.size < 2) return undefined;
    const shared = this.#shared.get(scan) ?? {};
    this.#shared.set(scan, shared);
    return shared;
  }

  #noteRules(directory: string): void {
    this.#rulesAt.set(directory, this.moment());
    this.#kept.drop(directory);
    for (const member of this.#members) member.noteRules(directory);
  }

  #rulesOf(directory: string): number {
    return this.#rulesAt.get(directory) ?? 0;
  }

  #rulesAbove(directory: string): number {
    let newest = 0;
    for (let folder = directory; folder !== '';) {
      folder = parentOf(folder);
      newest = Math.max(newest, this.#rulesOf(folder));
    }
    return newest;
  }

  #hint(path: string, isReplaced: boolean): void {
    this.#hintedAt = this.moment();
    this.digests()?.forget(`${this.root}/${path}`);
    this.#kept.drop(path);
    this.#kept.drop(parentOf(path));
    for (const member of this.#members) member.hint(path, isReplaced);
  }

  #overflow(reason: string): void {
    this.#hintedAt = this.moment();
    this.#kept.clear();
    this.#digests.clear();
    for (const { hooks } of this.#members) hooks.onOverflow(reason);
  }
}

/** One job's access to a folder tree that several jobs may share. */
export class TreeMember {
  readonly hooks: TreeHooks;
  readonly #tree: FolderTree;
  /** Folders whose exclusion rules changed since this job received their listing, whichever job noticed the change. */
  readonly #rulesChanged = new Set<string>();
  /** Folders that are new, exist again, or replaced another folder. */
  #replaced = new Set<string>();

  constructor(tree: FolderTree, hooks: TreeHooks) {
    this.#tree = tree;
    this.hooks = hooks;
  }

  get excluder(): Excluder {
    return this.#tree.excluder;
  }

  digests(): Digests | undefined {
    return this.#tree.digests();
  }

  moment(): number {
    return this.#tree.moment();
  }

  /** Lists a folder, or returns another job's listing that began after the logical time `after`. */
  async list(directory: string, after: number): Promise<FolderScan> {
    const known = this.#tree.known(this, directory, after);
    if (known) return this.#withRules(known);
    const begunAt = this.moment();
    const scan = await scanFolder(this.#tree.root, directory, this.#tree.excluder);
    this.#tree.keep(this, scan, begunAt);
    return this.#withRules(scan);
  }

  /** Lists a folder and everything below it, like `scanTree`. Each folder is watched before it is listed. */
  async *listAll(directory: string, { after, signal }: ListOptions): AsyncGenerator<FolderScan> {
    const { root, excluder } = this.#tree;
    let begunAt = 0;
    const scans = scanTree(root, directory, excluder, {
      signal,
      known: (folder) => {
        begunAt = this.moment();
        return this.#tree.known(this, folder, after);
      },
      onListed: (scan) => this.#tree.keep(this, scan, begunAt),
      beforeFolders: (folders, within) => this.#tree.watchWithin(this, folders, within),
    });
    for await (const scan of scans) yield this.#withRules(scan);
  }

  /**
   * Returns the listed folder's own entry at the time of the listing; undefined for the root and for a folder that no
   * longer exists.
   */
  own(scan: FolderScan): LocalEntry | undefined {
    return this.#tree.ownOf(scan);
  }

  unwatch(directory: string): void {
    this.#tree.unwatch(directory);
  }

  coverage(missed: string | undefined): Coverage | undefined {
    return this.#tree.coverage(missed);
  }

  /** Closes the watches because the root is missing or was replaced. */
  closeWatch(): Promise<void> {
    return this.#tree.closeWatch(this);
  }

  /** Notifies the other jobs that this job starts to scan the whole folder. */
  reportScan(): void {
    this.#tree.reportScan(this);
  }

  hint(path: string, isReplaced: boolean): void {
    this.hooks.onHint(path);
    if (!isReplaced) return;
    this.#replaced.add(path);
    if (this.#replaced.size <= MAX_REPLACED) return;
    this.#replaced.clear();
    this.hooks.onOverflow(`more than ${MAX_REPLACED} folders were created or moved`);
  }

  /**
   * Returns and clears the replaced folders for a round that begins. Everything below them must be listed, even if it
   * was listed before.
   */
  takeReplacedFolders(): ReadonlySet<string> {
    const replaced = this.#replaced;
    this.#replaced = new Set();
    return replaced;
  }

  noteRules(directory: string): void {
    this.#rulesChanged.add(directory);
  }

  leave(): Promise<void> {
    return this.#tree.leave(this);
  }

  #withRules(scan: FolderScan): FolderScan {
    const rulesChanged = this.#rulesChanged.delete(scan.directory);
    return rulesChanged === scan.rulesChanged ? scan : { ...scan, rulesChanged };
  }
}
