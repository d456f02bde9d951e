/**
 * Removes files and folders that an undo restored, for `undo --redo`. Their content is stored as versions, and their
 * objects get delete markers.
 */

import { lstatSync, rmdirSync } from 'node:fs';
import { basename } from 'node:path';

import { defined } from '../base/defined.ts';
import { failureReason } from '../base/disk-error.ts';
import { errorCode } from '../base/errors.ts';
import { inFolder } from '../mirror/local/held-folder.ts';
import { MirrorError } from '../mirror/model/mirror-error.ts';
import { parentOf } from '../mirror/model/local-path.ts';
import { encodeModeAndTime } from '../mirror/objects/object-metadata.ts';
import type { Problem } from '../mirror/model/types.ts';
import type { SaveLocal } from '../mirror/transfer/save-version.ts';
import type { MirrorStore } from '../object-store/mirror-store.ts';
import { isStorageError } from '../object-store/storage-error.ts';
import { currentOf } from './undo.ts';
import { ReplaceStored } from './replace-stored.ts';

export interface RemovedPath {
  readonly path: string;
  readonly versionId?: string;
  /** Metadata with a file's mode and modification time. */
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface RemovalOptions {
  /** The job's folder as an absolute path without symbolic links. */
  readonly root: string;
  readonly store: MirrorStore;
  readonly bucket: string;
  readonly prefix: string;
  readonly saveLocal: SaveLocal;
  /** Called before a path is removed. It receives the version that can restore the path, if there is one. */
  readonly beforeRemoval: (removed: RemovedPath) => void;
  /** Current time in milliseconds since 1970. */
  readonly now: number;
  readonly signal: AbortSignal;
}

/** Removes each path; a folder is removed after its files. Returns the removed paths and the paths that stay. */
export async function removeRestored(
  paths: readonly string[],
  options: RemovalOptions,
): Promise<{ readonly removed: readonly string[]; readonly problems: readonly Problem[] }> {
  const { root: to, now, saveLocal, signal } = options;
  const way = new ReplaceStored({ to, base: '', saveLocal, signal, now });
  const removed: string[] = [];
  const problems: Problem[] = [];
  // In reverse order, a folder comes after its files.
  for (const path of paths.toSorted().toReversed()) {
    signal.throwIfAborted();
    try {
      if (await removeLocal(path, way, options)) {
        await removeObject(path, options);
        removed.push(path);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof MirrorError) && errorCode(error) === undefined) throw error;
      const message = `cannot remove ${path}: ${failureReason(error)}`;
      problems.push({ path, code: 'failed', message });
    }
  }
  return { removed, problems };
}

/** Returns whether the path no longer exists. A folder that contains other files stays. */
async function removeLocal(
  path: string,
  way: ReplaceStored,
  { root: to, saveLocal, beforeRemoval, signal, ...place }: RemovalOptions,
): Promise<boolean> {
  const local = path.replace(/\/$/, '');
  const seen = lstatSync(`${to}/${local}`, { bigint: true, throwIfNoEntry: false });
  if (!seen) return true;
  if (seen.isDirectory()) {
    if (!path.endsWith('/')) return false;
    const current = await currentOf({ ...place, signal }, place.prefix + path);
    if (!removeFolder(local, to)) return false;
    if (current) beforeRemoval({ path, versionId: current.versionId });
    return true;
  }
  const { versionId } = await saveLocal(local, seen, signal);
  beforeRemoval({ path, versionId, metadata: encodeModeAndTime(seen) });
  await way.prepare(local, seen);
  inFolder(to, parentOf(local), (folder) => way.remove(local, folder));
  return true;
}

function removeFolder(path: string, to: string): boolean {
  try {
    inFolder(to, parentOf(path), (folder) => rmdirSync(folder.at(basename(path))));
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOTEMPTY' || errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Creates a delete marker if the key has a current version. */
async function removeObject(
  path: string,
  { store, bucket, prefix, signal }: RemovalOptions,
): Promise<void> {
  const reference = { bucket, key: prefix + path };
  try {
    const { info } = await store.headObject(reference, defined({ signal }));
    const conditions = { ifMatch: info.etag };
    await store.deleteObject({ ...reference, conditions }, { signal });
  } catch (error) {
    // Another client has written or deleted the object, so the job compares the object with the folder.
    if (!isStorageError(error, 'NoSuchKey', 'PreconditionFailed')) throw error;
  }
}
