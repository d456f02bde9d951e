/** Deletes counted as their user would: what lies below one folder of a tool is one change in the brake's window. */

import { DELETE_WINDOW_MS } from '../plan/brakes.ts';
import { treeOf } from '../plan/tool-trees.ts';
import type { StateFile } from '../state/state.ts';

export interface TreeDeletes {
  /** What a delete counts as; undefined for one whose tree was counted before. */
  readonly unitOf: (key: string) => string | undefined;
  /** The trees of these keys count once, from now on. */
  readonly note: (keys: readonly string[]) => void;
}

export function treeDeletes(state: StateFile, now: number): TreeDeletes {
  const counted = state.deletedTrees.since(now - DELETE_WINDOW_MS);
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
      const found = tree(key);
      if (found === undefined) return key;
      return counted.has(found) ? undefined : found;
    },
    note(keys) {
      const trees = new Set(keys.flatMap((key) => tree(key) ?? []));
      if (trees.size > 0) state.deletedTrees.count(trees, now);
    },
  };
}
