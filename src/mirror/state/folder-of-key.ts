/** Splits keys into the baseline's columns for folder and name. */

/** Splits a key into folder and name: `a/b` becomes `a/` and `b`. The key `a/` of a folder has an empty name. */
export function splitKey(key: string): { readonly folder: string; readonly name: string } {
  const slash = key.lastIndexOf('/') + 1;
  return { folder: key.slice(0, slash), name: key.slice(slash) };
}

/**
 * Returns the first string after all folder names that begin with `folder`. It ends in `0`, the character after `/`.
 */
export function afterSubtree(folder: string): string {
  return `${folder.slice(0, -1)}0`;
}
