/**
 * Runs sync rounds, which find changes, plan them and submit them to the executor. A full round scans the whole folder,
 * an event round only folders with hinted changes. Both compare each folder with the baseline. Deletes are planned last
 * and together, so that the mass-change guard counts all of them.
 */

import { setImmediate } from 'node:timers/promises';

import { compareFolder } from '../local/tree/folder-difference.ts';
import { statsAt } from '../local/path-exists.ts';
import { folderKey, parentOf, pathOfKey } from '../model/local-path.ts';
import type { RemoteHead } from '../plan/plan-types.ts';
import { cancelReturned } from './release-held.ts';
import { rereadUnsure } from './reread-recent.ts';
import { planMissing } from './plan-deletes.ts';
import { planRemote, planTouched } from './round-plan.ts';
import type { Gathered, RoundOutcome, RoundContext } from './round-context.ts';
import type { FolderScan } from '../local/scan.ts';

export interface FullRound {
  /** Current versions that differ from the baseline; all of them if the bucket was listed. */
  readonly remote: Map<string, RemoteHead>;
  readonly isListed: boolean;
  /** Whether a caller waits for this round. */
  readonly isUrgent: boolean;
  /** The moment of the newest request or hint. */
  readonly after: number;
}

export interface EventRound {
  readonly hints: Iterable<string>;
  /** Current versions that differ from the baseline, by key. */
  readonly remote: Map<string, RemoteHead>;
  /** Time of the oldest hint, in milliseconds since 1970. */
  readonly since: number;
  /** The moment of the newest hint. */
  readonly after: number;
}

/** Number of folders to read from the baseline per turn of the event loop, about 2 ms of work. */
const SLICE_FOLDERS = 200;

/** Scans the whole folder, and plans all differences. */
export async function runFullRound(context: RoundContext, round: FullRound): Promise<RoundOutcome> {
  const gathered = gather({ ...round, isFull: true, since: context.clock.now() });
  context.tree.takeReplacedFolders();
  await scanBelow('', context, gathered);
  forgetUnseen(gathered, context);
  await planRemote(context, gathered);
  return planMissing(context, gathered);
}

/** Scans the folders of the hinted paths, and recursively each subfolder that is new or has been replaced. */
export async function runEventRound(
  context: RoundContext,
  { hints, ...found }: EventRound,
): Promise<RoundOutcome> {
  const { after } = found;
  const gathered = gather({ ...found, isFull: false, isUrgent: false, isListed: false });
  const others = context.tree.takeReplacedFolders();
  for (const directory of [...hintedFolders(context, hints)].sort()) {
    context.signal.throwIfAborted();
    if (gathered.scanned.has(directory)) continue;
    // If the folder could not be listed before, nothing below it was scanned or watched.
    if (context.tracker.isUnlisted(directory)) {
      await scanBelow(directory, context, gathered);
      continue;
    }
    const scan = await context.tree.list(directory, after);
    await takeFolder(scan, context, gathered);
    const known = await knownWithin(folderKey(directory), context);
    const isAsKnown = (path: string) =>
      !scan.rulesChanged && known.has(folderKey(path)) && !others.has(path);
    for (const { kind, path } of scan.entries)
      if (kind === 'directory' && !isAsKnown(path)) await scanBelow(path, context, gathered);
  }
  await planRemote(context, gathered);
  return planMissing(context, gathered);
}

function gather(
  found: Pick<Gathered, 'isFull' | 'isUrgent' | 'since' | 'after' | 'remote' | 'isListed'>,
): Gathered {
  return {
    ...found,
    missing: [],
    unlisted: new Set(),
    scanned: new Set(),
    actions: 0,
    isLate: false,
  };
}

/** Returns the folders to list for hinted paths: the parent of each path, and the path itself if it is a folder. */
function hintedFolders(context: RoundContext, paths: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    if (path === '') folders.add('');
    const folder = deepestFolder(context, path);
    const next = nextBelow(folder, path);
    if (folder !== path && kindAt(context.root, next) !== 'hidden') forgetBelow(next, context);
    folders.add(folder === path ? parentOf(path) : folder);
    if (folder === path) folders.add(path);
  }
  return folders;
}

/**
 * Returns the deepest existing, non-excluded folder on the way to `path`, possibly `path` itself. Symbolic links are
 * not followed, because a hint may be older than the link.
 */
