/**
 * Manages a restore's target folder. Never follows a symbolic link in it, and sets aside every entry that the restore
 * replaces.
 */

import { hash } from 'node:crypto';
import {
  type BigIntStats,
  chmodSync,
  chownSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { basename } from 'node:path';

import type { StoredAttributes } from '../mirror/objects/object-metadata.ts';
import { PLAIN_FOLDER_MODE, sameState, within } from '../mirror/local/local-entry.ts';
import { HeldFolder, inFolder } from '../mirror/local/held-folder.ts';
import { parentOf } from '../mirror/model/local-path.ts';
import { RESTORES_OWNERS } from '../mirror/objects/privileges.ts';
import { isPartialName } from '../mirror/local/temporary-name.ts';
import { attributesIn, hasMode, ownerToSet } from '../mirror/objects/applied-metadata.ts';
import { mtimeOf } from '../mirror/transfer/write-file.ts';
import { RESUMABLE_BYTES } from './partial-files.ts';
import type { FinishedFolder, FolderState, LinkTarget } from './restore-table.ts';
import type { WayMaker } from './set-aside.ts';
import type { SetMtime } from '../mirror/local/set-mtime.ts';

/** Mode of a folder before it gets its final mode, so that no other user can read its files too early. */
export const UNFINISHED_FOLDER_MODE = 0o700;
const PERMISSION_BITS = 0o7777n;

/** Attributes of the target folder. Unknown attributes are absent and remain unchanged. */
export type RootAttributes = Pick<StoredAttributes, 'mode' | 'uid' | 'gid' | 'mtimeNs'>;

export interface RestoreFolderOptions {
  /** The target folder as an absolute path without symbolic links. */
  readonly to: string;
  readonly aside: WayMaker;
  readonly setMtime: SetMtime;
  /** Whether existing folders without an object also get the default mode for folders. */
  readonly exact: boolean;
}

export class RestoreFolder {
  readonly #options: RestoreFolderOptions;
  /**
   * Names in the last listed folder at the time of the listing. Any names that were added later belong to other
   * programs.
   */
  #listed: { readonly folder: string; readonly names: ReadonlySet<string> } | undefined;
  /** Paths of large temporary files from an interrupted restore. */
  readonly #partialPaths: string[] = [];

  constructor(options: RestoreFolderOptions) {
    this.#options = options;
  }

  absolute(path: string): string {
    return path === '' ? this.#options.to : `${this.#options.to}/${path}`;
  }

  statsOf(path: string): BigIntStats | undefined {
    return lstatSync(this.absolute(path), { bigint: true, throwIfNoEntry: false });
  }

  /** Opens a folder in such a way that all operations stay inside it. Throws the errors of `HeldFolder`. */
  hold(path: string): HeldFolder {
    return new HeldFolder(this.#options.to, path);
  }

  /** Opens a folder so that its entries can be synced. The caller must close the descriptor. */
  openFolder(path: string): number {
    return this.#inside(path, ({ openPath }) => openSync(openPath, 'r'));
  }

  /** Creates a folder or reuses an existing one. `isPlain` means that no object contains the folder's attributes. */
  makeFolder(path: string, isPlain: boolean): FolderState {
    const stats = this.statsOf(path);
    if (stats?.isDirectory()) return this.#useFolder(path, Number(stats.mode & PERMISSION_BITS));
    if (stats) this.#setAside(path);
    this.#inParent(path, (name) => mkdirSync(name, { mode: UNFINISHED_FOLDER_MODE }));
    if (isPlain) this.#inside(path, ({ openPath }) => chmodSync(openPath, PLAIN_FOLDER_MODE));
    return { isNew: true };
  }

  /** Makes an existing folder writable, and removes temporary files that a killed restore left in it. */
  #useFolder(path: string, mode: number): FolderState {
    const isUsable = (mode & UNFINISHED_FOLDER_MODE) === UNFINISHED_FOLDER_MODE;
    if (!isUsable)
      this.#inside(path, ({ openPath }) => chmodSync(openPath, mode | UNFINISHED_FOLDER_MODE));
    this.removeHalfFiles(path);
    return { isNew: false, ...(!isUsable && { modeBefore: mode }) };
  }

  /**
   * Removes temporary files that an interrupted restore left in a folder, except those that this restore may continue.
   */
  removeHalfFiles(path: string): void {
    this.#inside(path, (folder) => {
      for (const name of readdirSync(folder.openPath)) {
        const stats = isPartialName(name) ? folder.lstat(name) : undefined;
        if (!stats?.isFile()) continue;
        if (stats.size >= BigInt(RESUMABLE_BYTES)) this.#partialPaths.push(within(path, name));
        else rmSync(folder.at(name));
      }
    });
  }

  /**
   * Removes the remaining temporary files of an interrupted restore, because their objects have changed or are already
   * restored.
   */
  removeUnusedPartials(): void {
    for (const path of this.#partialPaths)
      this.#inParent(path, (name) => rmSync(name, { force: true }));
  }

  /**
   * Sets aside the entry at a path. `seen` is the entry's state when the restore decided to replace it. Throws EEXIST
   * if the entry appeared or changed after that.
   */
  makeWay(path: string, seen: BigIntStats | undefined): void {
    const now = this.statsOf(path);
    if (!now) return;
    if (!seen || !sameState(seen, now)) throw exists(this.absolute(path));
    this.#setAside(path);
  }

  /**
   * Moves an entry out of the way. On a file system that ignores case or Unicode form, the path may find an entry with
   * a different spelling that belongs to another key. In this case, throws EEXIST.
   */
  #setAside(path: string): void {
    this.#inside(parentOf(path), (held) => {
      const folder = parentOf(path);
      if (this.#listed?.folder !== folder)
        this.#listed = { folder, names: new Set(readdirSync(held.openPath)) };
      if (!this.#listed.names.has(basename(path))) throw exists(this.absolute(path));
      this.#options.aside.move(path, held);
    });
  }

  #inside<T>(path: string, use: (folder: HeldFolder) => T): T {
    return inFolder(this.#options.to, path, use);
  }

  /** Calls `use` with an absolute path for the entry that contains no symbolic link. */
  #inParent<T>(path: string, use: (name: string) => T): T {
    return this.#inside(parentOf(path), (folder) => use(folder.at(basename(path))));
  }

  /** Returns whether the path is a symbolic link whose target has this SHA-256. */
  isLinkOf(path: string, sha256: string | undefined): boolean {
    if (!this.statsOf(path)?.isSymbolicLink()) return false;
    const target = readlinkSync(this.absolute(path), { encoding: 'buffer' });
    return hash('sha256', target) === sha256;
  }

  /**
   * Creates a symbolic link with this target unless it already exists. Returns whether it was created. Sets the link's
   * owner and mtime.
   */
  makeLink({ path, target, ...info }: LinkTarget): boolean {
    const stats = this.statsOf(path);
    const bytes = Buffer.from(target);
    const attributes = attributesIn(info);
    return this.#inParent(path, (name) => {
      const isThere =
        stats?.isSymbolicLink() === true &&
        readlinkSync(name, { encoding: 'buffer' }).equals(bytes);
      if (!isThere) {
        this.makeWay(path, stats);
        symlinkSync(bytes, name);
      }
      const owner = ownerToSet(lstatSync(name, { bigint: true }), attributes);
      if (owner) lchownSync(name, owner.uid, owner.gid);
      this.#setMtime(name, mtimeOf(attributes, info.lastModifiedAt));
      return !isThere;
    });
  }

  /** Sets an entry's modification time. If that is already right, changes nothing, so that the ctime stays the same. */
  #setMtime(name: string, mtimeNs: bigint): void {
    if (lstatSync(name, { bigint: true }).mtimeNs !== mtimeNs)
      this.#options.setMtime(name, mtimeNs);
  }

  /** Sets the attributes of the restore's target folder. */
  finishRoot({ mode, uid, gid, mtimeNs }: RootAttributes): void {
    this.#inside('', ({ openPath }) => {
      if (RESTORES_OWNERS && uid !== undefined && gid !== undefined) chownSync(openPath, uid, gid);
      if (mode !== undefined) chmodSync(openPath, mode);
    });
    if (mtimeNs !== undefined) this.#options.setMtime(this.absolute(''), mtimeNs);
  }

  /**
   * Sets a folder's final owner, mode and mtime. Must be called after all files in the folder are written, because they
   * change its mtime and require write permission.
   */
  finishFolder({ path, isNew, modeBefore, info }: FinishedFolder): void {
    const attributes = info && attributesIn(info);
    const { mode } = attributes ?? {};
    const plain = isNew || this.#options.exact || info ? PLAIN_FOLDER_MODE : modeBefore;
    const wanted = mode ?? plain;
    this.#inside(path, ({ openPath }) => {
      const owner = attributes && ownerToSet(statSync(openPath, { bigint: true }), attributes);
      if (owner) chownSync(openPath, owner.uid, owner.gid);
      if (wanted === undefined) return;
      const { mode: found } = statSync(openPath, { bigint: true });
      if (!hasMode(found, { kind: 'directory', ...attributes, mode: wanted }))
        chmodSync(openPath, wanted);
    });
    // The mtime is set by name, because a folder without search permission cannot be opened. If a symbolic link has
    // replaced the folder, only the link's own mtime is set.
    this.#inParent(path, (name) => {
      if (attributes && info) this.#setMtime(name, mtimeOf(attributes, info.lastModifiedAt));
    });
  }
}

function exists(path: string): Error {
  const message = `${path} already exists, perhaps with a name that differs in case or Unicode form, or it was just changed`;
  return Object.assign(new Error(message), { code: 'EEXIST' });
}
