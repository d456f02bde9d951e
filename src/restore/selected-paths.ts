/** Lists the objects at the selected paths of a tree, and the objects of the folders above these paths. */

import { parentOf } from '../mirror/model/local-path.ts';
import {
  type ListingOptions,
  listTree,
  type StoredObject,
  type UndatedKey,
} from '../mirror/objects/version-listing.ts';
import { nothingStored, type NothingStored } from './nothing-stored.ts';

/**
 * Yields the objects at and below each of `paths`, which are all below `path` of the listing. Also yields the objects
 * of the folders above them, because these contain the folders' attributes. Rejects with MirrorError `NothingToRestore`
 * for the first path without an object.
 */
export async function* listSelected(
  listing: ListingOptions & NothingStored,
  paths: readonly string[],
): AsyncGenerator<StoredObject | UndatedKey, void> {
  const base = listing.path === undefined ? '' : `${listing.path}/`;
  const parents = new Set<string>();
  for (const path of withoutNested(paths)) {
    for (let folder = parentOf(path); folder !== ''; folder = parentOf(folder)) {
      if (parents.has(folder)) break;
      parents.add(folder);
      yield* folderObject(listing, `${base}${folder}`);
    }
    const selected = { ...listing, path: base + path };
    let isStored = false;
    for await (const object of listTree(selected)) {
      isStored = true;
      yield object;
    }
    if (!isStored) throw await nothingStored(selected);
  }
}

/** Yields the folder's own object, if there is one. In key order, it comes before all keys below the folder. */
async function* folderObject(listing: ListingOptions, folder: string) {
  for await (const object of listTree({ ...listing, path: folder })) {
    if (!object.key.startsWith(`${listing.prefix}${folder}/`)) continue;
    if (object.key === `${listing.prefix}${folder}/`) yield object;
    return;
  }
}

/** Returns the paths, except those at or below another path in the list, so that no object is listed twice. */
function withoutNested(paths: readonly string[]): readonly string[] {
  const all = new Set(paths);
  return [...all].filter((path) => {
    for (let above = parentOf(path); above !== ''; above = parentOf(above))
      if (all.has(above)) return false;
    return true;
  });
}
