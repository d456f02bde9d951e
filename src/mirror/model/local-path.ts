/** Provides functions for paths below the root. `/` separates names, and the root itself is the empty string. */

export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Returns the prefix of all paths and keys below a folder; empty for the root. */
export function folderKey(directory: string): string {
  return directory === '' ? '' : `${directory}/`;
}

/** Returns the path for a key that is relative to the job's prefix. A folder's key ends in `/`. */
export function pathOfKey(key: string): string {
  return key.endsWith('/') ? key.slice(0, -1) : key;
}

/**
 * Folder below a job's prefix that contains saved copies, deleted objects and the ownership marker. It is never
 * mirrored.
 */
export const RESERVED_FOLDER = '.holdfast';
