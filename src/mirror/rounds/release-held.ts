/** Releases held keys when their object or file no longer exists, or when the user has decided. */

import type { Stats } from 'node:fs';
import { setImmediate } from 'node:timers/promises';

import { isThere } from '../local/path-exists.ts';
import { folderKey, pathOfKey } from '../model/local-path.ts';
import type { Retries } from '../transfer/retries.ts';
import type { RemoteHead } from '../plan/plan-types.ts';
import type { StateFile } from '../state/state-file.ts';
import type { Tracker } from '../model/tracker.ts';
import type { LocalEntry } from '../model/types.ts';

/** Number of keys that are checked before the event loop runs again, because a hundred thousand keys may be held. */
const CHECKED_AT_ONCE = 500;

/**
 * Releases held conflicts and renames that are obsolete. If the bucket was listed, `remote` contains the current
 * versions that differ from the baseline.
 */
export async function releaseHeld(
  { root, state, tracker }: { root: string; state: StateFile; tracker: Tracker },
  remote: ReadonlyMap<string, RemoteHead> | undefined,
): Promise<void> {
  for (const [index, key] of [...state.held.keys()].entries()) {
    if (index % CHECKED_AT_ONCE === 0) await setImmediate();
    const head = remote ? (remote.get(key) ?? 'absent') : undefined;
    const isFolder = key.endsWith('/');
    const isIt = (stats: Stats) => stats.isDirectory() === isFolder;
    if (head !== 'absent' && isThere(root, pathOfKey(key), isIt)) continue;
    releaseHeldKey(key, { state, tracker });
  }
  for (const { key, entry } of state.heldChanges.moves()) {
    if (isThere(root, key, ({ ino }) => ino === entry.inode)) continue;
    state.heldChanges.release(key);
    tracker.clearHeld(key);
  }
}

export function releaseHeldKey(
  key: string,
  { state, tracker }: { readonly state: StateFile; readonly tracker: Tracker },
): void {
  state.held.release(key);
  tracker.clearHeld(key);
  tracker.clearProblem(pathOfKey(key));
}

/**
 * Cancels the held delete of a file that exists again, and the held overwrite of a file that equals its baseline again.
 * A later change is checked again.
 */
export function cancelReturned(
  entries: readonly LocalEntry[],
  folder: LocalEntry | undefined,
  touched: ReadonlyMap<string, LocalEntry>,
  {
    state,
    tracker,
    retries,
  }: { readonly state: StateFile; readonly tracker: Tracker; readonly retries: Retries },
): void {
  const present = entries.filter(({ kind }) => kind !== 'directory').map(({ path }) => path);
  for (const path of present) retries.returned(path);
  const keys = folder ? [folderKey(folder.path), ...present] : present;
  for (const [key, { change, state: decided }] of state.heldChanges.among(keys)) {
    // The planner must know of a rejected delete until the job has adopted the object or uploaded the file.
    if (change === 'delete' && decided === 'rejected') continue;
    if (change === 'delete') state.heldChanges.release(key);
    else if (change === 'overwrite' && !touched.has(key)) {
      state.heldChanges.release(key);
      tracker.clearHeld(key);
    }
  }
}

/**
 * Drops the baseline rows of held deletes, and leaves their objects in the bucket. Keeps the row of a file that exists
 * again. Returns the number of dropped rows.
 */
export function releaseHeldDeletes(root: string, state: StateFile): number {
  const keys = state.heldChanges.deletes().filter((key) => !hasReturned(root, key));
  state.settle(keys.map((key) => ({ key, baseline: 'drop' })));
  state.heldChanges.rejectDeletes(keys.filter((key) => !key.endsWith('/')));
  return keys.length;
}

/** Returns whether a file exists under this key again. A folder with the same name is a different entry. */
function hasReturned(root: string, key: string): boolean {
  return isThere(root, key, (stats) => !stats.isDirectory());
}
