/** Keys that wait for the user are let go when what stood in their way, or the file itself, is gone. */

import { lstatSync } from 'node:fs';

import { errorCode } from '../base/errors.ts';
import { pathOfKey } from './local-path.ts';
import type { RemoteHead } from './plan-types.ts';
import type { StateFile } from './state.ts';
import type { Tracker } from './tracker.ts';

/** `remote`: the heads that differ from the baseline, where a remote scan looked. */
export function releaseHeld(
  { root, state, tracker }: { root: string; state: StateFile; tracker: Tracker },
  remote: ReadonlyMap<string, RemoteHead> | undefined,
): void {
  for (const key of state.held.keys()) {
    const head = remote ? (remote.get(key) ?? 'absent') : undefined;
    if (head !== 'absent' && isThere(`${root}/${pathOfKey(key)}`)) continue;
    state.held.release(key);
    tracker.clearHeld(key);
    tracker.clearProblem(pathOfKey(key));
  }
}

/** Also for what may not be looked at: not seen is not gone. */
export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return errorCode(error) !== 'ENOTDIR';
  }
}
