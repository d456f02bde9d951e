/**
 * Recognises files that git deleted in a checkout, merge or rebase, so that the mass-change guard counts them as one
 * change per work tree. Such a file is listed in an index that the job mirrored but not in the current index, and git
 * still has a blob with the mirrored content. After a plain `rm`, the index still lists the file; after an `rm` of the
 * whole work tree, no index exists. Neither counts as a delete by git.
 */

import { readFileSync } from 'node:fs';

import { errorCode, errorMessage } from '../../base/errors.ts';
import { collect } from '../../object-store/body.ts';
import { isStorageError } from '../../object-store/storage-error.ts';
import { type GitFile, readGitIndex } from './git-index.ts';
import { gitObjects } from './git-objects.ts';
import { isFolderInside, statsAt } from '../local/path-exists.ts';
import { parentOf, folderKey } from '../model/local-path.ts';
import { failureKind } from '../model/failure-kind.ts';
import type { Destination } from '../objects/destination.ts';
import type { GuardParts } from './anomaly-alarm.ts';

export interface GitRemovals {
  /** Keys that git removed, each with the key of its work tree's `.git` folder. */
  readonly removed: ReadonlyMap<string, string>;
  /** Keys in work trees that git is changing now. */
  readonly changing: ReadonlySet<string>;
}

interface RemovalContext extends Pick<GuardParts, 'destination' | 'state' | 'clock' | 'tracker'> {
  readonly root: string;
  readonly signal: AbortSignal;
}

/** Maximum number of mirrored versions of a git index that are read. */
const VERSIONS_READ = 10;
const INDEX_LIMIT_BYTES = 64 * 1024 * 1024;
/** Maximum age of a valid `index.lock`, in milliseconds. An older lock is left over from a git process that crashed. */
const LOCK_MAX_AGE_MS = 10 * 60_000;

export async function findGitRemovals(
  keys: Iterable<string>,
  context: RemovalContext,
): Promise<GitRemovals> {
  const removed = new Map<string, string>();
  const changing = new Set<string>();
  const trees = Map.groupBy(keys, (key) => workTreeOf(key, context));
  for (const [tree, inside] of trees) {
    if (tree === undefined) continue;
    const gitDir = `${tree}.git/`;
    if (isLocked(gitDir, context)) for (const key of inside) changing.add(key);
    else for (const key of await provenFrom(tree, inside, context)) removed.set(key, gitDir);
  }
  return { removed, changing };
}

/**
 * Returns the keys that git deleted. If git's index or objects cannot be read, returns an empty list: the deletes then
 * count as the user's own, and the round continues.
 */
async function provenFrom(
  tree: string,
  keys: readonly string[],
  context: RemovalContext,
): Promise<readonly string[]> {
  try {
    return await removedFrom(tree, keys, context);
  } catch (error) {
    if (!isLasting(error)) throw error;
    const message = `cannot read git's index or objects, so files that git deleted count towards the delete limit: ${errorMessage(error)}`;
    context.tracker.say({ level: 'warn', action: 'git', path: `${tree}.git`, message });
    return [];
  }
}

/**
 * Returns whether a retry would fail in the same way, because the service refuses the request, or because the content
 * is damaged, too large or unreadable.
 */
function isLasting(error: unknown): boolean {
  const isLocal = error instanceof Error && 'syscall' in error;
  return (
    isLocal ||
    error instanceof RangeError ||
    isStorageError(error, 'InternalError') ||
    failureKind(error) === 'refused'
  );
}

/** Returns the key's innermost parent folder that has a mirrored git index, as a key prefix. */
function workTreeOf(key: string, { state }: RemovalContext): string | undefined {
  for (let folder = key; folder !== '';) {
    folder = parentOf(folder);
    if (state.baseline.get(`${folderKey(folder)}.git/index`)) return folderKey(folder);
  }
  return undefined;
}

/**
 * Returns whether git is changing the work tree. `index.lock` exists from before git's first file change until the new
 * index is in place.
 */
function isLocked(gitDir: string, { root, clock }: RemovalContext): boolean {
  const lock = statsAt(`${root}/${gitDir}index.lock`);
  return lock !== undefined && clock.now() - Number(lock.mtimeMs) < LOCK_MAX_AGE_MS;
}

async function removedFrom(
  tree: string,
  keys: readonly string[],
  context: RemovalContext,
): Promise<readonly string[]> {
  const { root } = context;
  const index = `${tree}.git/index`;
  const listed = isFolderInside(root, parentOf(index)) ? readNow(`${root}/${index}`) : undefined;
  if (!listed) return [];
  let unlisted = keys.filter((key) => !listed.has(key.slice(tree.length)));
  const ids = new Map<string, string>();
  for (const versionId of unlisted.length > 0 ? await versionsOf(index, context) : []) {
    const before = await readVersion(index, versionId, context);
    for (const key of unlisted) {
      const file = before?.get(key.slice(tree.length));
      if (file && isMirroredAs(file, key, context)) ids.set(key, file.id);
    }
    unlisted = unlisted.filter((key) => !ids.has(key));
    if (unlisted.length === 0) break;
  }
  const kept = gitObjects(`${root}/${tree}.git`, ids.values());
  return [...ids].flatMap(([key, id]) => (kept.has(id) ? [key] : []));
}

/**
 * Returns whether the mirrored content is the blob's content. Like git, compares only size and time. Returns true for a
 * file without a baseline row, because its delete was already mirrored.
 */
function isMirroredAs(
  { sizeBytes, mtimeSeconds }: GitFile,
  key: string,
  { state }: RemovalContext,
): boolean {
  const known = state.baseline.get(key);
  if (!known) return true;
  const isSameTime = Math.floor(known.mtimeMs / 1_000) % 2 ** 32 === mtimeSeconds;
  return isSameTime && known.sizeBytes % 2 ** 32 === sizeBytes;
}

function readNow(path: string): ReadonlyMap<string, GitFile> | undefined {
  try {
    return readGitIndex(readFileSync(path));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Returns the version ids of a key, newest first. */
async function versionsOf(
  key: string,
  { destination, signal }: RemovalContext,
): Promise<readonly string[]> {
  const { store, bucket, prefix } = destination;
  const request = { bucket, prefix: prefix + key, maxKeys: VERSIONS_READ };
  const { versions } = await store.listVersions(request, { signal });
  return versions.flatMap((version) =>
    version.key === prefix + key && version.kind === 'version' ? [version.versionId] : [],
  );
}

async function readVersion(
  key: string,
  versionId: string,
  { destination, signal }: RemovalContext,
): Promise<ReadonlyMap<string, GitFile> | undefined> {
  const { store, bucket, prefix }: Destination = destination;
  try {
    const { body } = await store.getObject({ bucket, key: prefix + key, versionId }, { signal });
    return readGitIndex(Buffer.from(await collect(body, INDEX_LIMIT_BYTES)));
  } catch (error) {
    // Version pruning may have removed the version in the meantime.
    if (isStorageError(error, 'NoSuchVersion', 'NoSuchKey')) return undefined;
    throw error;
  }
}
