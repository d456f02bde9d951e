/** Deletes that the brake let pass before it held others: kept until the user decides, who looks long after the window. */

import { DELETE_WINDOW_MS } from '../plan/brakes.ts';
import type { StateFile } from '../state/state.ts';

export interface PassedDeletes {
  /** Milliseconds since 1970: by then none of them was done. */
  readonly before: number;
  /** How many changes of the user's they were. */
  readonly deletes: number;
}

/** Name of a row in the state's `meta`. */
const PASSED = 'deletes passed';
/** Services tell times in whole seconds, of which a delete's may be the earlier end. */
const SECOND_MS = 1_000;

/** `now`: when the deletes are planned of which some are held; those of the window came before. */
export function notePassed(state: StateFile, deletes: number, now: number): void {
  const first = state.firstDeleteSince(now - DELETE_WINDOW_MS) ?? now;
  const before = Math.floor(first / SECOND_MS) * SECOND_MS - 1;
  const passed: PassedDeletes = { before, deletes };
  state.setMeta(PASSED, JSON.stringify(passed));
}

/** Of the deletes that are held now: the caller knows whether there are any. */
export function readPassed(state: StateFile): PassedDeletes | undefined {
  const text = state.meta(PASSED);
  // Of our own writing: the state file is nobody else's.
  return text === undefined ? undefined : (JSON.parse(text) as PassedDeletes);
}
