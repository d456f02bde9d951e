/** Counts deletes for the mass-change guard: all deletes below one folder of a tool count once in its time window. */

import { DELETE_WINDOW_MS } from '../plan/delete-limit.ts';
import { treeOf } from '../plan/tool-trees.ts';
import type { StateFile } from '../state/state.ts';

export interface TreeDeletes {
  /** Returns the unit that a delete counts as; undefined if that unit is already counted. */
  readonly unitOf: (key: string) => string | undefined;
  /** Returns the keys and tool folders that are counted in the time window. */
  readonly counted: () => ReadonlySet<string>;
  /** Counts keys as the folder to which each maps, even if they are already counted. */
  readonly regroup: (folders: ReadonlyMap<string, string>) => void;
  /** Counts these deletes. */
  readonly note: (keys: readonly string[]) => void;
}

export function treeDeletes(state: StateFile, now: number): TreeDeletes {
  const { countedDeletes } = state;
  const since = now - DELETE_WINDOW_MS;
  let counted = countedDeletes.since(since);
  let regrouped: ReadonlyMap<string, string> = new Map();
  const shown = new Map<string, boolean>();
  // The result is cached, because the same few keys are queried for each file below a tool folder.
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
