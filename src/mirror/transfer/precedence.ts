/**
 * Orders actions that depend on each other. A delete runs after the put that reuses its object's content or replaces
 * its path. A moved file can therefore be copied while its old key is still in the baseline, and when a path changes
 * its type, one of the two objects always exists. Further hard links are uploaded after the first one, because they
 * copy its object.
 */

import { type Action, entryOf } from '../plan/action.ts';
import { isDelete } from '../plan/delete-limit.ts';
import { stemsOf } from '../plan/anomaly-signs.ts';
import { pathOfKey } from '../model/local-path.ts';
import type { BaselineEntry } from '../model/types.ts';

/** The running tasks, each with its action. */
export type UnderWay = ReadonlyMap<Promise<void>, Action>;
type Known = (key: string) => Pick<BaselineEntry, 'inode'> | undefined;

export interface Ordered {
  readonly atOnce: readonly Action[];
  readonly later: readonly Action[];
}

export interface Waiting {
  readonly action: Action;
  /** The tasks that must end before the action starts. */
  readonly before: ReadonlySet<Promise<void>>;
}

/** Separates the actions that can start at once from those that must wait. `known` returns a key's baseline row. */
export function inOrder(actions: readonly Action[], underWay: UnderWay, known: Known): Ordered {
  const index = indexOf(underWay);
  const firstNames = new Set<number>();
  const atOnce: Action[] = [];
  const later: Action[] = [];
  for (const action of actions) {
    const link = linkOf(action);
    const isFurther = link !== undefined && firstNames.has(link);
    const waits = isFurther || tasksOf(action, index, known).size > 0;
    (waits ? later : atOnce).push(action);
    if (link !== undefined) firstNames.add(link);
  }
  return { atOnce, later };
}

/** Returns the running tasks that each of the `later` actions must wait for. */
export function tasksBefore(
  later: readonly Action[],
  underWay: UnderWay,
  known: Known,
): readonly Waiting[] {
  if (later.length === 0) return [];
  const index = indexOf(underWay);
  return later.map((action) => ({ action, before: tasksOf(action, index, known) }));
}

type Tasks = Set<Promise<void>>;

/** Indexes running tasks by properties of the entries that they upload. */
interface Index {
  readonly byInode: ReadonlyMap<number, Tasks>;
  readonly byPath: ReadonlyMap<string, Tasks>;
  /** Tasks by the name that a file may have had before ransomware appended a suffix: `a` for `a.locked`. */
  readonly byStem: ReadonlyMap<string, Tasks>;
  /** Tasks by every folder above their path. */
  readonly byFolder: ReadonlyMap<string, Tasks>;
}

function indexOf(underWay: UnderWay): Index {
  const byInode = new Map<number, Tasks>();
  const byPath = new Map<string, Tasks>();
  const byStem = new Map<string, Tasks>();
  const byFolder = new Map<string, Tasks>();
  for (const [task, action] of underWay) {
    const entry = entryOf(action);
    if (!entry) continue;
    note(byInode, entry.inode, task);
    note(byPath, entry.path, task);
    for (const stem of stemsOf(entry.path)) note(byStem, stem, task);
    for (const folder of foldersAbove(entry.path)) note(byFolder, folder, task);
  }
  return { byInode, byPath, byStem, byFolder };
}

function note<K>(index: Map<K, Tasks>, key: K, task: Promise<void>): void {
  const tasks = index.get(key);
  if (tasks) tasks.add(task);
  else index.set(key, new Set([task]));
}

/** Returns whether an action may have to wait for another action. */
export function mayWait(action: Action): boolean {
  return isDelete(action) || linkOf(action) !== undefined;
}

function tasksOf(
  action: Action,
  { byInode, byPath, byStem, byFolder }: Index,
  known: Known,
): Tasks {
  const none: Tasks = new Set();
  const link = linkOf(action);
  if (link !== undefined) return byInode.get(link) ?? none;
  if (!isDelete(action)) return none;
  const path = pathOfKey(action.key);
  const inode = known(action.key)?.inode;
  const sameFile = inode === undefined ? none : (byInode.get(inode) ?? none);
  const tasks = new Set([...sameFile, ...(byFolder.get(path) ?? none)]);
  for (const each of [path, ...foldersAbove(path)])
    for (const task of byPath.get(each) ?? none) tasks.add(task);
  for (const stem of stemsOf(path)) for (const task of byStem.get(stem) ?? none) tasks.add(task);
  return tasks;
}

/** Returns the inode number of a file with several hard links; undefined for other files. */
function linkOf(action: Action): number | undefined {
  return entryOf(action)?.link;
}

function* foldersAbove(path: string): Generator<string> {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
    yield path.slice(0, end);
}
