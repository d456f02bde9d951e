/**
 * Plans files that users save during a full round, so that they do not wait until a long first round ends. All other
 * hints wait for the next round, because a full round plans deletes last and has scanned all folders only by then.
 */

import { basename } from 'node:path';

import { kindOf, within } from '../local/local-entry.ts';
import { statsAt } from '../local/path-exists.ts';
import { RULE_FILES } from '../local/tree-rules.ts';
import { folderKey, parentOf, pathOfKey } from '../model/local-path.ts';
import type { Agenda } from './agenda.ts';
import { deepestFolder } from './plan-folder.ts';
import { planNames } from './plan-names.ts';
import { gather, type Gathered, type RoundContext } from './round-context.ts';

/** Maximum number of hints that are planned before other work may run. */
const HINTS_AT_ONCE = 128;

/**
 * Plans saved files until the executor can accept more actions from the round. Stops earlier if half of the executor's
 * queue consists of saved files. Rejects when the signal is aborted.
 */
export async function planSavesWhileFull(
  agenda: Agenda,
  context: RoundContext,
  round: Gathered,
): Promise<void> {
  const { executor, signal } = context;
  const mayPlan = () => executor.hasCapacity({ first: true });
  if (agenda.hintsDueIn() === 0 && mayPlan()) await planSaves(agenda, context, round);
  if (executor.hasCapacity()) return;
  const wait = { isOver: false };
  const capacity = executor.waitForCapacity().then(() => (wait.isOver = true));
  // Saved files may fill the executor again after the wait has ended.
  while (!wait.isOver && mayPlan()) {
    signal.throwIfAborted();
    const over = new AbortController();
    await Promise.race([capacity, agenda.hintsDue(AbortSignal.any([signal, over.signal]))]);
    over.abort();
    if (agenda.hintsDueIn() === 0) await planSaves(agenda, context, round);
  }
  await capacity;
  signal.throwIfAborted();
}

/** Plans those newly queued paths that are saved files. */
async function planSaves(agenda: Agenda, context: RoundContext, round: Gathered): Promise<void> {
  const { remote, saved } = round;
  const { clock, hint } = context;
  const startedAt = clock.monotonic();
  const { askedAt: after } = agenda;
  const hints = agenda.takeNewHints(HINTS_AT_ONCE);
  const [since = clock.now()] = hints.values();
  const own = { isFull: false, isUrgent: false, isListed: false, isFirst: true } as const;
  const capacity = () => Promise.resolve();
  const found = gather({ ...own, remote, since, after, capacity, ...(saved && { saved }) });
  const planned = new Set<string>();
  for (const [directory, paths] of savedByFolder(hints, agenda, context, round)) {
    const names = new Set(paths.map((path) => basename(path)));
    if (await planNames(directory, { names, replaced: new Set() }, context, found))
      for (const path of paths) planned.add(path);
  }
  // Paths that vanished in the meantime or are now excluded are left for the next round.
  for (const path of found.missing.map(pathOfKey)) if (!planned.delete(path)) hint(path);
  agenda.plannedSome(planned, hints.keys());
  round.actions += found.actions;
  round.isLate ||= found.isLate;
  agenda.quietFor(clock.monotonic() - startedAt);
}

/** Groups the hinted paths by folder. Omits paths that are not files or that replaced a folder. */
function savedByFolder(
  hints: ReadonlyMap<string, number>,
  agenda: Agenda,
  context: RoundContext,
  round: Gathered,
): ReadonlyMap<string, readonly string[]> {
  const { root, state } = context;
  const folders = new Map<string, string[]>();
  const isHinted = (path: string) => hints.has(path) || agenda.isQueued(path);
  for (const path of hints.keys()) {
    const directory = parentOf(path);
    if (path === '' || !hasCurrentRules(directory, isHinted, round)) continue;
    if (deepestFolder(context, path) !== directory || !isFileAt(`${root}/${path}`)) continue;
    if (state.baseline.hasFolder(folderKey(path))) continue;
    const paths = folders.get(directory);
    if (paths) paths.push(path);
    else folders.set(directory, [path]);
  }
  return folders;
}

/**
 * Returns whether this round has read the exclusion rules of a folder and of all folders above it, and no hint
 * indicates a later change of these rules. Otherwise a file could be uploaded that the rules exclude.
 */
function hasCurrentRules(
  directory: string,
  isHinted: (path: string) => boolean,
  { scanned, unlisted }: Gathered,
): boolean {
  for (let folder = directory; ; folder = parentOf(folder)) {
    if (!scanned.has(folder) || unlisted.has(folder) || isHinted(folder)) return false;
    if (RULE_FILES.some((name) => isHinted(within(folder, name)))) return false;
    if (folder === '') return true;
  }
}

/** Returns whether a path is a file; false if the path cannot be read. */
function isFileAt(path: string): boolean {
  try {
    const stats = statsAt(path);
    return stats !== undefined && kindOf(stats) === 'file';
  } catch {
    return false;
  }
}
