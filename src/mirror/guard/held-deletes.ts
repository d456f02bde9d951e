/** The deletes that the brake holds, or that went before a folder was lost, as they are told of until the user decides, who looks long after the window. */

import { defined } from '../../base/defined.ts';
import { DELETE_WINDOW_MS } from '../plan/delete-limit.ts';
import type { StateFile } from '../state/state.ts';

/** Deletes that were done before others were held, or before the folder was seen to be missing. */
export interface DeletesBefore {
  /** Milliseconds since 1970: by then none of them was done. */
  readonly before: number;
  /** How many changes of the user's they were. */
  readonly deletes: number;
}

/** What was so when none was held yet, with the limit that the latest ones exceeded. */
interface Beginning extends DeletesBefore {
  /** Deletes in ten minutes; absent where encrypted files are the only reason. */
  readonly limit?: number;
}

/** Name of a row in the state's `meta`: JSON of a Beginning. */
const BEGINNING = 'deletes passed';
/** As that, of PassedDeletes; empty while the folder is there. */
const BEFORE_LOSS = 'deletes before the folder was lost';
/** Services tell times in whole seconds, of which a delete's may be the earlier end. */
const SECOND_MS = 1_000;

/**
 * Before deletes are held. `now`: when they are planned; `deletes` of the window came before. `limit`: the one that they
 * exceed, if it is for their number.
 */
export function noteHeldDeletes(
  state: StateFile,
  { deletes, limit, now }: { deletes: number; limit: number | undefined; now: number },
): void {
  const beginning = readBeginning(state) ?? beginAt(state, now, deletes);
  state.setMeta(BEGINNING, JSON.stringify({ ...beginning, ...defined({ limit }) }));
}

/** When the folder is seen to be missing; those of the window may have been the beginning of its loss. */
export function noteLoss(state: StateFile, now: number): void {
  if (state.meta(BEFORE_LOSS)) return;
  const deletes = state.countedDeletes.countSince(now - DELETE_WINDOW_MS);
  state.setMeta(BEFORE_LOSS, JSON.stringify(beginAt(state, now, deletes)));
}

/** The folder is there. */
export function endLoss(state: StateFile): void {
  if (state.meta(BEFORE_LOSS)) state.setMeta(BEFORE_LOSS, '');
}

/** Undefined where none was done. */
export function deletesBeforeLoss(state: StateFile): DeletesBefore | undefined {
  const text = state.meta(BEFORE_LOSS);
  const passed = text ? (JSON.parse(text) as DeletesBefore) : undefined;
  return passed && passed.deletes > 0 ? passed : undefined;
}

function beginAt(state: StateFile, now: number, deletes: number): Beginning {
  const first = state.countedDeletes.firstSince(now - DELETE_WINDOW_MS) ?? now;
  return { before: Math.floor(first / SECOND_MS) * SECOND_MS - 1, deletes };
}

/** Undefined while none is held. */
export function deletesBeforeHeld(state: StateFile): DeletesBefore | undefined {
  const beginning = readBeginning(state);
  return beginning && { before: beginning.before, deletes: beginning.deletes };
}

/** How many are held at this moment, and why; undefined for none. */
export function heldDeletesText(state: StateFile): string | undefined {
  const { deletes } = state.heldChanges.counts();
  if (deletes === 0) return undefined;
  const { limit, deletes: passed = 0 } = readBeginning(state) ?? {};
  const held = deletes === 1 ? '1 delete is held' : `${deletes} deletes are held`;
  const before = passed === 0 ? '' : `, and ${passed} were done before`;
  const why =
    limit === undefined ? '' : `: the limit of the job is ${limit} in 10 minutes${before}`;
  return `${held}${why}; their objects stay in the bucket`;
}

function readBeginning(state: StateFile): Beginning | undefined {
  const text = state.heldDeletes.isAnyWaiting() ? state.meta(BEGINNING) : undefined;
  // Of our own writing: the state file is nobody else's.
  return text === undefined ? undefined : (JSON.parse(text) as Beginning);
}
