/** Finds the move that an undo reverses, and the new name of a file that an undo restores. */

import { keysAtTwoTimes, versionsOfFile } from '../mirror/objects/key-history.ts';
import type { ListingOptions } from '../mirror/objects/version-listing.ts';
import type { ListedVersion } from '../object-store/listing.ts';
import { movedFrom, movedTo } from './moved-from.ts';

interface File extends ListingOptions {
  readonly path: string;
}

/**
 * Finds the earlier name of a file that has no older version under its present name. Returns the version of that name
 * that an undo makes current: the version at the time `at`, or the last version if `at` is absent. Returns undefined if
 * the file was not moved, or if another file now has the earlier name.
 */
export async function versionBeforeMove(file: File): Promise<ListedVersion | undefined> {
  const versions = await versionsOfFile(file);
  const marker = versions.findIndex(({ kind }) => kind === 'delete-marker');
  // Another file may have had this name before and been deleted. The file's own versions are newer than the last delete
  // marker.
  const first = (marker === -1 ? versions : versions.slice(0, marker)).at(-1);
  const earlier = first && (await movedFrom(file, first));
  if (!earlier?.isGone || file.at === undefined)
    return earlier?.isGone ? earlier.version : undefined;
  for await (const { key, before } of keysAtTwoTimes(
    { ...file, path: earlier.path },
    { from: file.at },
  ))
    if (key === earlier.version.key) return before;
  return undefined;
}

/** Returns the path to which a deleted file was moved and where it exists now. */
export async function findOtherName(file: File): Promise<string | undefined> {
  return movedTo(file, await versionsOfFile(file));
}
