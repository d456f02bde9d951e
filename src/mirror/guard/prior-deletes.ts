/**
 * Records which deletes preceded held deletes or the loss of the folder. The user reviews them long after the
 * guard's window has passed.
 */

import { defined } from '../../base/defined.ts';
import { DELETE_WINDOW_MS } from '../plan/delete-limit.ts';
import type { StateFile } from '../state/state.ts';

/** Deletes that were done before others were held, or before the folder was found missing. */
export interface DeletesBefore {
  /** Milliseconds since 1970: at this time none of them was done. */
  readonly before: number;
  /** The number of changes that they count as. */
  readonly deletes: number;
}

/** The state when the first delete was held, with the limit that the latest deletes exceeded. */
interface Beginning extends DeletesBefore {
  /** Deletes in ten minutes; absent if encrypted files are the only reason. */
  readonly limit?: number;
}

/** Name of a row in the state's `meta`: JSON of a Beginning. */
const BEGINNING = 'deletes passed';
/** Name of a row in the state's `meta`: JSON of DeletesBefore; empty while the folder exists. */
const BEFORE_LOSS = 'deletes before the folder was lost';
/** Services report times in whole seconds. The time of a delete may be rounded down. */
const SECOND_MS = 1_000;

/**
 * Called before deletes are held. `now`: when they are planned; `deletes`: how many were done in the window;
 * `limit`: the one that they exceed, if their number is the reason.
 */
export function noteHeldDeletes(
  state: StateFile,
  { deletes, limit, now }: { deletes: number; limit: number | undefined; now: number },
): void {
  const beginning = readBeginning(state) ?? beginAt(state, now, deletes);
  state.setMeta(BEGINNING, JSON.stringify({ ...beginning, ...defined({ limit }) }));
}

/** Called when the folder is found missing: the deletes in the window may have been the beginning of its loss. */
export function noteLoss(state: StateFile, now: number): void {
  if (state.meta(BEFORE_LOSS)) return;
  const deletes = state.countedDeletes.countSince(now - DELETE_WINDOW_MS);
  state.setMeta(BEFORE_LOSS, JSON.stringify(beginAt(state, now, deletes)));
}

/** Called when the folder exists. */
export function endLoss(state: StateFile): void {
  if (state.meta(BEFORE_LOSS)) state.setMeta(BEFORE_LOSS, '');
}

/** Undefined if none was done. */
export function deletesBeforeLoss(state: StateFile): DeletesBefore | undefined {
  const text = state.meta(BEFORE_LOSS);
  const passed = text ? (JSON.parse(text) as DeletesBefore) : undefined;
  return passed && passed.deletes > 0 ? passed : undefined;
}

function beginAt(state: StateFile, now: number, deletes: number): Beginning {
  const first = state.countedDeletes.firstSince(now - DELETE_WINDOW_MS) ?? now;
  return { before: Math.floor(first / SECOND_MS) * SECOND_MS - 1, deletes };
}

/** Undefined while no delete is held. */
export function deletesBeforeHeld(state: StateFile): DeletesBefore | undefined {
  const beginning = readBeginning(state);
  return beginning && { before: beginning.before, deletes: beginning.deletes };
}

/** How many deletes are held now, and why; undefined for none. */
export function heldDeletesText(state: StateFile): string | undefined {
  const { deletes } = state.heldChanges.counts();
  if (deletes === 0) return undefined;
  const { limit, deletes: passed = 0 } = readBeginning(state) ?? {};
  const held = deletes === 1 ? '1 delete is held' : `${deletes} deletes are held`;
  const before = passed === 0 ? '' : `, and ${passed} were mirrored before`;
  const why =
    limit === undefined ? '' : `: the limit of the job is ${limit} in 10 minutes${before}`;
  return `${held}${why}; their objects stay in the bucket`;
}

function readBeginning(state: StateFile): Beginning | undefined {
  const text = state.heldChanges.counts().deletes > 0 ? state.meta(BEGINNING) : undefined;
  // Only this program writes the state file, so the JSON is trusted.
  return text === undefined ? undefined : (JSON.parse(text) as Beginning);
}
