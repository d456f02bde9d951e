/** Compares a listed folder with the baseline, and plans its new and changed entries. */

import { setImmediate } from 'node:timers/promises';

import { statsAt } from '../local/path-exists.ts';
import type { FolderScan } from '../local/scan.ts';
import { compareFolder } from '../local/tree/folder-difference.ts';
import { folderKey, pathOfKey } from '../model/local-path.ts';
import { cancelReturned } from './release-held.ts';
import { rereadUnsure } from './reread-recent.ts';
import type { Gathered, RoundContext } from './round-context.ts';
import { planTouched } from './plan-changes.ts';

/** Number of folders that are read from the baseline before the event loop runs again. They take about 2 ms. */
const SLICE_FOLDERS = 200;

export async function scanBelow(
  directory: string,
  context: RoundContext,
  gathered: Gathered,
): Promise<void> {
  const { tree, signal } = context;
  for await (const scan of tree.listAll(directory, { after: gathered.after, signal })) {
    await planFolder(scan, context, gathered);
    await gathered.capacity();
  }
}

/** Plans a folder's new and changed entries. */
export async function planFolder(
  scan: FolderScan,
  context: RoundContext,
  gathered: Gathered,
): Promise<void> {
  const { tree, state, tracker } = context;
  const { directory } = scan;
  gathered.scanned.add(directory);
  if (!gathered.isFirst) gathered.saved?.clear();
  if (!scan.complete) gathered.unlisted.add(directory);
  const folder = folderKey(directory);
  const own = tree.own(scan);
  const slices = compareFolder(state.baseline.folder(folder), scan, own);
  let slice = slices.next();
  for (; !slice.done; slice = slices.next()) await setImmediate();
  const { touched, created, missing } = slice.value;
  if (gathered.isFull) {
    context.missedEvents.check(touched.values());
    context.onScanned(scan.entries.filter(({ kind }) => kind !== 'directory').length);
  }
  for (const key of missing) gathered.missing.push(key);
  cancelReturned(scan.entries, own, touched, context);
  tracker.setFolderProblems(directory, scan.problems);
  forgetGone(scan, context);
  // The folder exists and is unchanged, so an earlier problem with its path has ended or was about a file with the same
  // name.
  if (own && !touched.has(folder) && !missing.includes(folder)) forgetPath(directory, context);
  const known = await knownWithin(folder, context);
  for (const each of scan.entries)
    if (each.kind === 'directory') known.delete(folderKey(each.path));
  for (const vanished of known)
    planVanishedFolder(pathOfKey(vanished), { mayExist: !scan.complete }, context, gathered);
  // A key that is being uploaded may get a baseline row before it is planned.
  const isUnknown = (key: string) => !tracker.underWay(key);
  const rows = new Map([...created].filter(isUnknown).map((key) => [key, undefined]));
  // A file's other hard links must be scanned if the file changed, but not if it only got a new hard link. A full round
  // scans all names anyway.
  if (!gathered.isFull) {
    const changed = [...touched].filter(([key]) => !created.has(key));
    context.linkHints.hintOthers(changed.map(([, entry]) => entry));
  }
  await planTouched({ touched, known: rows }, context, gathered);
  rereadUnsure(scan.entries, touched, context, gathered);
}

/** Plans to delete everything below a path that is no longer a folder. */
export function planVanishedFolder(
  path: string,
  { mayExist }: { readonly mayExist: boolean },
  context: RoundContext,
  gathered: Gathered,
): void {
  const { tree, state } = context;
  const keys = state.baseline.keysBelow(folderKey(path));
  for (const key of keys) gathered.missing.push(key);
  // The listing is older than this check. If the folder exists again, its watch must stay.
  if (keys.length === 0 || mayExist || deepestFolder(context, path) === path) return;
  tree.unwatch(path);
  forgetBelow(path, context);
}

/** Returns a folder's subfolders in the baseline. Yields to the event loop after each slice. */
export async function knownWithin(
  folder: string,
  { state, signal }: RoundContext,
): Promise<Set<string>> {
  const known = new Set<string>();
  for (const each of state.baseline.foldersIn(folder)) {
    known.add(each);
    if (known.size % SLICE_FOLDERS !== 0) continue;
    await setImmediate();
    signal.throwIfAborted();
  }
  return known;
}

/**
 * Clears the problems of paths that no longer exist, and the pending deletes of files that exist again. If `names` is
 * given, the entries cover only these names in the folder.
 */
export function forgetGone(
  {
    directory,
    entries,
    names,
  }: Pick<FolderScan, 'directory' | 'entries'> & { names?: ReadonlySet<string> },
  context: RoundContext,
): void {
  const folder = folderKey(directory);
  const troubled = context.tracker
    .pathsWithProblem(directory)
    .filter((path) => names?.has(path.slice(folder.length)) ?? true);
  if (troubled.length === 0) return;
  const kinds = new Map(entries.map(({ path, kind }) => [path, kind]));
  for (const path of troubled) {
    const kind = kinds.get(path);
    const isBack = kind !== undefined && kind !== 'directory';
    const isOver = context.retries.isUndeleted(path) ? isBack : kind === undefined;
    if (isOver) forgetPath(path, context);
  }
}

function forgetPath(path: string, { tracker, retries }: RoundContext): void {
  tracker.clearProblem(path);
  retries.forget(path);
}

/** Clears problems and retries below a path that is excluded or is not a folder. Keeps pending deletes. */
export function forgetBelow(path: string, { tracker, retries }: RoundContext): void {
  tracker.forgetBelow(path, (each) => retries.isUndeleted(each));
  retries.forgetBelow(path);
}

/**
 * Returns the deepest existing folder on the way to `path` that is not excluded, possibly `path` itself. Does not
 * follow symbolic links, because a link may be newer than the hint.
 */
export function deepestFolder({ root, excluder }: RoundContext, path: string): string {
  let reached = '';
  while (reached !== path) {
    const next = nextBelow(reached, path);
    if (kindAt(root, next) !== 'folder' || excluder.excludes(next, true)) return reached;
    reached = next;
  }
  return reached;
}

/**
 * Returns the kind of a path. `hidden` means that the path cannot be read; listing its parent then reports the problem.
 */
export function kindAt(root: string, path: string): 'folder' | 'hidden' | 'other' {
  try {
    return statsAt(`${root}/${path}`)?.isDirectory() ? 'folder' : 'other';
  } catch {
    return 'hidden';
  }
}

/** Returns the path one level below `folder` on the way to `path`. */
export function nextBelow(folder: string, path: string): string {
  const slash = path.indexOf('/', folderKey(folder).length);
  return slash < 0 ? path : path.slice(0, slash);
}
