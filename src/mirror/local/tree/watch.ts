/**
 * Watches folders through chokidar. Its events are only hints about what to scan first. If an event is missed, a later
 * scan finds the change.
 */

import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Clock } from '../../../base/clock.ts';
import { defined } from '../../../base/defined.ts';
import { errorCode } from '../../../base/errors.ts';
import type { Logger } from '../../../base/logger.ts';
import { OverflowDetector } from './overflow-detector.ts';
import type { Excluder } from '../exclude.ts';
import { within } from '../local-entry.ts';
import { isRuleFile } from '../tree-rules.ts';
import { openWatchGroup, type WatchGroup } from './watch-group.ts';

export interface WatchOptions {
  readonly root: string;
  readonly excluder: Excluder;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Counts the events of all watches in the process. If absent, only this watch's events are counted. */
  readonly overflows?: OverflowDetector;
  /**
   * Called when a path may have changed. `entry`: scan this path. `folder`: list this folder and everything new below
   * it. `tree`: list everything below this folder, even if it was listed before, because the folder is new, exists
   * again or replaced another folder, and is not watched.
   */
  readonly onHint: (path: string, scope: 'entry' | 'folder' | 'tree') => void;
  /** Called when file events may have been lost, so that the whole folder must be scanned. */
  readonly onOverflow: (reason: string) => void;
}

export interface Coverage {
  /** Number of watched folders. */
  readonly watched: number;
  /** Number of folders without a watch. They are polled every minute instead. */
  readonly polled: number;
  /** Why folders are polled, and what the user can do. */
  readonly reason?: string;
  /** Path of a change without an event. If present, all folders are polled. */
  readonly missed?: string;
}

export interface TreeWatch {
  /**
   * Watches folders. Resolves when each folder is either watched or known to be polled, so that the caller may list it.
   * A folder that is already watched costs one lstat. Never rejects.
   */
  addFolders(paths: readonly string[]): Promise<void>;
  removeFolder(path: string): void;
  coverage(): Coverage;
  close(): Promise<void>;
}

/**
 * Number of folders in a watch group. The more folders are added at once, the more memory and system calls chokidar
 * needs; but each group costs a few KB.
 */
const GROUP_FOLDERS = 16;

/**
 * Number of folders that are checked before the event loop runs again, because even a folder that is already watched
 * costs one lstat.
 */
const CHECKED_AT_ONCE = 250;
const POLL_INTERVAL_MS = 60_000;

interface Watched {
  readonly group: WatchGroup;
  /** Identity of the watched folder. If another folder takes its path, that folder needs a new watch. */
  readonly identity: string;
}

/** Creates a watch without any folders. Throws a system error if the root does not exist. */
export function watchTree(options: WatchOptions): TreeWatch {
  return new ChokidarTreeWatch(options);
}

/** A watch that opens when the first folder is added, and reopens after it was closed. */
export class FolderWatch {
  readonly #open: () => TreeWatch;
  #watch: TreeWatch | undefined;

  constructor(open: () => TreeWatch) {
    this.#open = open;
  }

  add(directories: readonly string[]): Promise<void> {
    this.#watch ??= this.#open();
    return this.#watch.addFolders(directories);
  }

  remove(directory: string): void {
    this.#watch?.removeFolder(directory);
  }

  /**
   * Returns how many folders are watched and polled; undefined while the watch is closed. `missed` is the path of a
   * change without an event.
   */
  coverage(missed: string | undefined): Coverage | undefined {
    const coverage = this.#watch?.coverage();
    return coverage && { ...coverage, ...defined({ missed }) };
  }

  async close(): Promise<void> {
    const watch = this.#watch;
    this.#watch = undefined;
    await watch?.close();
  }
}

