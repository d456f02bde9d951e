/** Lists the objects of selected paths of a tree, together with the folders above them. */

import { parentOf } from '../mirror/model/local-path.ts';
import {
  type ListingOptions,
  listTree,
  type StoredObject,
  type UndatedKey,
} from '../mirror/objects/version-listing.ts';
import { nothingStored, type NothingStored } from './nothing-stored.ts';

/**
 * Yields the objects at and below each of `paths`, which are below `path` of the listing. Also yields the objects of the
 * folders above them, which record the attributes of these folders. Rejects with MirrorError `NothingToRestore` for the
 * first path without an object.
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

/** Yields the object of the folder itself, if there is one. Its key is the first of those below the folder. */
async function* folderObject(listing: ListingOptions, folder: string) {
  for await (const object of listTree({ ...listing, path: folder })) {
    if (!object.key.startsWith(`${listing.prefix}${folder}/`)) continue;
    if (object.key === `${listing.prefix}${folder}/`) yield object;
    return;
  }
}

/** Returns the paths without those that are at or below another one, so that no object is listed twice. */
function withoutNested(paths: readonly string[]): readonly string[] {
  const all = new Set(paths);
  return [...all].filter((path) => {
    for (let above = parentOf(path); above !== ''; above = parentOf(above))
      if (all.has(above)) return false;
    return true;
  });
}
