/** The brake on deletes, evaluated on the plan before anything is done. Puts go on: a brake must not stop backing up. */

import type { Action } from './action.ts';
import type { DeleteBrake, Halt } from './plan-types.ts';

export const DELETE_WINDOW_MS = 10 * 60_000;
/** Fewer deletes than this in the window never halt: small folders are cleaned up whole. */
const DELETES_ALWAYS_ALLOWED = 50;
const DELETES_ALLOWED_SHARE = 0.1;

/** The actions, deletes last; or without the deletes that count, which then stand in `halt`. */
export function brakeDeletes(
  actions: readonly Action[],
  brake: DeleteBrake,
): { readonly actions: readonly Action[]; readonly halt?: Halt } {
  const isLoss = (action: Action) => isDelete(action) && !brake.exempt.has(action.key);
  const held = actions.filter(isLoss);
  const others = actions.filter((action) => !isDelete(action));
  const passing = actions.filter((action) => isDelete(action) && brake.exempt.has(action.key));
  const limit = deleteLimit(brake.files);
  if (held.length === 0 || brake.recentDeletes + brake.heldBefore + held.length <= limit)
    return { actions: [...others, ...passing, ...held] };
  const reason =
    `${held.length} deletes are held: with ${brake.recentDeletes} in the last 10 minutes they are more than ` +
    `${limit} of ${brake.files} files; the objects stay in the bucket`;
  return { actions: [...others, ...passing], halt: { reason, held } };
}

/** How many deletes the window takes, for a job of so many files. */
export function deleteLimit(files: number): number {
  return Math.max(DELETES_ALWAYS_ALLOWED, Math.floor(files * DELETES_ALLOWED_SHARE));
}

export function isDelete(action: Action): boolean {
  return action.kind === 'delete' || (action.kind === 'save-head' && action.next.kind === 'delete');
}
