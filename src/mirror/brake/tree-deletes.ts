/** Deletes as the mass-change guard counts them: all that are below one folder of a tool are one change in its window. */

import { DELETE_WINDOW_MS } from '../plan/brakes.ts';
import { treeOf } from '../plan/tool-trees.ts';
import type { StateFile } from '../state/state.ts';

export interface TreeDeletes {
  /** What a delete counts as; undefined for one that is counted already. */
  readonly unitOf: (key: string) => string | undefined;
  /** Counts these deletes. */
  readonly note: (keys: readonly string[]) => void;
}

export function treeDeletes(state: StateFile, now: number): TreeDeletes {
  const counted = state.countedDeletes.since(now - DELETE_WINDOW_MS);
  const shown = new Map<string, boolean>();
  // The same few names are asked for each file below a tree.
  const knows = (key: string) => {
    const known = shown.get(key) ?? state.baseline.get(key) !== undefined;
    shown.set(key, known);
    return known;
  };
  const tree = (key: string) => treeOf(key, knows);
  return {
    unitOf(key) {
      const unit = tree(key) ?? key;
      return counted.has(unit) ? undefined : unit;
    },
    note(keys) {
      state.countedDeletes.add(new Set(keys.map((key) => tree(key) ?? key)), now);
    },
  };
}
