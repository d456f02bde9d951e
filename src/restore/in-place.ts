/** Determines the target folder of a restore in place, which restores a path to its original location. */

import { lstatSync } from 'node:fs';

import { within } from '../mirror/local/local-entry.ts';
import { parentOf } from '../mirror/model/local-path.ts';
import { MirrorError } from '../mirror/model/mirror-error.ts';
import { nothingStored } from './nothing-stored.ts';
import type { RestoreOptions } from './restore-options.ts';
import { type ListingOptions, listTree } from '../mirror/objects/version-listing.ts';

/**
 * Returns the option `to` for a restore in place. A folder is restored to its own path, a file to the folder that
 * contained it. Rejects with MirrorError `NothingToRestore` if nothing is stored at the path, with MirrorError
 * `LinkInTheWay` if the path contains a link or file, and with the errors of `listTree`.
 */
export async function folderInPlace(
  root: string,
  { path, ...options }: ListingOptions & Pick<RestoreOptions, 'hintOfNothing'>,
): Promise<string> {
  if (path === undefined) return root;
  const first = await firstKey({ ...options, path });
  if (first === undefined) throw await nothingStored({ ...options, path });
  if (first === options.prefix + path) return folderOfFile(root, path);
  refuseLinks(root, path);
  return `${root}/${path}`;
}

/**
 * Returns the absolute path of the folder that contains a file. Throws MirrorError `LinkInTheWay` if a component of the
 * path is not a folder.
 */
export function folderOfFile(root: string, path: string): string {
  const folder = parentOf(path);
  refuseLinks(root, folder);
  return folder === '' ? root : `${root}/${folder}`;
}

async function firstKey(options: ListingOptions): Promise<string | undefined> {
  for await (const { key } of listTree(options)) return key;
  return undefined;
}

/**
 * Throws MirrorError `LinkInTheWay` if the path contains a symbolic link or a file, because a link may lead outside the
 * root. To replace the link, the user can restore the folder above it.
 */
function refuseLinks(root: string, folder: string): void {
  let path = '';
  for (const name of folder === '' ? [] : folder.split('/')) {
    path = within(path, name);
    const stats = lstatSync(`${root}/${path}`, { throwIfNoEntry: false });
    if (!stats) return;
    if (stats.isDirectory()) continue;
    throw new MirrorError(
      'LinkInTheWay',
      `cannot restore into ${root}/${folder}: ${path} is not a folder any more; restore the folder above it`,
    );
  }
}
