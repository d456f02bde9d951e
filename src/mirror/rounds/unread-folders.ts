/**
 * Protects the objects of files that may exist under a new, unreadable name: in a renamed folder that cannot be listed,
 * or as a file that cannot be opened. Their objects stay until the new name can be read.
 */

import { type BigIntStats, statSync } from 'node:fs';

import { toMs } from '../local/local-entry.ts';
import { statsAt } from '../local/path-exists.ts';
import { folderKey } from '../model/local-path.ts';
import type { StateFile } from '../state/state-file.ts';
import type { Gathered } from './round-context.ts';

interface UnreadContext {
  readonly root: string;
  readonly state: Pick<StateFile, 'meta' | 'setMeta' | 'baseline'>;
}

/** A folder that the last scan could not list. */
interface UnreadFolder {
  readonly path: string;
  /** Key prefixes of vanished folders, one of which may have been renamed to this folder. */
  readonly keeps: readonly string[];
}

/** Unlisted folders by inode number, because a rename does not change the inode. */
type UnreadFolders = Readonly<Record<string, UnreadFolder>>;

interface FolderStats {
  readonly inode: string;
  /** Creation time in milliseconds since 1970; undefined if the file system does not record it. */
  readonly createdMs: number | undefined;
}

/** Name of the value in the job's state that stores the unlisted folders. */
const UNREAD_FOLDERS = 'unread folders';

/**
 * Records the folders that this round could not list. Returns a function that decides whether a missing key may be in
 * one of them.
 */
export function unreadFolders(
  { root, state }: UnreadContext,
  { unlisted, scanned, missing, isFull }: Gathered,
): (key: string) => boolean {
  const text = state.meta(UNREAD_FOLDERS);
  const known = text === undefined ? {} : (JSON.parse(text) as UnreadFolders);
  if (unlisted.size === 0 && text === '{}') return () => false;
  const next = new Map(isFull ? hiddenFolders(root, unlisted, known) : Object.entries(known));
  for (const folder of isFull || next.size === 0 ? [] : scanned)
    next.delete(statFolder(root, folder)?.inode ?? '');
  let vanished: ReadonlySet<string> | undefined;
  for (const path of unlisted) {
    const stats = path === '' ? undefined : statFolder(root, path);
    if (!stats) continue;
    const before = known[stats.inode];
    // Without an earlier record, the key may already have been missing when the folder became unreadable.
    if (!before && text !== undefined) vanished ??= vanishedFolders(root, missing);
    const keeps = before
      ? keptOf(before, path)
      : possibleOrigins([...(vanished ?? [])], stats, state);
    next.set(stats.inode, { path, keeps });
  }
  const written = JSON.stringify(Object.fromEntries(next));
  if (written !== text) state.setMeta(UNREAD_FOLDERS, written);
  const kept = [...next.values()].flatMap(({ keeps }) => keeps);
  return (key) => kept.some((prefix) => key.startsWith(prefix));
}

/**
 * Returns recorded folders inside other unlisted folders. They were not scanned, because they move together with the
 * outer folder.
 */
function hiddenFolders(
  root: string,
  unlisted: ReadonlySet<string>,
  known: UnreadFolders,
): readonly (readonly [string, UnreadFolder])[] {
  return [...unlisted].flatMap((path) => {
    const { path: former } = known[statFolder(root, path)?.inode ?? ''] ?? { path };
    return Object.entries(known)
      .filter(([, folder]) => folder.path.startsWith(folderKey(former)))
      .map(([inode, { path: below, keeps }]) => {
        const moved = folderKey(path) + below.slice(folderKey(former).length);
        return [inode, { path: moved, keeps }] as const;
      });
  });
}

function keptOf({ path: before, keeps }: UnreadFolder, path: string): readonly string[] {
  return before === path ? keeps : [...new Set([...keeps, folderKey(before)])];
}

/** Returns the missing keys' folders that no longer exist, as key prefixes. */
function vanishedFolders(root: string, missing: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const key of missing)
    for (let end = key.indexOf('/'); end > 0; end = key.indexOf('/', end + 1))
      folders.add(key.slice(0, end + 1));
  return new Set([...folders].filter((folder) => !statFolder(root, folder.slice(0, -1))));
}

/**
 * Returns those of the given vanished folders that may have been renamed to an unlisted folder. Excludes folders with
 * a file that is older than the unlisted folder.
 */
function possibleOrigins(
  folders: readonly string[],
  { createdMs }: FolderStats,
  { baseline }: UnreadContext['state'],
): readonly string[] {
  if (createdMs === undefined) return folders;
  return folders.filter((folder) => {
    const [rows = []] = baseline.folder(folder);
    return !rows.some(({ kind, ctimeMs }) => kind === 'file' && ctimeMs < createdMs);
  });
}

/**
 * Returns a folder's inode number and creation time; undefined if the path is not a folder or its attributes cannot be
 * read.
 */
function statFolder(root: string, path: string): FolderStats | undefined {
  try {
    const stats = statsAt(`${root}/${path}`);
    if (!stats?.isDirectory()) return undefined;
    const isRecorded = recordsCreation(stats) || recordsCreation(statSync(root, { bigint: true }));
    const createdMs = isRecorded ? toMs(stats.birthtimeNs) : undefined;
    return { inode: String(stats.ino), createdMs };
  } catch {
    return undefined;
  }
}

/** Returns whether a file system records creation times. Other file systems report 0 or repeat another time. */
function recordsCreation({ birthtimeNs, ctimeNs }: BigIntStats): boolean {
  return birthtimeNs > 0n && birthtimeNs !== ctimeNs;
}
