/** Checks whether a path exists. A path that cannot be read, for example without permission, counts as existing. */

import { type BigIntStats, lstatSync, readdirSync, type Stats } from 'node:fs';
import { basename, dirname } from 'node:path';

import { errorCode } from '../../base/errors.ts';
import { parentOf } from '../model/local-path.ts';

/**
 * Returns the result of lstat; undefined if the path does not exist or one of its parents is not a folder.
 * Throws other system errors.
 */
export function statsAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Returns whether lstat fails for another reason than a missing path. */
export function isInaccessible(path: string): boolean {
  try {
    statsAt(path);
    return false;
  } catch {
    return true;
  }
}

/**
 * Returns whether a path below the root exists and `accepts` accepts its stats. A path that passes through a
 * symbolic link does not count.
 */
export function isThere(
  root: string,
  path: string,
  accepts: (stats: Stats) => boolean = () => true,
): boolean {
  try {
    const stats = lstatSync(`${root}/${path}`, { throwIfNoEntry: false });
    return stats !== undefined && accepts(stats) && isFolderInside(root, parentOf(path));
  } catch (error) {
    return errorCode(error) !== 'ENOTDIR';
  }
}

/** Returns whether a folder below the root exists and its path contains no symbolic link. Throws a system error. */
export function isFolderInside(root: string, directory: string): boolean {
  for (let folder = directory; folder !== ''; folder = parentOf(folder))
    if (!statsAt(`${root}/${folder}`)?.isDirectory()) return false;
  return true;
}

/**
 * Returns whether the file or symbolic link of a key exists although the listing of its folder did not contain
 * it: its disk was mounted again, or the listing was incomplete.
 */
export function hasReappeared(root: string, key: string): boolean {
  // A key that ends in `/` is the key of a folder's own object, which may be missing while the folder exists.
  if (key.endsWith('/')) return false;
  const path = `${root}/${key}`;
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats?.isFile() && !stats?.isSymbolicLink()) return false;
    // If a parent folder was moved and replaced by a symbolic link, the file is no longer in the job's folder.
    if (!isFolderInside(root, parentOf(key))) return false;
    // On a case-insensitive file system, lstat also finds a file by its former name if only the case has
    // changed.
    return readdirSync(dirname(path)).includes(basename(path));
  } catch (error) {
    return !['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '');
  }
}
