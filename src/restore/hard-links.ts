/**
 * Names of one file: each has its own object with all bytes; the first that is restored is the file, the others become
 * names of it, if it is still what was restored. Else they are files of their own.
 */

import { type BigIntStats, linkSync, renameSync, rmSync } from 'node:fs';
import { basename } from 'node:path';

import { errorCode } from '../base/errors.ts';
import type { ObjectInfo } from '../object-store/object-store.ts';
import type { StoredAttributes } from '../mirror/objects/object-metadata.ts';
import { renameIfFree, NO_HARD_LINK_CODES } from '../mirror/local/set-aside-file.ts';
import { type HeldFolder, inFolder } from '../mirror/local/held-folder.ts';
import { sameState } from '../mirror/local/local-entry.ts';
import { parentOf } from '../mirror/model/local-path.ts';
import { temporaryName } from '../mirror/local/temporary-name.ts';
import { isSameContent } from './compare-local.ts';
import { mtimeOf } from '../mirror/transfer/write-file.ts';

export type Linked = Pick<
  StoredAttributes,
  'link' | 'sha256' | 'mode' | 'uid' | 'gid' | 'xattrs' | 'xattrsElsewhere'
>;

/** Of an object. */
export interface StoredFile {
  readonly info: ObjectInfo;
  readonly attributes: StoredAttributes;
}

/** A file that this run made, or found equal. */
interface FirstName {
  /** Below the folder that is restored into. */
  readonly path: string;
  /** As it was when its bytes were known. */
  readonly stats: BigIntStats;
}

/** When a file was last changed, as one of its versions recorded it. */
interface RecordedTime {
  /** When the version was uploaded, milliseconds since 1970; when the service stored it where that is not known. */
  readonly at: number;
  /** Nanoseconds since 1970. */
  readonly mtimeNs: bigint;
}

/** Where a further name is to be. */
export interface NewName {
  readonly folder: HeldFolder;
  readonly name: string;
  /** Nothing stands there when it returns; absent where what stands there is replaced. */
  readonly makeWay?: () => void;
}

export class HardLinks {
  readonly #to: string;
  /** By number, content and attributes. */
  readonly #files = new Map<string, FirstName>();
  /** Likewise: a changed time alone makes no version, so only the newest version has the file's time. */
  readonly #times = new Map<string, RecordedTime>();

  /** `to` is absolute and has no links in it. */
  constructor(to: string) {
    this.#to = to;
  }

  /** Further names are linked to this one from now on. */
  note(attributes: Linked, first: FirstName): void {
    const id = linkId(attributes);
    if (id !== undefined) this.#files.set(id, first);
  }

  /** Nanoseconds since 1970: as the newest version recorded it, of all names of the file that were seen so far. */
  newestMtime({ info: { lastModifiedAt }, attributes }: StoredFile): bigint {
    const id = linkId(attributes);
    const mtimeNs = mtimeOf(attributes, lastModifiedAt);
    if (id === undefined) return mtimeNs;
    const recorded = { at: attributes.uploadedAt ?? lastModifiedAt, mtimeNs };
    const known = this.#times.get(id);
    const newest = known && !isNewer(recorded, known) ? known : recorded;
    this.#times.set(id, newest);
    return newest.mtimeNs;
  }

  /** Whether these stats are of the file itself. */
  isName(attributes: Linked, stats: BigIntStats | undefined): boolean {
    const first = this.#find(attributes);
    return first !== undefined && stats !== undefined && isOneFile(first.stats, stats);
  }

  /** Returns whether the file has the name now. Rejects with a system error, or the signal's reason. */
  async link(stored: StoredFile, name: NewName, signal: AbortSignal): Promise<boolean> {
    const first = this.#find(stored.attributes);
    if (!first) return false;
    const stats = await this.#lookAgain(first, stored, signal);
    return stats !== undefined && this.#linkTo({ ...first, stats }, stored.attributes, name);
  }

  /** As `link`, for a file that nobody but this run can have touched since: anything else about it is no match. */
  linkNow(attributes: Linked, name: NewName): boolean {
    const first = this.#find(attributes);
    return first !== undefined && this.#linkTo(first, attributes, name);
  }

