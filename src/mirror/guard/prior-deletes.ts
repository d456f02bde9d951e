/**
 * Records the deletes that were mirrored before further deletes were held, or before the folder was lost. The record
 * is needed because users may review the held deletes long after the guard's time window of ten minutes.
 */

import { defined } from '../../base/defined.ts';
import { countText, numberText } from '../../text/amounts.ts';
import { DELETE_WINDOW_MS } from '../plan/delete-limit.ts';
import type { StateFile } from '../state/state-file.ts';

/** Deletes that were mirrored before further deletes were held, or before the folder was found missing. */
export interface DeletesBefore {
  /** A time just before the first of these deletes, in milliseconds since 1970. */
  readonly before: number;
  /** Number of changes that these deletes represent. All deletes in a tool's folder count as one. */
  readonly deletes: number;
}

/** Deletes that were mirrored before the first delete was held, and the limit that the latest deletes exceeded. */
interface Beginning extends DeletesBefore {
  /** Maximum number of deletes in ten minutes. Absent if deletes are held only because of encrypted files. */
  readonly limit?: number;
}

/** Name of the value in the job's state file that contains a Beginning as JSON. */
const BEGINNING = 'deletes passed';
/** Name of the value in the job's state file that contains DeletesBefore as JSON; empty while the folder exists. */
const BEFORE_LOSS = 'deletes before the folder was lost';
/** Services report times in whole seconds, so a delete's time may be rounded down. */
const SECOND_MS = 1_000;

/**
 * Records that deletes are about to be held. `now` is the time when they were planned, `deletes` the number of deletes
 * that were already mirrored in the time window, and `limit` the limit that they exceed, if any.
 */
export function noteHeldDeletes(
  state: StateFile,
  { deletes, limit, now }: { deletes: number; limit: number | undefined; now: number },
): void {
  const beginning = readBeginning(state) ?? beginAt(state, now, deletes);
  state.setMeta(BEGINNING, JSON.stringify({ ...beginning, ...defined({ limit }) }));
}

/**
 * Records that the folder was found missing. The preceding deletes in the time window may have been the beginning of
 * its loss.
 */
export function noteLoss(state: StateFile, now: number): void {
  if (state.meta(BEFORE_LOSS)) return;
  const deletes = state.countedDeletes.countSince(now - DELETE_WINDOW_MS);
  state.setMeta(BEFORE_LOSS, JSON.stringify(beginAt(state, now, deletes)));
}

/** Clears the record of the missing folder, because the folder exists again. */
export function endLoss(state: StateFile): void {
  if (state.meta(BEFORE_LOSS)) state.setMeta(BEFORE_LOSS, '');
}

/** Returns the deletes that were mirrored before the folder was found missing; undefined if there were none. */
export function deletesBeforeLoss(state: StateFile): DeletesBefore | undefined {
  const text = state.meta(BEFORE_LOSS);
  const passed = text ? (JSON.parse(text) as DeletesBefore) : undefined;
  return passed && passed.deletes > 0 ? passed : undefined;
}

function beginAt(state: StateFile, now: number, deletes: number): Beginning {
  const first = state.countedDeletes.firstSince(now - DELETE_WINDOW_MS) ?? now;
  return { before: Math.floor(first / SECOND_MS) * SECOND_MS - 1, deletes };
}

/** Returns the deletes that were mirrored before the first delete was held; undefined if no delete is held. */
export function deletesBeforeHeld(state: StateFile): DeletesBefore | undefined {
  const beginning = readBeginning(state);
  return beginning && { before: beginning.before, deletes: beginning.deletes };
}

/** Returns a text with the number of held deletes and the reason; undefined if no delete is held. */
export function heldDeletesText(state: StateFile): string | undefined {
  const { deletes } = state.heldChanges.counts();
  if (deletes === 0) return undefined;
  const { limit, deletes: passed = 0 } = readBeginning(state) ?? {};
  const held = `${countText(deletes, 'delete')} ${deletes === 1 ? 'is' : 'are'} held`;
  const before =
    passed === 0
      ? ''
      : `, and ${numberText(passed)} ${passed === 1 ? 'was' : 'were'} mirrored before`;
  const why =
    limit === undefined
      ? ''
      : `: the limit of the job is ${numberText(limit)} in 10 minutes${before}`;
  return `${held}${why}; their objects stay in the bucket`;
}

function readBeginning(state: StateFile): Beginning | undefined {
  const text = state.heldChanges.counts().deletes > 0 ? state.meta(BEGINNING) : undefined;
  // Only Holdfast writes the state file, so the JSON is not validated.
  return text === undefined ? undefined : (JSON.parse(text) as Beginning);
}
