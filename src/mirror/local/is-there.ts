/** Whether a path is still there. Not seen is not gone: what may not be looked at counts as there. */

import { type BigIntStats, lstatSync, readdirSync, type Stats } from 'node:fs';
import { basename, dirname } from 'node:path';

import { errorCode } from '../../base/errors.ts';
import { parentOf } from '../model/local-path.ts';

/** Undefined for nothing, also where a file stands for a folder of the path. Throws other system errors. */
export function statsAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Whether it may not be looked at. */
export function isHidden(path: string): boolean {
  try {
    statsAt(path);
    return false;
  } catch {
    return true;
  }
}

/** Below the root; what a link on the way leads to is elsewhere. */
export function isThere(
  root: string,
  path: string,
  isIt: (stats: Stats) => boolean = () => true,
): boolean {
  try {
    const stats = lstatSync(`${root}/${path}`, { throwIfNoEntry: false });
    return stats !== undefined && isIt(stats) && isReached(root, parentOf(path));
  } catch (error) {
    return errorCode(error) !== 'ENOTDIR';
  }
}

/** Whether a folder below the root is there, and no link is on the way to it. Throws a system error. */
export function isReached(root: string, directory: string): boolean {
  for (let folder = directory; folder !== ''; folder = parentOf(folder))
    if (!statsAt(`${root}/${folder}`)?.isDirectory()) return false;
  return true;
}

/**
 * Whether the file or link of a key is at its path, though its folder's listing was without it: a disk that came back
 * in between, a listing that broke off.
 */
export function isThereAgain(root: string, key: string): boolean {
  // Of a folder's object only its row is missing; the folder itself may well be there.
  if (key.endsWith('/')) return false;
  const path = `${root}/${key}`;
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats?.isFile() && !stats?.isSymbolicLink()) return false;
    // A folder that moved away and left a link in its place has taken its files along.
    if (!isReached(root, parentOf(key))) return false;
    // Where case does not count, a look finds a file by the name that it had before.
    return readdirSync(dirname(path)).includes(basename(path));
  } catch (error) {
    return !['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '');
  }
}
