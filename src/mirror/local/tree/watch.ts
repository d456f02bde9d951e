/** Hints where to scan first, from chokidar. Never the truth: a hint may be missed, and scans find it. */

import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Clock } from '../../../base/clock.ts';
import { errorCode } from '../../../base/errors.ts';
import type { Logger } from '../../../base/logger.ts';
import { kernelQueue } from './event-queue.ts';
import type { Excluder } from '../exclude.ts';
import { within } from '../local-entry.ts';
import { openWatchGroup, type WatchGroup } from './watch-group.ts';

export interface WatchOptions {
  readonly root: string;
  readonly excluder: Excluder;
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * `entry`: look at this path. `folder`: list this folder, and what is new below it. `tree`: list all below, whatever is
   * known of it: the folder has come, came back or took another one's place, and is not watched.
   */
  readonly onHint: (path: string, scope: 'entry' | 'folder' | 'tree') => void;
  /** Hints may have been lost: everything is to be scanned. */
  readonly onOverflow: (reason: string) => void;
}

export interface Coverage {
  /** Folders. */
  readonly watched: number;
  /** Folders without a watch; each is hinted at every minute. */
  readonly polled: number;
  /** Why there are polled ones, with what the user can do. */
  readonly reason?: string;
  /** A path that changed, and no event told: all is polled. */
  readonly missed?: string;
}

export interface TreeWatch {
  /**
   * Resolves when each folder is watched, or known to be polled: list them after that. Folders that are
   * watched already cost an lstat. Never rejects.
   */
  addFolders(paths: readonly string[]): Promise<void>;
  removeFolder(path: string): void;
  coverage(): Coverage;
  close(): Promise<void>;
}

/** chokidar's memory and its bursts of calls grow with the folders it is given at once; each group costs some KB. */
const GROUP_FOLDERS = 16;

/** Folders that are watched already cost a look: others have their turn between. */
const CHECKED_AT_ONCE = 250;
const POLL_INTERVAL_MS = 60_000;

interface Watched {
  readonly group: WatchGroup;
  /** Which folder was at the path: another one there needs another watch. */
  readonly identity: string;
}

/** Throws a system error when the root is not there. Watches nothing until folders are added. */
export function watchTree(options: WatchOptions): TreeWatch {
  return new ChokidarTreeWatch(options);
}

class ChokidarTreeWatch implements TreeWatch {
  readonly #options: WatchOptions;
  readonly #root: string;
  readonly #folders = new Map<string, Watched>();
  readonly #polled = new Map<string, string>();
  readonly #closing = new Set<Promise<void>>();
  /** Paths with events since the last turn of the event loop. */
  readonly #touched = new Set<string>();
  readonly #unlisten: () => void;
  #isOverflown = false;
  #flush: NodeJS.Immediate | undefined;
  #cancelPoll: (() => void) | undefined;
  #closed = false;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#root = realpathSync(options.root);
    this.#unlisten = kernelQueue.onFull(() => {
      this.#isOverflown = true;
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
    if (watched.identity === identityOf(lookAt(this.#absolute(path)))) return true;
    this.removeFolder(path);
    return false;
  }

  async #watch(paths: readonly string[]): Promise<void> {
    const present = paths.map((path) => ({ path, stats: lookAt(this.#absolute(path)) }));
    const folders = present.filter(({ stats }) => stats?.isDirectory());
    if (folders.length === 0) return;
    const group = openWatchGroup({
      folders: folders.map(({ path }) => this.#absolute(path)),
      onEvent: (folder, name) => this.#noteEvent(folder, name),
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
      this.#options.logger.warn({ path, error: error.message }, 'some folders are polled');
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
    // A folder tells its own removal by its own name, and the root has no parent to tell it.
    if (name === basename(folder)) this.#touched.add(path);
    this.#flushSoon();
  }

  #flushSoon(): void {
    this.#flush ??= setImmediate(() => this.#giveHints());
  }

  #giveHints(): void {
    this.#flush = undefined;
    const touched = [...this.#touched];
    const isOverflown = this.#isOverflown;
    this.#touched.clear();
    this.#isOverflown = false;
    if (isOverflown) this.#options.onOverflow("the kernel's queue of events was full");
    else for (const path of touched) this.#giveHint(path);
  }

  #giveHint(path: string): void {
    const stats = lookAt(this.#absolute(path));
    if (this.#folders.has(path) && !this.#isWatched(path)) {
      this.#forgetBelow(path);
      // Nobody else tells of the root when it comes back, or what is in another one.
      if (path === '') return this.#options.onOverflow('the folder was moved or removed');
    }
    if (path !== '' && this.#isLeftOut(path, stats)) return;
    this.#options.onHint(path, this.#scopeOf(path, stats));
  }

  #scopeOf(path: string, stats: Stats | undefined): 'entry' | 'folder' | 'tree' {
    if (path === '') return 'folder';
    if (!stats?.isDirectory()) return 'entry';
    return this.#folders.has(path) || this.#polled.has(path) ? 'folder' : 'tree';
  }

  #isLeftOut(path: string, stats: Stats | undefined): boolean {
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

/** Undefined for what is not there, and for what may not be looked at. */
function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** File systems give the inode of a removed folder to the next one: the time of birth tells them apart. */
function identityOf(stats: Stats | undefined): string {
  return stats ? `${stats.dev}:${stats.ino}:${stats.birthtimeMs}` : '';
}

function explain(path: string, error: Error): string {
  const code = errorCode(error);
  if (code === 'ENOSPC')
    return 'watch folders: the system allows no more watches; raise it with `sudo sysctl fs.inotify.max_user_watches=1048576`';
  if (code === 'EMFILE')
    return 'watch folders: the system allows no more watchers; raise it with `sudo sysctl fs.inotify.max_user_instances=1024`';
  return `watch ${path}: ${error.message}`;
}
