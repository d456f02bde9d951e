/**
 * Restores hard links. Each name has its own object with all bytes. The first one that is restored becomes the file.
 * The others are linked to it if it is still what was restored, and otherwise become separate files.
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

/** A file as an object records it. */
export interface StoredFile {
  readonly info: ObjectInfo;
  readonly attributes: StoredAttributes;
}

/** A file that this run wrote or found equal. */
interface FirstName {
  /** Path below the folder that is restored into. */
  readonly path: string;
  /** Its stats when its content was known. */
  readonly stats: BigIntStats;
}

/** When a file was last changed, as one of its versions records it. */
interface RecordedTime {
  /** When the version was uploaded, in milliseconds since 1970; when the service stored it, if that is not known. */
  readonly at: number;
  /** In nanoseconds since 1970. */
  readonly mtimeNs: bigint;
}

/** Where a further name is created. */
export interface NewName {
  readonly folder: HeldFolder;
  readonly name: string;
  /** Clears the name first; absent if an existing file is replaced. */
  readonly makeWay?: () => void;
}

export class HardLinks {
  readonly #to: string;
  /** Keyed by link number, content and attributes. */
  readonly #files = new Map<string, FirstName>();
  /** Keyed likewise. A changed time alone creates no version, so only the newest version has the file's time. */
  readonly #times = new Map<string, RecordedTime>();

  /** `to` is an absolute path without symbolic links. */
  constructor(to: string) {
    this.#to = to;
  }

  /** Makes later calls link further names to this one. */
  note(attributes: Linked, first: FirstName): void {
    const id = linkId(attributes);
    if (id !== undefined) this.#files.set(id, first);
  }

  /** Returns the file's mtime in nanoseconds since 1970, from the newest version of all its names so far. */
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

  /** Whether these stats describe the file itself. */
  isName(attributes: Linked, stats: BigIntStats | undefined): boolean {
    const first = this.#find(attributes);
    return first !== undefined && stats !== undefined && isOneFile(first.stats, stats);
  }

  /** Returns whether the file has the name now. Rejects with a system error, or the signal's reason. */
  async link(stored: StoredFile, name: NewName, signal: AbortSignal): Promise<boolean> {
    const first = this.#find(stored.attributes);
    if (!first) return false;
    const stats = await this.#currentStats(first, stored, signal);
    return stats !== undefined && this.#linkTo({ ...first, stats }, stored.attributes, name);
  }

  /** Like `link`, for a file that only this run can have changed since. Every difference means no match. */
  linkNow(attributes: Linked, name: NewName): boolean {
    const first = this.#find(attributes);
    return first !== undefined && this.#linkTo(first, attributes, name);
  }

  #find(attributes: Linked): FirstName | undefined {
    const id = linkId(attributes);
    return id === undefined ? undefined : this.#files.get(id);
  }

  /** Returns the current stats; undefined if it is another file or has other bytes. */
  async #currentStats(
    { path, stats }: FirstName,
    stored: StoredFile,
    signal: AbortSignal,
  ): Promise<BigIntStats | undefined> {
    const seen = this.#stats(path);
    if (!seen || !isOneFile(seen, stats)) return undefined;
    // The ctime may differ for many reasons, such as a further name or other permissions.
    if (sameState(seen, stats)) return seen;
    // Reads by path, but accepts only the file that `seen` describes.
    return (await isSameContent(`${this.#to}/${path}`, seen, stored, signal)) ? seen : undefined;
  }

  #stats(path: string): BigIntStats | undefined {
    return this.#inFolderOf(path, (folder) => folder.lstat(basename(path)));
  }

  #linkTo({ path, stats }: FirstName, attributes: Linked, name: NewName): boolean {
    const linked = this.#inFolderOf(path, (folder) => linkTo({ folder, path, stats }, name));
    if (linked) this.note(attributes, { path, stats: linked });
    return linked !== undefined;
  }

  /** Returns undefined if the path's folder is not a folder now. */
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

/** Returns the file's new stats; undefined, with nothing changed, if it differs from `stats` or cannot be linked. */
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
    // Another file may have replaced it in between: the new name shows which file was linked.
    const linked = folder.lstat(temporary);
    if (!linked || !isOneFile(linked, stats)) return undefined;
    folder.check();
    takeName({ temporary, folder, name, ...(makeWay && { makeWay }) });
  } finally {
    // Renaming one name of a file to another of its names does nothing, so the temporary name may remain.
    rmSync(folder.at(temporary), { force: true });
  }
  const now = folder.lstat(name);
  // A link changes only the ctime. If the file was also written, the old stats make the next `link` compare it.
  return now && isUnchanged(now, stats) ? now : stats;
}

/** Returns false if the file system cannot create the link. */
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

/** Breaks ties by the mtime, so that the order of the names does not matter. */
function isNewer(a: RecordedTime, b: RecordedTime): boolean {
  return a.at === b.at ? a.mtimeNs > b.mtimeNs : a.at > b.at;
}

export function isOneFile(a: BigIntStats, b: BigIntStats): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}

function isUnchanged(now: BigIntStats, before: BigIntStats): boolean {
  return isOneFile(now, before) && now.size === before.size && now.mtimeNs === before.mtimeNs;
}

/** Returns undefined without a digest: the link number alone may now belong to another file. */
export function linkId(attributes: Linked): string | undefined {
  const isKnown = attributes.link !== undefined && attributes.sha256 !== undefined;
  return isKnown ? fileIdentity(attributes) : undefined;
}

/**
 * Names are uploaded one by one, so their modes, owners or attributes can differ for a while. One file cannot have
 * both, so these are part of the identity. The mtime is not, since a changed time creates no version.
 */
export function fileIdentity({
  link,
  sha256,
  mode,
  uid,
  gid,
  xattrs,
  xattrsElsewhere,
}: Linked): string {
  return JSON.stringify([link, sha256, mode, uid, gid, xattrsElsewhere ?? xattrs]);
}
