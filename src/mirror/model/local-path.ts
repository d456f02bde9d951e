/** Paths below the root, as text: `/` between names, empty for the root itself. */

export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** A folder as a prefix of paths and keys: empty for the root. */
export function folderKey(directory: string): string {
  return directory === '' ? '' : `${directory}/`;
}

/** The path of a key below the prefix: a folder's ends in `/`. */
export function pathOfKey(key: string): string {
  return key.endsWith('/') ? key.slice(0, -1) : key;
}

/** Below a job's prefix: heads that were saved, things that were trashed, the claim. Never mirrored. */
export const RESERVED_FOLDER = '.holdfast';
