/** Whether a path is still there. Not seen is not gone: what may not be looked at counts as there. */

import { type BigIntStats, lstatSync, readdirSync, type Stats } from 'node:fs';
import { basename, dirname } from 'node:path';

import { errorCode } from '../../base/errors.ts';

/** Undefined for nothing, also where a file stands for a folder of the path. Throws other system errors. */
export function statsAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

export function isThere(path: string, isIt: (stats: Stats) => boolean = () => true): boolean {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats !== undefined && isIt(stats);
  } catch (error) {
    return errorCode(error) !== 'ENOTDIR';
  }
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
    // Where case does not count, a look finds a file by the name that it had before.
    return readdirSync(dirname(path)).includes(basename(path));
  } catch (error) {
    return !['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '');
  }
}
