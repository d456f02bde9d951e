/**
 * Runs sync rounds, which find changes, plan them and submit them to the executor. A full round scans the whole folder,
 * an event round only hinted paths. Both compare what they find with the baseline. Deletes are planned last and
 * together, so that the mass-change guard counts all of them.
 */

import { basename } from 'node:path';

import { folderKey, parentOf } from '../model/local-path.ts';
import type { RemoteHead } from '../plan/plan-types.ts';
import { planMissing } from './plan-deletes.ts';
import type { Gathered, RoundContext, RoundOutcome } from './round-context.ts';
import { planRemote } from './round-plan.ts';
import {
  deepestFolder,
  forgetBelow,
  kindAt,
  knownWithin,
  nextBelow,
  scanBelow,
  takeFolder,
} from './take-folder.ts';
import { takeNames } from './take-names.ts';

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

/** Scans the whole folder, and plans all differences. */
export async function runFullRound(context: RoundContext, round: FullRound): Promise<RoundOutcome> {
  const gathered = gather({ ...round, isFull: true, since: context.clock.now() });
  context.tree.takeReplacedFolders();
  await scanBelow('', context, gathered);
  forgetUnseen(gathered, context);
  await planRemote(context, gathered);
  return planMissing(context, gathered);
}

/** Inspects the hinted paths, and scans each folder among them that is new or has been replaced. */
export async function runEventRound(
  context: RoundContext,
  { hints, ...found }: EventRound,
): Promise<RoundOutcome> {
  const gathered = gather({ ...found, isFull: false, isUrgent: false, isListed: false });
  const replaced = context.tree.takeReplacedFolders();
  const hinted = hintedFolders(context, hints);
  for (const directory of [...hinted.keys()].sort()) {
    context.signal.throwIfAborted();
    if (gathered.scanned.has(directory)) continue;
    const hint = hinted.get(directory);
    // If the folder could not be listed before, nothing below it was scanned or watched.
    if (context.tracker.isUnlisted(directory)) await scanBelow(directory, context, gathered);
    else if (
      !hint ||
      hint.isWhole ||
      !(await takeNames(directory, { ...hint, replaced }, context, gathered))
    )
      await listFolder(directory, replaced, context, gathered);
  }
  await planRemote(context, gathered);
  return planMissing(context, gathered);
}

/** Lists a folder, and scans each subfolder that is new or has been replaced. */
async function listFolder(
  directory: string,
  replaced: ReadonlySet<string>,
  context: RoundContext,
  gathered: Gathered,
): Promise<void> {
  const scan = await context.tree.list(directory, gathered.after);
  await takeFolder(scan, context, gathered);
  const known = await knownWithin(folderKey(directory), context);
  const isAsKnown = (path: string) =>
    !scan.rulesChanged && known.has(folderKey(path)) && !replaced.has(path);
  for (const { kind, path } of scan.entries)
    if (kind === 'directory' && !isAsKnown(path)) await scanBelow(path, context, gathered);
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

/** What is hinted in one folder. */
interface HintedFolder {
  readonly names: Set<string>;
  /** Whether the folder itself is hinted, so that it is listed. */
  isWhole: boolean;
}

/** Groups the hinted paths by the folder in which the first missing or excluded name on the way to them is. */
function hintedFolders(
  context: RoundContext,
  paths: Iterable<string>,
): ReadonlyMap<string, HintedFolder> {
  const hinted = new Map<string, HintedFolder>();
  const hintOf = (directory: string) => {
    const hint = hinted.get(directory) ?? { names: new Set(), isWhole: false };
    hinted.set(directory, hint);
    return hint;
  };
  for (const path of paths) {
    const folder = deepestFolder(context, path);
    if (folder === path) {
      hintOf(path).isWhole = true;
      if (path !== '') hintOf(parentOf(path)).names.add(basename(path));
      continue;
    }
    const next = nextBelow(folder, path);
    if (kindAt(context.root, next) !== 'hidden') forgetBelow(next, context);
    hintOf(folder).names.add(basename(next));
  }
  return hinted;
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
