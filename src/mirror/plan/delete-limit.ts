/** The brake on deletes, evaluated on the plan before anything is done. Puts go on: a brake must not stop backing up. */

import type { Action } from './action.ts';
import { writeOf } from './holds.ts';
import type { DeleteGuard, Halt } from './plan-types.ts';

export const DELETE_WINDOW_MS = 10 * 60_000;
/** Fewer deletes than this in the window never halt: small folders are cleaned up whole. */
const DELETES_ALWAYS_ALLOWED = 50;
const DELETES_ALLOWED_SHARE = 0.1;

/** The actions, deletes last; or without the deletes that count, which are then in `halt`. Approved ones do not count. */
export function guardDeletes(
  actions: readonly Action[],
  brake: DeleteGuard,
): { readonly actions: readonly Action[]; readonly halt?: Halt } {
  const isLoss = (action: Action) => isCounted(action, brake);
  const deletes = actions.filter(isDelete);
  const others = actions.filter((action) => !isDelete(action));
  const passing = deletes.filter((action) => !isLoss(action));
  const losses = deletes.filter(isLoss);
  const suspects = losses.filter(({ key }) => brake.suspects?.has(key));
  const changes = countChanges(losses, brake);
  const limit = deleteLimit(brake.files);
  const isMass = changes > 0 && brake.recentDeletes + brake.heldBefore + changes > limit;
  const held = isMass ? losses : suspects;
  const going = isMass ? [] : losses.filter(({ key }) => !brake.suspects?.has(key));
  if (held.length === 0) return { actions: [...others, ...passing, ...losses] };
  return { actions: [...others, ...passing, ...going], halt: { isMass, held } };
}

/** Whether a delete counts towards the limit. */
export function isCounted(action: Action, { exempt }: Pick<DeleteGuard, 'exempt'>): boolean {
  return !exempt.has(action.key) && writeOf(action)?.approval === undefined;
}

/** How many changes of the user's these deletes are. */
export function countChanges(
  deletes: Iterable<Pick<Action, 'key'>>,
  { unitOf = (key) => key }: Pick<DeleteGuard, 'unitOf'>,
): number {
  const units = new Set<string>();
  for (const { key } of deletes) {
    const unit = unitOf(key);
    if (unit !== undefined) units.add(unit);
  }
  return units.size;
}

/** How many deletes the window takes, for a job of so many files. */
export function deleteLimit(files: number): number {
  return Math.max(DELETES_ALWAYS_ALLOWED, Math.floor(files * DELETES_ALLOWED_SHARE));
}

export function isDelete(action: Action): boolean {
  return action.kind === 'delete' || (action.kind === 'save-head' && action.next.kind === 'delete');
}
