/**
 * Rounds: what changed is found, planned and handed to the executor. A full round scans the whole folder, an
 * event round only the folders that hints name; both compare folder by folder with the baseline. Deletes
 * are planned last and together, so that the brake sees all of them.
 */

import { setImmediate } from 'node:timers/promises';

import { compareFolder } from '../local/tree/folder-difference.ts';
import { statsAt } from '../local/is-there.ts';
import { folderKey, parentOf, pathOfKey } from '../model/local-path.ts';
import type { RemoteHead } from '../plan/plan-types.ts';
import { cancelReturned } from './held.ts';
import { lookAgain } from './reread-recent.ts';
import { planMissing } from './plan-deletes.ts';
import { planRemote, planTouched } from './round-plan.ts';
import type { Gathered, RoundOutcome, RoundContext } from './round-context.ts';
import type { FolderScan } from '../local/scan.ts';

export interface FullRound {
  /** Heads that differ from the baseline: all of them, where the bucket was listed. */
  readonly remote: Map<string, RemoteHead>;
  readonly isListed: boolean;
  /** Somebody waits for it. */
  readonly isUrgent: boolean;
  /** The moment of the newest request or hint. */
  readonly after: number;
}

export interface EventRound {
  readonly hints: Iterable<string>;
  /** Heads that differ from the baseline. */
  readonly remote: Map<string, RemoteHead>;
  /** When the oldest of all this was known. */
  readonly since: number;
  /** The moment of the newest of them. */
  readonly after: number;
}

/** Looked for in the baseline between two turns of the event loop: some 2 ms of work. */
const SLICE_FOLDERS = 200;

/** Scans everything. */
export async function runFullRound(context: RoundContext, round: FullRound): Promise<RoundOutcome> {
  const gathered = gather({ ...round, isFull: true, since: context.clock.now() });
  context.tree.takeReplacedFolders();
  await scanBelow('', context, gathered);
  forgetUnseen(gathered, context);
  await planRemote(context, gathered);
  return planMissing(context, gathered);
}

/** Scans the folders of the hinted paths, and what is new below them, or is another folder than it was. */
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
    // Nor was anything below it looked at, or watched.
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

/** The folders to list for some paths: the one above each, and the path itself where it is a folder. */
function hintedFolders(context: RoundContext, paths: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    if (path === '') folders.add('');
    const folder = reachable(context, path);
    const next = firstBelow(folder, path);
    if (folder !== path && whatIs(context.root, next) !== 'hidden') forgetBelow(next, context);
    folders.add(folder === path ? parentOf(path) : folder);
    if (folder === path) folders.add(path);
  }
  return folders;
}

/**
 * The deepest folder on the way to `path`, itself included, that is there and not left out. A link on the
 * way is not followed: a hint may be older than the link.
 */
function reachable({ root, excluder }: RoundContext, path: string): string {
  let reached = '';
  while (reached !== path) {
    const next = firstBelow(reached, path);
    if (whatIs(root, next) !== 'folder' || excluder.excludes(next, true)) return reached;
    reached = next;
  }
  return reached;
}

/** `hidden`: it may not be looked at; the folder that it is in tells so when it is listed. */
function whatIs(root: string, path: string): 'folder' | 'hidden' | 'other' {
  try {
    return statsAt(`${root}/${path}`)?.isDirectory() ? 'folder' : 'other';
  } catch {
    return 'hidden';
  }
}

/** The next on the way from a folder to a path below it. */
function firstBelow(folder: string, path: string): string {
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

/** Plans what is new and changed in one folder. */
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
  if (gathered.isFull) context.doubt.look(touched.values());
  gathered.missing.push(...missing);
  cancelReturned(scan, own, touched, context);
  tracker.setFolderProblems(directory, scan.problems);
  forgetGone(scan, context);
  // What was wrong with it was wrong with a file of that name, or is over.
  if (own && !touched.has(folder) && !missing.includes(folder)) forgetPath(directory, context);
  const known = await knownWithin(folder, context);
  for (const each of scan.entries)
    if (each.kind === 'directory') known.delete(folderKey(each.path));
  for (const vanished of known) {
    gathered.missing.push(...state.baseline.keysBelow(vanished));
    // The listing is older than this look: what is there again keeps its watch.
    const path = pathOfKey(vanished);
    if (!scan.complete || reachable(context, path) === path) continue;
    tree.unwatch(path);
    forgetBelow(path, context);
  }
  await planTouched(touched, context, gathered);
  lookAgain(scan.entries, touched, context, gathered);
}

/** The folders inside one that the baseline knows. Of ten thousand, each slice gives the event loop a turn. */
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

/** What was wrong with a path that is not there any more is over; and what would not be deleted, where it is back. */
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

/** Nothing is below what is no folder, or is left out: nor is anything wrong there, or waited for but its delete. */
function forgetBelow(path: string, { tracker, retries }: RoundContext): void {
  tracker.forgetBelow(path, (each) => retries.isUndeleted(each));
  retries.forgetBelow(path);
}

/** Folders that came and went without a row in the baseline: only a scan of all tells that they are gone. */
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