class ChokidarTreeWatch implements TreeWatch {
  readonly #options: WatchOptions;
  readonly #root: string;
  readonly #folders = new Map<string, Watched>();
  readonly #polled = new Map<string, string>();
  readonly #closing = new Set<Promise<void>>();
  /** Paths that had an event since the last turn of the event loop. */
  readonly #touched = new Set<string>();
  readonly #overflows: OverflowDetector;
  readonly #unlisten: () => void;
  #hasOverflowed = false;
  #flush: NodeJS.Immediate | undefined;
  #cancelPoll: (() => void) | undefined;
  #closed = false;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#root = realpathSync(options.root);
    this.#overflows = options.overflows ?? new OverflowDetector();
    this.#unlisten = this.#overflows.onFull(() => {
      this.#hasOverflowed = true;
      this.#flushSoon();
    });
  }

  async addFolders(paths: readonly string[]): Promise<void> {
    let group: string[] = [];
    for (const [index, path] of paths.entries()) {
      if (index % CHECKED_AT_ONCE === CHECKED_AT_ONCE - 1) await nextTurn();
      if (this.#closed) return;
      if (!this.#isWatched(path) && group.push(path) === GROUP_FOLDERS)
        await this.#watch(group.splice(0));
    }
    await this.#watch(group);
  }

  removeFolder(path: string): void {
    this.#polled.delete(path);
    const watched = this.#folders.get(path);
    if (!watched) return;
    this.#folders.delete(path);
    this.#track(watched.group.remove(this.#absolute(path)));
  }

  coverage(): Coverage {
    const [reason] = this.#polled.values();
    const counts = { watched: this.#folders.size, polled: this.#polled.size };
    return reason === undefined ? counts : { ...counts, reason };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#unlisten();
    clearImmediate(this.#flush);
    this.#cancelPoll?.();
    const groups = new Set([...this.#folders.values()].map(({ group }) => group));
    this.#folders.clear();
    await Promise.all([...[...groups].map((group) => group.close()), ...this.#closing]);
  }

  #isWatched(path: string): boolean {
    const watched = this.#folders.get(path);
    if (!watched) return false;
    if (watched.identity === identityOf(tryLstat(this.#absolute(path)))) return true;
    this.removeFolder(path);
    return false;
  }

  async #watch(paths: readonly string[]): Promise<void> {
    const present = paths.map((path) => ({ path, stats: tryLstat(this.#absolute(path)) }));
    const folders = present.filter(({ stats }) => stats?.isDirectory());
    if (folders.length === 0) return;
    const group = openWatchGroup({
      folders: folders.map(({ path }) => this.#absolute(path)),
      onEvent: (folder, name) => this.#noteEvent(folder, name),
      onAnyEvent: () => this.#overflows.note(),
      onFailure: (folder, error) => this.#poll(this.#relative(folder), error),
    });
    for (const { path, stats } of folders) {
      this.#polled.delete(path);
      this.#folders.set(path, { group, identity: identityOf(stats) });
    }
    await group.ready();
  }

  #poll(path: string, error: Error): void {
    this.removeFolder(path);
    if (this.#polled.size === 0) {
      this.#options.logger.warn(
        { path, error: error.message },
        'watch folders: some folders are polled instead',
      );
      this.#awaitPoll();
    }
    this.#polled.set(path, explain(path, error));
  }

  #awaitPoll(): void {
    this.#cancelPoll?.();
    this.#cancelPoll = this.#options.clock.after(POLL_INTERVAL_MS, () => {
      for (const folder of this.#polled.keys()) this.#options.onHint(folder, 'folder');
      if (this.#polled.size > 0) this.#awaitPoll();
    });
  }

  #noteEvent(folder: string, name: string | null): void {
    if (this.#closed) return;
    const path = this.#relative(folder);
    this.#touched.add(name === null ? path : within(path, name));
    // The removal of a watched folder is an event with the folder's own name. For the root, no watched parent could
    // report the removal.
    if (name === basename(folder)) this.#touched.add(path);
    this.#flushSoon();
  }

  #flushSoon(): void {
    this.#flush ??= setImmediate(() => this.#sendHints());
  }

  #sendHints(): void {
    this.#flush = undefined;
    const touched = [...this.#touched];
    const hasOverflowed = this.#hasOverflowed;
    this.#touched.clear();
    this.#hasOverflowed = false;
    if (hasOverflowed) this.#options.onOverflow("the kernel's event queue overflowed");
    else for (const path of touched) this.#sendHint(path);
  }

  #sendHint(path: string): void {
    const stats = tryLstat(this.#absolute(path));
    if (this.#folders.has(path) && !this.#isWatched(path)) {
      this.#forgetBelow(path);
      // No other watch reports that the root exists again, or which entries the new root contains.
      if (path === '') return this.#options.onOverflow('the folder was moved or removed');
    }
    if (path !== '' && this.#isExcluded(path, stats)) return;
    this.#options.onHint(path, this.#scopeOf(path, stats));
  }

  #scopeOf(path: string, stats: Stats | undefined): 'entry' | 'folder' | 'tree' {
    if (path === '') return 'folder';
    if (!stats?.isDirectory()) return 'entry';
    return this.#folders.has(path) || this.#polled.has(path) ? 'folder' : 'tree';
  }

  #isExcluded(path: string, stats: Stats | undefined): boolean {
    // Exclusion rules apply even if the file that contains them is excluded.
    if (isRuleFile(basename(path))) return false;
    const { excluder } = this.#options;
    const isFolder = stats?.isDirectory() ?? false;
    return (
      (isFolder && stats !== undefined && excluder.protects(stats)) ||
      excluder.excludes(path, isFolder)
    );
  }

  #forgetBelow(path: string): void {
    for (const folder of this.#folders.keys())
      if (path === '' || folder.startsWith(`${path}/`)) this.removeFolder(folder);
  }

  #track(closing: Promise<void>): void {
    this.#closing.add(closing);
    void closing.finally(() => this.#closing.delete(closing));
  }

  #absolute(path: string): string {
    return path === '' ? this.#root : join(this.#root, path);
  }

  #relative(absolute: string): string {
    return relative(this.#root, absolute);
  }
}

/** Returns the lstat result; undefined if the path does not exist or cannot be read. */
function tryLstat(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/**
 * Returns a folder's identity; empty if the folder does not exist. A file system may reuse a removed folder's inode
 * number, but then the creation time differs.
 */
function identityOf(stats: Stats | undefined): string {
  return stats ? `${stats.dev}:${stats.ino}:${stats.birthtimeMs}` : '';
}

function explain(path: string, error: Error): string {
  const code = errorCode(error);
  if (code === 'ENOSPC')
    return 'cannot watch more folders: the limit of inotify watches is reached; raise it with `sudo sysctl fs.inotify.max_user_watches=1048576`';
  if (code === 'EMFILE')
    return 'cannot watch folders: the limit of inotify instances is reached; raise it with `sudo sysctl fs.inotify.max_user_instances=1024`';
  return `cannot watch folder ${path}: ${error.message}`;
}
