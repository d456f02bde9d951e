/**
 * Records which deletes preceded held deletes or the loss of the folder, because the user may review them long after
 * the guard's time window.
 */

import { defined } from '../../base/defined.ts';
import { DELETE_WINDOW_MS } from '../plan/delete-limit.ts';
import type { StateFile } from '../state/state.ts';

/** Deletes that were done before others were held, or before the folder was found missing. */
export interface DeletesBefore {
  /** Time before the first of these deletes, in milliseconds since 1970. */
  readonly before: number;
  /** Number of changes that these deletes represent. */
  readonly deletes: number;
}

/** The deletes that were done when the first delete was held, with the limit that the latest deletes exceeded. */
interface Beginning extends DeletesBefore {
  /** Maximum number of deletes in ten minutes; absent if encrypted files are the only reason. */
  readonly limit?: number;
}

/**
 * Name of the `meta` record in the job's state that stores the deletes before the first held one (`Beginning` as JSON).
 */
const BEGINNING = 'deletes passed';
/**
 * Name of the `meta` record in the job's state that stores the deletes before the folder's loss (`DeletesBefore` as
 * JSON); empty while the folder exists.
 */
const BEFORE_LOSS = 'deletes before the folder was lost';
/** Precision of times in services, which report whole seconds. The time of a delete may be rounded down. */
const SECOND_MS = 1_000;

/**
 * Records that deletes are about to be held. `now` is when they are planned, and `deletes` how many were done in the
 * time window. `limit` is the limit that they exceed, if their number is the reason.
 */
export function noteHeldDeletes(
  state: StateFile,
  { deletes, limit, now }: { deletes: number; limit: number | undefined; now: number },
): void {
  const beginning = readBeginning(state) ?? beginAt(state, now, deletes);
  state.setMeta(BEGINNING, JSON.stringify({ ...beginning, ...defined({ limit }) }));
}

/**
 * Records the deletes in the time window when the folder is found missing. They may have been the beginning of its
 * loss.
 */
export function noteLoss(state: StateFile, now: number): void {
  if (state.meta(BEFORE_LOSS)) return;
  const deletes = state.countedDeletes.countSince(now - DELETE_WINDOW_MS);
  state.setMeta(BEFORE_LOSS, JSON.stringify(beginAt(state, now, deletes)));
}

/** Removes the record of the folder's loss, because the folder exists. */
export function endLoss(state: StateFile): void {
  if (state.meta(BEFORE_LOSS)) state.setMeta(BEFORE_LOSS, '');
}

/** Returns the deletes before the loss of the folder; undefined if there were none. */
export function deletesBeforeLoss(state: StateFile): DeletesBefore | undefined {
  const text = state.meta(BEFORE_LOSS);
  const passed = text ? (JSON.parse(text) as DeletesBefore) : undefined;
  return passed && passed.deletes > 0 ? passed : undefined;
}

function beginAt(state: StateFile, now: number, deletes: number): Beginning {
  const first = state.countedDeletes.firstSince(now - DELETE_WINDOW_MS) ?? now;
  return { before: Math.floor(first / SECOND_MS) * SECOND_MS - 1, deletes };
}

/** Returns the deletes before the held ones; undefined while no delete is held. */
export function deletesBeforeHeld(state: StateFile): DeletesBefore | undefined {
  const beginning = readBeginning(state);
  return beginning && { before: beginning.before, deletes: beginning.deletes };
}

/** Returns how many deletes are held now, and why; undefined if none is held. */
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
  // Only Holdfast writes the state file, so the JSON is not validated.
  return text === undefined ? undefined : (JSON.parse(text) as Beginning);
}