  #find(attributes: Linked): FirstName | undefined {
    const id = linkId(attributes);
    return id === undefined ? undefined : this.#files.get(id);
  }

  /** As it is now; undefined where it is another file, or has other bytes. */
  async #lookAgain(
    { path, stats }: FirstName,
    stored: StoredFile,
    signal: AbortSignal,
  ): Promise<BigIntStats | undefined> {
    const seen = this.#look(path);
    if (!seen || !isOneFile(seen, stats)) return undefined;
    // The ctime may be another for many a reason: a further name, other permissions.
    if (sameState(seen, stats)) return seen;
    // Whatever is read there, only the file that was seen counts.
    return (await isSameContent(`${this.#to}/${path}`, seen, stored, signal)) ? seen : undefined;
  }

  #look(path: string): BigIntStats | undefined {
    return this.#inFolderOf(path, (folder) => folder.lstat(basename(path)));
  }

  #linkTo({ path, stats }: FirstName, attributes: Linked, name: NewName): boolean {
    const linked = this.#inFolderOf(path, (folder) => linkTo({ folder, path, stats }, name));
    if (linked) this.note(attributes, { path, stats: linked });
    return linked !== undefined;
  }

  /** Undefined where its folder is no folder now. */
  #inFolderOf<T>(path: string, use: (folder: HeldFolder) => T): T | undefined {
    let isHeld = false;
    try {
      return inFolder(this.#to, parentOf(path), (folder) => {
        isHeld = true;
        return use(folder);
      });
    } catch (error) {
      if (!isHeld && ['ENOTDIR', 'ENOENT'].includes(errorCode(error) ?? '')) return undefined;
      throw error;
    }
  }
}

/** Returns how the file is then; undefined, with nothing done, where it is not as `stats` saw it, or can have no such name. */
function linkTo(
  from: FirstName & { readonly folder: HeldFolder },
  { folder, name, makeWay }: NewName,
): BigIntStats | undefined {
  const { stats, path } = from;
  const seen = from.folder.lstat(basename(path));
  if (!seen || !sameState(seen, stats)) return undefined;
  const temporary = temporaryName();
  if (!isLinked(from.folder.at(basename(path)), folder.at(temporary))) return undefined;
  try {
    // Another may have come in between: the new name tells which file it is of.
    const linked = folder.lstat(temporary);
    if (!linked || !isOneFile(linked, stats)) return undefined;
    folder.check();
    takeName({ temporary, folder, name, ...(makeWay && { makeWay }) });
  } finally {
    // A rename between two names of one file does nothing.
    rmSync(folder.at(temporary), { force: true });
  }
  const now = folder.lstat(name);
  // A link changes the ctime and nothing else; what was written to meanwhile is looked at again by the next one.
  return now && isUnwritten(now, stats) ? now : stats;
}

/** False where no link can be made. */
function isLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    const code = errorCode(error) ?? '';
    if (code === 'EXDEV' || NO_HARD_LINK_CODES.has(code)) return false;
    throw error;
  }
}

function takeName({ temporary, folder, name, makeWay }: NewName & { temporary: string }): void {
  if (!makeWay) return renameSync(folder.at(temporary), folder.at(name));
  makeWay();
  renameIfFree(folder.at(temporary), folder.at(name));
}

/** Any order of the names gives the same time. */
function isNewer(a: RecordedTime, b: RecordedTime): boolean {
  return a.at === b.at ? a.mtimeNs > b.mtimeNs : a.at > b.at;
}

export function isOneFile(a: BigIntStats, b: BigIntStats): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}

function isUnwritten(now: BigIntStats, before: BigIntStats): boolean {
  return isOneFile(now, before) && now.size === before.size && now.mtimeNs === before.mtimeNs;
}

/** The number alone may be another file's by now; without a digest nobody knows. */
export function linkId(attributes: Linked): string | undefined {
  const isKnown = attributes.link !== undefined && attributes.sha256 !== undefined;
  return isKnown ? whatIs(attributes) : undefined;
}

/**
 * Names are sent one by one: at a time in between they tell different modes, owners or attributes, which one file cannot
 * have. A changed time makes no version.
 */
export function whatIs({ link, sha256, mode, uid, gid, xattrs, xattrsElsewhere }: Linked): string {
  return JSON.stringify([link, sha256, mode, uid, gid, xattrsElsewhere ?? xattrs]);
}
