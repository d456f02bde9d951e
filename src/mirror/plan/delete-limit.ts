/**
 * Implements the mass-change guard's limit on deletes, and is called before a plan is carried out. Uploads continue,
 * because the guard must not stop backups.
 */

import type { Action } from './action.ts';
import { writeOf } from './holds.ts';
import type { DeleteGuard, Halt } from './plan-types.ts';

export const DELETE_WINDOW_MS = 10 * 60_000;
/** Number of deletes that are always allowed in the time window, so that small folders can be emptied. */
const DELETES_ALWAYS_ALLOWED = 50;
const DELETES_ALLOWED_SHARE = 0.1;

/**
 * Returns the allowed actions with deletes last, and in `halt` the deletes to hold. Approved deletes are not counted.
 */
export function guardDeletes(
  actions: readonly Action[],
  guard: DeleteGuard,
): { readonly actions: readonly Action[]; readonly halt?: Halt } {
  const isLoss = (action: Action) => isCounted(action, guard);
  const deletes = actions.filter(isDelete);
  const others = actions.filter((action) => !isDelete(action));
  const passing = deletes.filter((action) => !isLoss(action));
  const losses = deletes.filter(isLoss);
  const suspects = losses.filter(({ key }) => guard.suspects?.has(key));
  const changes = countChanges(losses, guard);
  const limit = deleteLimit(guard.files);
  const isMass = changes > 0 && guard.recentDeletes + guard.heldBefore + changes > limit;
  const held = isMass ? losses : suspects;
  const allowed = isMass ? [] : losses.filter(({ key }) => !guard.suspects?.has(key));
  if (held.length === 0) return { actions: [...others, ...passing, ...losses] };
  return { actions: [...others, ...passing, ...allowed], halt: { isMass, held } };
}

/** Returns whether a delete counts towards the guard's limit. */
export function isCounted(action: Action, { exempt }: Pick<DeleteGuard, 'exempt'>): boolean {
  return !exempt.has(action.key) && writeOf(action)?.approval === undefined;
}

/** Returns how many user changes these deletes represent. Deletes with the same unit count as one change. */
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

/** Returns the maximum number of deletes in the time window for a job with `files` files. */
export function deleteLimit(files: number): number {
  return Math.max(DELETES_ALWAYS_ALLOWED, Math.floor(files * DELETES_ALLOWED_SHARE));
}

export function isDelete(action: Action): boolean {
  return action.kind === 'delete' || (action.kind === 'save-head' && action.next.kind === 'delete');
}
