/**
 * Runs an event round: compares the paths that may have changed with the baseline, plans them, and submits the
 * actions. A folder is listed only if it is new, or if the names of the changed paths are not sufficient.
 */

import { basename } from 'node:path';

import { folderKey, parentOf } from '../model/local-path.ts';
import type { RemoteHead } from '../plan/plan-types.ts';
import { planMissing } from './plan-deletes.ts';
import {
  compareChangedKeys,
  type RemoteChangesContext,
  rereadBucket,
  takeRemoteChanges,
} from './remote-changes.ts';
import {
  gather,
  type Gathered,
  type RoundContext,
  type RoundOutcome,
  type SessionContext,
} from './round-context.ts';
import { actionsText, finishedRound } from './round-history.ts';
import { planRemote } from './plan-changes.ts';
import {
  deepestFolder,
  forgetBelow,
  kindAt,
  knownWithin,
  nextBelow,
  scanBelow,
  planFolder,
} from './plan-folder.ts';
import { planNames } from './plan-names.ts';

/** Plans the queued paths and keys, if there are any. Rejects with errors that end the session. */
export async function eventRound(
  context: SessionContext,
  round: RemoteChangesContext,
): Promise<void> {
  const { agenda, clock, tracker } = context;
  const startedAt = clock.monotonic();
  if (!agenda.hasHints()) return;
  // Another installation may have taken over the prefix since the last check.
  await context.ownership.checkAgain(round.signal);
  const { askedAt: after } = agenda;
  const hints = agenda.takeHints();
  const changes = takeRemoteChanges(agenda);
  const since = agenda.oldestSince() ?? clock.now();
  await rereadBucket(changes, round);
  const { remote, paths } = await compareChangedKeys(changes.keys, round);
  const all = [...hints.keys(), ...paths];
  const outcome = await planHinted(round, { hints: all, remote, since, after });
  agenda.planned();
  tracker.changed();
  const tookMs = clock.monotonic() - startedAt;
  agenda.quietFor(tookMs);
  const { actions } = outcome;
  if (actions === 0) return;
  const over = finishedRound('event', tookMs / 1_000, actions, clock.now());
  context.onRound(over, `event round: ${actionsText(actions)}`);
}

interface HintedPaths {
  readonly hints: Iterable<string>;
  /** Current versions that differ from the baseline, by key. */
  readonly remote: Map<string, RemoteHead>;
  /** When the oldest queued change was noticed, in milliseconds since 1970. */
  readonly since: number;
  /** The logical time of the newest queued change. */
  readonly after: number;
}

/** Plans the changes at the hinted paths. Scans each hinted folder that is new or was replaced. */
async function planHinted(
  context: RoundContext,
  { hints, ...found }: HintedPaths,
): Promise<RoundOutcome> {
  const capacity = () => context.executor.waitForCapacity();
  const gathered = gather({ ...found, isFull: false, isUrgent: false, isListed: false, capacity });
  const replaced = context.tree.takeReplacedFolders();
  const hinted = hintedFolders(context, hints);
  for (const directory of [...hinted.keys()].sort()) {
    context.signal.throwIfAborted();
    if (gathered.scanned.has(directory)) continue;
    const hint = hinted.get(directory);
    // If the folder could not be listed before, nothing below it has been scanned or watched yet.
    if (context.tracker.isUnlisted(directory)) await scanBelow(directory, context, gathered);
    else if (
      !hint ||
      hint.isWhole ||
      !(await planNames(directory, { ...hint, replaced }, context, gathered))
    )
      await listFolder(directory, replaced, context, gathered);
    await capacity();
  }
  await planRemote(context, gathered);
  return planMissing(context, gathered);
}

/** Lists a folder, and scans each subfolder that is new or was replaced. */
async function listFolder(
  directory: string,
  replaced: ReadonlySet<string>,
  context: RoundContext,
  gathered: Gathered,
): Promise<void> {
  const scan = await context.tree.list(directory, gathered.after);
  await planFolder(scan, context, gathered);
  const known = await knownWithin(folderKey(directory), context);
  const isAsKnown = (path: string) =>
    !scan.rulesChanged && known.has(folderKey(path)) && !replaced.has(path);
  for (const { kind, path } of scan.entries)
    if (kind === 'directory' && !isAsKnown(path)) await scanBelow(path, context, gathered);
}

/** The hinted paths in a folder. */
interface HintedFolder {
  readonly names: Set<string>;
  /** Whether there is a hint for the folder itself, so that the folder must be listed. */
  isWhole: boolean;
}

/**
 * Groups the hinted paths by the deepest folder above them that exists and is not excluded. A hinted folder gets
 * its own group, because it must be listed.
 */
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
