/**
 * A folder as the jobs see it that mirror it: watched once for all of them, and listed once where they look at about the
 * same time. Each of them goes its own way otherwise: what one lists is kept for the others for a while, and who comes
 * too late for it lists again, so that nobody waits for anybody.
 */

import type { Clock } from '../../../base/clock.ts';
import type { Logger } from '../../../base/logger.ts';
import type { LocalEntry } from '../../model/types.ts';
import { Digests } from '../digests.ts';
import type { Excluder } from '../exclude.ts';
import { recheckFolder } from './folder-difference.ts';
import { FolderWatch } from './folder-watch.ts';
import { KeptListings } from './kept-listings.ts';
import { parentOf } from '../../model/local-path.ts';
import { type FolderScan, scanFolder, scanTree } from '../scan.ts';
import { type Coverage, watchTree } from './watch.ts';

export interface FolderTreeOptions {
  readonly root: string;
  readonly excluder: Excluder;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What a job is told. */
export interface TreeHooks {
  /** Look at this path. */
  readonly onHint: (path: string) => void;
  /** Hints may have been lost: everything is to be scanned. */
  readonly onOverflow: (reason: string) => void;
  /** Another job scans everything now: who does so soon has it for nothing. */
  readonly onScan: () => void;
}

export interface ListOptions {
  /** A listing that began after this moment will do. */
  readonly after: number;
  readonly signal: AbortSignal;
}

/** What goes with a listing that several have. */
interface Shared {
  /** The folder itself. */
  own?: { readonly entry: LocalEntry | undefined };
  /** When the folders in it are watched. */
  watched?: Promise<void>;
}

/** Some 10 MB, where a job rests. */
const MOST_OTHERS = 100_000;

export class FolderTree {
  readonly excluder: Excluder;
  readonly root: string;
  readonly #digests = new Digests();
  readonly #members = new Set<TreeMember>();
  readonly #watching = new Set<TreeMember>();
  readonly #watch: FolderWatch;
  readonly #kept: KeptListings<TreeMember>;
  #shared = new WeakMap<FolderScan, Shared>();
  /** When the rules of a folder were read anew: listings of before, of it and below, are by others. */
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

  /** Comes after all that were told before. */
  moment(): number {
    return ++this.#moment;
  }

  async leave(member: TreeMember): Promise<void> {
    this.#members.delete(member);
    this.#watching.delete(member);
    if (this.#members.size < 2) this.#kept.clear();
    if (this.#watching.size === 0) await this.#unwatchAll();
  }

  /** One that is behind may find a folder gone that is there again. */
  unwatch(directory: string): void {
    if (this.#members.size > 1 && recheckFolder(this.root, directory)) return;
    this.#watch.remove(directory);
  }

  coverage(missed: string | undefined): Coverage | undefined {
    return this.#watch.coverage(missed);
  }

  /** The folder is gone, or another one: whoever still has it looks, and has it watched anew. */
  async closeWatch(by: TreeMember): Promise<void> {
    // Who has not watched it since the last time knows nothing of what is watched now.
    if (!this.#watching.has(by)) return;
    const closed = this.#unwatchAll();
    const reason = 'the folder was not there';
    for (const member of this.#members) if (member !== by) member.hooks.onOverflow(reason);
    await closed;
  }

  /** A listing of others that will do, if there is one. */
  known(taker: TreeMember, directory: string, after: number): FolderScan | undefined {
    const newest = Math.max(after, this.#rulesAbove(directory));
    return this.#kept.take(directory, { taker, takers: this.#members.size, after: newest });
  }

  /** `begunAt`: a moment before it. */
  keep(member: TreeMember, scan: FolderScan, begunAt: number): void {
    // Of a folder that is listed in slices, a part may be older than what was told meanwhile.
    if (this.#members.size < 2 || this.#hintedAt > begunAt) return;
    if (!scan.rulesChanged && this.#rulesOf(scan.directory) > begunAt) return;
    this.#kept.keep(scan, begunAt, member);
  }

  /** Before the folders of a listing are listed; once for all that have it. */
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
    const look = () => ({ entry: recheckFolder(this.root, scan.directory) });
    const shared = this.#sharedOf(scan);
    return (shared ? (shared.own ??= look()) : look()).entry;
  }

  /** Undefined where nobody else would have them. */
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

  #hint(path: string, isOther: boolean): void {
    this.#hintedAt = this.moment();
    this.digests()?.forget(`${this.root}/${path}`);
    this.#kept.drop(path);
    this.#kept.drop(parentOf(path));
    for (const member of this.#members) member.hint(path, isOther);
  }

  #overflow(reason: string): void {
    this.#hintedAt = this.moment();
    this.#kept.clear();
    this.#digests.clear();
    for (const { hooks } of this.#members) hooks.onOverflow(reason);
  }
}

/** One job's view of it. */
export class TreeMember {
  readonly hooks: TreeHooks;
  readonly #tree: FolderTree;
  /** Folders whose rules changed since it had their listing, whoever noticed it. */
  readonly #rulesChanged = new Set<string>();
  /** Folders that have come, came back or took another one's place. */
  #others = new Set<string>();

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

  /** One folder. */
  async list(directory: string, after: number): Promise<FolderScan> {
    const known = this.#tree.known(this, directory, after);
    if (known) return this.#withRules(known);
    const begunAt = this.moment();
    const scan = await scanFolder(this.#tree.root, directory, this.#tree.excluder);
    this.#tree.keep(this, scan, begunAt);
    return this.#withRules(scan);
  }

  /** A folder and all below it, as `scanTree`; each is watched before it is listed. */
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

  /** The folder itself, as it was when it was listed; undefined for the root, and for one that is gone. */
  own(scan: FolderScan): LocalEntry | undefined {
    return this.#tree.ownOf(scan);
  }

  unwatch(directory: string): void {
    this.#tree.unwatch(directory);
  }

  coverage(missed: string | undefined): Coverage | undefined {
    return this.#tree.coverage(missed);
  }

  /** As the folder is gone, or another one. */
  closeWatch(): Promise<void> {
    return this.#tree.closeWatch(this);
  }

  /** It scans everything now, unasked. */
  reportScan(): void {
    this.#tree.reportScan(this);
  }

  hint(path: string, isOther: boolean): void {
    this.hooks.onHint(path);
    if (!isOther) return;
    this.#others.add(path);
    if (this.#others.size <= MOST_OTHERS) return;
    this.#others.clear();
    this.hooks.onOverflow(`${MOST_OTHERS} folders have come or moved`);
  }

  /** By a round that begins, and has the hints: what is below these is to be listed whatever is known of it. */
  takeOthers(): ReadonlySet<string> {
    const others = this.#others;
    this.#others = new Set();
    return others;
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
