/**
 * Counts deletes for the mass-change guard. All deletes in one tool's folder, such as `node_modules`, count once within
 * the guard's time window.
 */

import { DELETE_WINDOW_MS } from '../plan/delete-limit.ts';
import { treeOf } from '../plan/tool-trees.ts';
import type { StateFile } from '../state/state-file.ts';

export interface TreeDeletes {
  /**
   * Returns the unit that a key's delete counts as: the key itself or a tool's folder. Undefined if that unit is
   * already counted.
   */
  readonly unitOf: (key: string) => string | undefined;
  /** Returns the keys and tools' folders that are counted in the time window. */
  readonly counted: () => ReadonlySet<string>;
  /** Counts each key as its folder in the map, even if the key is already counted. */
  readonly regroup: (folders: ReadonlyMap<string, string>) => void;
  /** Counts the deletes of these keys in the time window. */
  readonly note: (keys: readonly string[]) => void;
}

export function treeDeletes(state: StateFile, now: number): TreeDeletes {
  const { countedDeletes } = state;
  const since = now - DELETE_WINDOW_MS;
  let counted = countedDeletes.since(since);
  let regrouped: ReadonlyMap<string, string> = new Map();
  const shown = new Map<string, boolean>();
  // Results are cached, because the same few names are queried for every file in a tool's folder.
  const knows = (key: string) => {
    const known = shown.get(key) ?? state.baseline.get(key) !== undefined;
    shown.set(key, known);
    return known;
  };
  const unit = (key: string) => regrouped.get(key) ?? treeOf(key, knows) ?? key;
  return {
    unitOf: (key) => (counted.has(unit(key)) ? undefined : unit(key)),
    counted: () => counted,
    regroup(folders) {
      regrouped = folders;
      state.together(() => countedDeletes.regroup(folders));
      counted = countedDeletes.since(since);
    },
    note: (keys) => countedDeletes.add(new Set(keys.map(unit)), now),
  };
}
