/**
 * Remembers file systems mounted inside a root. Files on a file system that is not mounted any more do not
 * count as deleted.
 */

import type { Mounts } from '../local/exclude.ts';
import type { StateFile } from '../state/state.ts';

/** Name of a row in the state's `meta`. */
const MOUNTS = 'mounts';

export function rememberMounts(state: StateFile): Mounts {
  const known = () => new Set(JSON.parse(state.meta(MOUNTS) ?? '[]') as string[]);
  let paths = known();
  return {
    has: (path) => paths.has(path) && (paths = known()).has(path),
    note: (path) => {
      if (paths.has(path)) return;
      paths.add(path);
      state.setMeta(MOUNTS, JSON.stringify([...paths]));
    },
  };
}

/** Forgets all mounts. Only those that are seen from now on are expected later. */
export function forgetMounts(state: StateFile): void {
  state.setMeta(MOUNTS, '[]');
}