function deepestFolder({ root, excluder }: RoundContext, path: string): string {
  let reached = '';
  while (reached !== path) {
    const next = nextBelow(reached, path);
    if (kindAt(root, next) !== 'folder' || excluder.excludes(next, true)) return reached;
    reached = next;
  }
  return reached;
}

/** Returns the kind of a path. `hidden` means that it cannot be read; listing its parent reports the problem. */
function kindAt(root: string, path: string): 'folder' | 'hidden' | 'other' {
  try {
    return statsAt(`${root}/${path}`)?.isDirectory() ? 'folder' : 'other';
  } catch {
    return 'hidden';
  }
}

/** Returns the path that is one level below `folder` on the way to `path`. */
function nextBelow(folder: string, path: string): string {
  const slash = path.indexOf('/', folderKey(folder).length);
  return slash < 0 ? path : path.slice(0, slash);
}

async function scanBelow(
  directory: string,
  context: RoundContext,
  gathered: Gathered,
): Promise<void> {
  const { tree, signal } = context;
  for await (const scan of tree.listAll(directory, { after: gathered.after, signal }))
    await takeFolder(scan, context, gathered);
}

/** Plans the new and changed entries of one folder. */
async function takeFolder(
  scan: FolderScan,
  context: RoundContext,
  gathered: Gathered,
): Promise<void> {
  const { tree, state, tracker } = context;
  const { directory } = scan;
  gathered.scanned.add(directory);
  if (!scan.complete) gathered.unlisted.add(directory);
  const folder = folderKey(directory);
  const own = tree.own(scan);
  const slices = compareFolder(state.baseline.folder(folder), scan, own);
  let slice = slices.next();
  for (; !slice.done; slice = slices.next()) await setImmediate();
  const { touched, missing } = slice.value;
  if (gathered.isFull) context.missedEvents.check(touched.values());
  for (const key of missing) gathered.missing.push(key);
  cancelReturned(scan, own, touched, context);
  tracker.setFolderProblems(directory, scan.problems);
  forgetGone(scan, context);
  // An earlier problem of this path concerned a file of the same name, or has ended.
  if (own && !touched.has(folder) && !missing.includes(folder)) forgetPath(directory, context);
  const known = await knownWithin(folder, context);
  for (const each of scan.entries)
    if (each.kind === 'directory') known.delete(folderKey(each.path));
  for (const vanished of known) {
    for (const key of state.baseline.keysBelow(vanished)) gathered.missing.push(key);
    // The listing is older than this check. A folder that exists again must keep its watch.
    const path = pathOfKey(vanished);
    if (!scan.complete || deepestFolder(context, path) === path) continue;
    tree.unwatch(path);
    forgetBelow(path, context);
  }
  await planTouched(touched, context, gathered);
  rereadUnsure(scan.entries, touched, context, gathered);
}

/** Returns the subfolders of a folder in the baseline. Yields to the event loop after each slice. */
async function knownWithin(folder: string, { state, signal }: RoundContext): Promise<Set<string>> {
  const known = new Set<string>();
  for (const each of state.baseline.foldersIn(folder)) {
    known.add(each);
    if (known.size % SLICE_FOLDERS !== 0) continue;
    await setImmediate();
    signal.throwIfAborted();
  }
  return known;
}

/** Clears the problems of paths that no longer exist, and the pending deletes of files that exist again. */
function forgetGone({ directory, entries }: FolderScan, context: RoundContext): void {
  const troubled = context.tracker.pathsWithProblem(directory);
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

/** Clears problems and retries below a path that is not a folder or is excluded. Keeps pending deletes. */
function forgetBelow(path: string, { tracker, retries }: RoundContext): void {
  tracker.forgetBelow(path, (each) => retries.isUndeleted(each));
  retries.forgetBelow(path);
}

/**
 * Clears problems of folders that appeared and vanished without a baseline row. Only a full scan shows that they are
 * gone.
 */
function forgetUnseen({ scanned, unlisted }: Gathered, context: RoundContext): void {
  const isSeen = (folder: string) => scanned.has(folder) || isBelow(folder, unlisted);
  for (const folder of context.tracker.foldersWithProblems())
    if (!isSeen(folder)) forgetBelow(folder, context);
}

function isBelow(path: string, folders: ReadonlySet<string>): boolean {
  for (let above = path; above !== ''; above = parentOf(above))
    if (folders.has(parentOf(above))) return true;
  return false;
}
