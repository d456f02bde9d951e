/**
 * Orders actions that depend on each other. A delete runs after the put that reuses its file's bytes or replaces its
 * path. A moved file can thus be copied while its old key is in the baseline, and a change of type always leaves one of
 * the two objects. Further hard links run after the first one, whose object is then copied.
 */

import { type Action, entryOf } from '../plan/action.ts';
import { isDelete } from '../plan/delete-limit.ts';
import { stemsOf } from '../plan/anomaly-signs.ts';
import { pathOfKey } from '../model/local-path.ts';
import type { BaselineEntry } from '../model/types.ts';

/** The running tasks, each with its actions. */
export type UnderWay = ReadonlyMap<Promise<void>, readonly Action[]>;
type Known = (key: string) => Pick<BaselineEntry, 'inode'> | undefined;

export interface Ordered {
  readonly atOnce: readonly Action[];
  /** Start after the tasks of `tasksBefore`, which is called once `atOnce` is running. */
  readonly later: readonly Action[];
}

/** `known` returns the baseline row of a key. */
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

export function tasksBefore(
  actions: readonly Action[],
  underWay: UnderWay,
  known: Known,
): ReadonlySet<Promise<void>> {
  const index = indexOf(underWay);
  return new Set(actions.flatMap((action) => [...tasksOf(action, index, known)]));
}

type Tasks = Set<Promise<void>>;

/** Running tasks by the properties of the entries that they upload. */
interface Index {
  readonly byInode: ReadonlyMap<number, Tasks>;
  readonly byPath: ReadonlyMap<string, Tasks>;
  /** By the original names that the path can derive from, such as `a` for `a.locked`. */
  readonly byStem: ReadonlyMap<string, Tasks>;
  /** By each folder above the path. */
  readonly byFolder: ReadonlyMap<string, Tasks>;
}

function indexOf(underWay: UnderWay): Index {
  const byInode = new Map<number, Tasks>();
  const byPath = new Map<string, Tasks>();
  const byStem = new Map<string, Tasks>();
  const byFolder = new Map<string, Tasks>();
  for (const [task, actions] of underWay)
    for (const entry of actions.flatMap((action) => entryOf(action) ?? [])) {
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

/** Whether an action may have to wait for another one. */
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

/** The inode of a file with several hard links. */
function linkOf(action: Action): number | undefined {
  return entryOf(action)?.link;
}

function* foldersAbove(path: string): Generator<string> {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
    yield path.slice(0, end);
}
