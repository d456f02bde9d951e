/** The folder that is restored into. What stands there is looked at, never followed, and set aside before anything takes its place. */

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
import { PLAIN_FOLDER_MODE, sameState } from '../mirror/local/local-entry.ts';
import { HeldFolder, inFolder } from '../mirror/local/held-folder.ts';
import { parentOf } from '../mirror/model/local-path.ts';
import { RESTORES_OWNERS } from '../mirror/objects/privileges.ts';
import { isPartialName } from '../mirror/local/temporary-name.ts';
import { attributesIn, hasMode } from '../mirror/objects/applied-metadata.ts';
import { mtimeOf } from '../mirror/transfer/write-file.ts';
import type { FinishedFolder, FolderState, LinkTarget } from './restore-table.ts';
import type { SetAsideFolder } from './set-aside.ts';
import type { SetMtime } from '../mirror/local/set-mtime.ts';

/** Nobody else may look into a folder that has not got its own mode yet. */
export const UNFINISHED_FOLDER_MODE = 0o700;
const PERMISSION_BITS = 0o7777n;

/** Those that are known are set. */
export type RootAttributes = Pick<StoredAttributes, 'mode' | 'uid' | 'gid' | 'mtimeNs'>;

export interface DestinationOptions {
  /** Absolute, without links in it. */
  readonly to: string;
  readonly aside: SetAsideFolder;
  readonly setMtime: SetMtime;
  /** Folders whose object is missing become plain ones, also where they were there before. */
  readonly exact: boolean;
}

export class Destination {
  readonly #options: DestinationOptions;
  /** Names of the folder that was asked for last, as they were then: what came since is somebody's anyhow. */
  #listed: { readonly folder: string; readonly names: ReadonlySet<string> } | undefined;

  constructor(options: DestinationOptions) {
    this.#options = options;
  }

  absolute(path: string): string {
    return path === '' ? this.#options.to : `${this.#options.to}/${path}`;
  }

  look(path: string): BigIntStats | undefined {
    return lstatSync(this.absolute(path), { bigint: true, throwIfNoEntry: false });
  }

  /** The folder that a path is in: what is done in it stays in it. Throws as `HeldFolder`. */
  holdParent(path: string): HeldFolder {
    return new HeldFolder(this.#options.to, parentOf(path));
  }

  /** For a sync of what is in it: the caller closes it. */
  openFolder(path: string): number {
    return this.#inside(path, ({ openPath }) => openSync(openPath, 'r'));
  }

  /** `isPlain`: no object tells of its attributes. */
  makeFolder(path: string, isPlain: boolean): FolderState {
    const stats = this.look(path);
    if (stats?.isDirectory()) return this.#takeFolder(path, Number(stats.mode & PERMISSION_BITS));
    if (stats) this.#setAside(path);
    this.#inParent(path, (name) => mkdirSync(name, { mode: UNFINISHED_FOLDER_MODE }));
    if (isPlain) this.#inside(path, ({ openPath }) => chmodSync(openPath, PLAIN_FOLDER_MODE));
    return { isMade: true };
  }

  /** One that was there: it must take files, and what a killed restore left in it goes. */
  #takeFolder(path: string, mode: number): FolderState {
    const isUsable = (mode & UNFINISHED_FOLDER_MODE) === UNFINISHED_FOLDER_MODE;
    if (!isUsable)
      this.#inside(path, ({ openPath }) => chmodSync(openPath, mode | UNFINISHED_FOLDER_MODE));
    this.removeHalfFiles(path);
    return { isMade: false, ...(!isUsable && { modeBefore: mode }) };
  }

  removeHalfFiles(path: string): void {
    this.#inside(path, (folder) => {
      for (const name of readdirSync(folder.openPath))
        if (isPartialName(name) && folder.lstat(name)?.isFile()) rmSync(folder.at(name));
    });
  }

  /** `seen`: what stood there when it was decided that it must go. What came or changed since is somebody's. */
  makeWay(path: string, seen: BigIntStats | undefined): void {
    const now = this.look(path);
    if (!now) return;
    if (!seen || !sameState(seen, now)) throw exists(this.absolute(path));
    this.#setAside(path);
  }

  /** Where case or Unicode form do not count, a look finds what has another name: that belongs to another key. */
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

  /** `use` is told by which name the path is reached, through no link. */
  #inParent<T>(path: string, use: (name: string) => T): T {
    return this.#inside(parentOf(path), (folder) => use(folder.at(basename(path))));
  }

  /** Whether a link stands there whose target has this digest. */
  isLinkOf(path: string, sha256: string | undefined): boolean {
    if (!this.look(path)?.isSymbolicLink()) return false;
    const target = readlinkSync(this.absolute(path), { encoding: 'buffer' });
    return hash('sha256', target) === sha256;
  }

  /** Returns whether it was made anew. */
  makeLink({ path, target, ...info }: LinkTarget): boolean {
    const stats = this.look(path);
    const bytes = Buffer.from(target);
    const attributes = attributesIn(info);
    const { uid, gid } = attributes;
    return this.#inParent(path, (name) => {
      const isThere =
        stats?.isSymbolicLink() === true &&
        readlinkSync(name, { encoding: 'buffer' }).equals(bytes);
      if (!isThere) {
        this.makeWay(path, stats);
        symlinkSync(bytes, name);
      }
      if (RESTORES_OWNERS && uid !== undefined && gid !== undefined) lchownSync(name, uid, gid);
      this.#options.setMtime(name, mtimeOf(attributes, info.lastModifiedAt));
      return !isThere;
    });
  }

  /** The folder that is restored into. */
  finishRoot({ mode, uid, gid, mtimeNs }: RootAttributes): void {
    this.#inside('', ({ openPath }) => {
      if (RESTORES_OWNERS && uid !== undefined && gid !== undefined) chownSync(openPath, uid, gid);
      if (mode !== undefined) chmodSync(openPath, mode);
    });
    if (mtimeNs !== undefined) this.#options.setMtime(this.absolute(''), mtimeNs);
  }

  /** After all that is in it, since each file made there changes its mtime and needs its write permission. */
  finishFolder({ path, isMade, modeBefore, info }: FinishedFolder): void {
    const attributes = info && attributesIn(info);
    const { mode, uid, gid } = attributes ?? {};
    const plain = isMade || this.#options.exact || info ? PLAIN_FOLDER_MODE : modeBefore;
    const wanted = mode ?? plain;
    this.#inside(path, ({ openPath }) => {
      if (RESTORES_OWNERS && uid !== undefined && gid !== undefined) chownSync(openPath, uid, gid);
      if (wanted === undefined) return;
      const { mode: found } = statSync(openPath, { bigint: true });
      if (!hasMode(found, { kind: 'directory', ...attributes, mode: wanted }))
        chmodSync(openPath, wanted);
    });
    // By its name, since a folder that nobody may enter has no other; of a link it would be its own time.
    this.#inParent(path, (name) => {
      if (attributes && info)
        this.#options.setMtime(name, mtimeOf(attributes, info.lastModifiedAt));
    });
  }
}

function exists(path: string): Error {
  const message = `${path} exists, perhaps under another case or Unicode form, or was changed just now`;
  return Object.assign(new Error(message), { code: 'EEXIST' });
}
