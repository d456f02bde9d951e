/**
 * Restores hard links. Each name of a hard-linked file has its own object with the whole content. The first restored
 * name becomes the file. Further names are linked to it if it has not changed since then; otherwise they become
 * separate files.
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

/** The metadata and attributes that an object contains about a file. */
export interface StoredFile {
  readonly info: ObjectInfo;
  readonly attributes: StoredAttributes;
}

/** The first name of a file that this restore wrote or found to be equal. */
interface FirstName {
  /** Path below the restore's target folder. */
  readonly path: string;
  /** The file's stats at the time when its content was verified. */
  readonly stats: BigIntStats;
}

/** A file's mtime according to one of its versions. */
interface RecordedTime {
  /** Upload time of the version in milliseconds since 1970; its LastModified if the upload time is unknown. */
  readonly at: number;
  /** The file's mtime in nanoseconds since 1970. */
  readonly mtimeNs: bigint;
}

/** The folder and name of a hard link to create. */
export interface NewName {
  readonly folder: HeldFolder;
  readonly name: string;
  /** Moves an existing entry with this name out of the way. Absent if the new name may replace an existing file. */
  readonly makeWay?: () => void;
}

export class HardLinks {
  readonly #to: string;
  /** First names of files, by link number, content and attributes. */
  readonly #files = new Map<string, FirstName>();
  /**
   * The newest mtime of each file, by the keys of `#files`. A changed mtime alone does not create a version, so only
   * the newest version contains the file's actual mtime.
   */
  readonly #times = new Map<string, RecordedTime>();

  /** `to` is the target folder as an absolute path without symbolic links. */
  constructor(to: string) {
    this.#to = to;
  }

  /** Records a restored file, so that later calls can link further names to it. */
  note(attributes: Linked, first: FirstName): void {
    const id = linkId(attributes);
    if (id !== undefined) this.#files.set(id, first);
  }

  /** Returns the file's mtime in nanoseconds since 1970, from the newest version among all names seen so far. */
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

  /** Returns whether `stats` describe the file that was recorded for these attributes. */
  isName(attributes: Linked, stats: BigIntStats | undefined): boolean {
    const first = this.#find(attributes);
    return first !== undefined && stats !== undefined && isOneFile(first.stats, stats);
  }

  /**
   * Links a name to its recorded file. Returns whether it was linked. Rejects with a system error or the signal's
   * reason.
   */
  async link(stored: StoredFile, name: NewName, signal: AbortSignal): Promise<boolean> {
    const first = this.#find(stored.attributes);
    if (!first) return false;
    const stats = await this.#currentStats(first, stored, signal);
    return stats !== undefined && this.#linkTo({ ...first, stats }, stored.attributes, name);
  }

  /** Links a name to a file that only this restore can have changed. Unlike `link`, does not compare the content. */
  linkNow(attributes: Linked, name: NewName): boolean {
    const first = this.#find(attributes);
    return first !== undefined && this.#linkTo(first, attributes, name);
  }

  #find(attributes: Linked): FirstName | undefined {
    const id = linkId(attributes);
    return id === undefined ? undefined : this.#files.get(id);
  }

  /** Returns the file's current stats; undefined if another file or different content is now at the path. */
  async #currentStats(
    { path, stats }: FirstName,
    stored: StoredFile,
    signal: AbortSignal,
  ): Promise<BigIntStats | undefined> {
    const seen = this.#stats(path);
    if (!seen || !isOneFile(seen, stats)) return undefined;
    // The ctime may differ for harmless reasons, such as an additional name or new permissions.
    if (sameState(seen, stats)) return seen;
    // The file is read by its path, but is accepted only if it is the file that `seen` describes.
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

  /** Calls `use` with the folder that contains `path`. Returns undefined if that path is no longer a folder. */
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

/**
 * Creates a hard link and returns the file's new stats. If the file differs from `stats` or cannot be linked, changes
 * nothing and returns undefined.
 */
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
    // Another program may have replaced the file just before the link. The new name shows which file was linked.
    const linked = folder.lstat(temporary);
    if (!linked || !isOneFile(linked, stats)) return undefined;
    folder.check();
    takeName({ temporary, folder, name, ...(makeWay && { makeWay }) });
  } finally {
    // rename() does nothing if both names belong to the same file. The temporary name may then still exist.
    rmSync(folder.at(temporary), { force: true });
  }
  const now = folder.lstat(name);
  // A link changes only the ctime. If the file was written as well, the old stats are returned, so that the next `link`
  // compares its content.
  return now && isUnchanged(now, stats) ? now : stats;
}

/** Creates a hard link. Returns false if the file system cannot create it. */
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

/**
 * Returns whether `a` is newer than `b`. If both are equally old, compares the mtimes, so that the order of the names
 * does not matter.
 */
function isNewer(a: RecordedTime, b: RecordedTime): boolean {
  return a.at === b.at ? a.mtimeNs > b.mtimeNs : a.at > b.at;
}

export function isOneFile(a: BigIntStats, b: BigIntStats): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}

function isUnchanged(now: BigIntStats, before: BigIntStats): boolean {
  return isOneFile(now, before) && now.size === before.size && now.mtimeNs === before.mtimeNs;
}

/**
 * Returns a key that identifies a file with several names. Returns undefined without a digest, because the link number
 * alone may meanwhile belong to another file.
 */
export function linkId(attributes: Linked): string | undefined {
  const isKnown = attributes.link !== undefined && attributes.sha256 !== undefined;
  return isKnown ? fileIdentity(attributes) : undefined;
}

/**
 * Returns a key that is equal for all names of a file. The names are uploaded one by one, so their modes, owners or
 * extended attributes can differ for a while. A file cannot have two modes, so these attributes are part of the key.
 * The mtime is not, because a changed mtime does not create a version.
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
