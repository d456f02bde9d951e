/** Checks whether a path exists. A path that cannot be read, for example for lack of permission, counts as existing. */

import { type BigIntStats, lstatSync, readdirSync, type Stats } from 'node:fs';
import { basename, dirname } from 'node:path';

import { errorCode } from '../../base/errors.ts';
import { parentOf } from '../model/local-path.ts';

/**
 * Returns the lstat result; undefined if the path does not exist or one of its parents is not a folder. Throws all
 * other system errors.
 */
export function statsAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Returns whether lstat fails although the path may exist. */
export function isInaccessible(path: string): boolean {
  try {
    statsAt(path);
    return false;
  } catch {
    return true;
  }
}

/**
 * Returns whether a path below the root exists and `accepts` returns true for its stats. A path through a symbolic link
 * does not count as existing.
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

/**
 * Returns whether a folder exists below the root and no component of its path is a symbolic link. Throws a system
 * error.
 */
export function isFolderInside(root: string, directory: string): boolean {
  for (let folder = directory; folder !== ''; folder = parentOf(folder))
    if (!statsAt(`${root}/${folder}`)?.isDirectory()) return false;
  return true;
}

/**
 * Returns whether a key's file or symbolic link exists although the listing of its folder did not contain it. Its disk
 * may have been mounted again, or the listing may have been incomplete.
 */
export function hasReappeared(root: string, key: string): boolean {
  // A key that ends in `/` belongs to a folder's own object. That object may be missing although the folder exists.
  if (key.endsWith('/')) return false;
  const path = `${root}/${key}`;
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats?.isFile() && !stats?.isSymbolicLink()) return false;
    // If a parent folder was moved and replaced with a symbolic link, the file is no longer in the job's folder.
    if (!isFolderInside(root, parentOf(key))) return false;
    // If only the case of a filename changed, lstat also finds the file under its old name on a case-insensitive file
    // system.
    return readdirSync(dirname(path)).includes(basename(path));
  } catch (error) {
    return !['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '');
  }
}
