/**
 * Implements the planner, a pure function of the baseline, the local entries, the current versions and the policy. The
 * same rules apply to a few changed keys and to a whole tree.
 *
 * Keys are relative to the job's prefix, and a folder's key ends in `/`. Every key in the baseline, the local entries
 * or the current versions is planned.
 */

import { defined } from '../../base/defined.ts';
import type { Action } from './action.ts';
import { guardDeletes } from './delete-limit.ts';
import { type Cell, decide } from './decide.ts';
import { applyHolds } from './holds.ts';
import type { Conflict, Halt, LocalView, Note, Plan, PlanInput } from './plan-types.ts';

export function planMirror(input: PlanInput): Plan {
  const actions: Action[] = [];
  const conflicts: Conflict[] = [];
  const notes: Note[] = [];
  const agreed: string[] = [];
  for (const key of keysOf(input)) {
    const decision = decide(cellOf(key, input));
    for (const action of decision.actions ?? []) actions.push(action);
    if (decision.conflict) conflicts.push(decision.conflict);
    if (decision.note) notes.push({ key, is: decision.note });
    if (!decision.actions && !decision.conflict && !decision.note) agreed.push(key);
  }
  const { allowed, held } = applyHolds(actions, input);
  const guarded = guardDeletes(allowed, input.policy.deleteGuard);
  const heldKeys = new Set(held.map(({ key }) => key));
  return {
    actions: guarded.actions,
    conflicts: conflicts.filter(({ key }) => !heldKeys.has(key)),
    notes,
    agreed,
    ...defined({ halt: haltOf(guarded.halt, held) }),
  };
}

function haltOf(halt: Halt | undefined, held: readonly Action[]): Halt | undefined {
  if (held.length === 0) return halt;
  return { isMass: halt?.isMass ?? false, held: [...held, ...(halt?.held ?? [])] };
}

function keysOf({ baseline, local, remote }: PlanInput): Set<string> {
  return new Set([...local.entries.keys(), ...baseline.keys(), ...remote.keys()]);
}

function cellOf(key: string, { baseline, local, remote, policy, sameInode, now }: PlanInput): Cell {
  const entry = local.entries.get(key);
  return {
    key,
    baseline: baseline.get(key),
    entry,
    missing: entry ? undefined : local.excludes(key) ? 'excluded' : missingOf(key, local),
    remote: remote.get(key),
    sameInode: entry && sameInode && (sameInode.get(entry.inode) ?? []),
    policy,
    now,
  };
}

function missingOf(key: string, { unlisted }: LocalView): 'unseen' | 'gone' {
  return isUnseen(key, unlisted) ? 'unseen' : 'gone';
}

/** Returns whether a key is below a folder that could not be listed completely. Such a key must not be deleted. */
export function isUnseen(key: string, unlisted: ReadonlySet<string>): boolean {
  if (unlisted.size === 0) return false;
  if (unlisted.has('')) return true;
  for (let slash = key.indexOf('/'); slash >= 0; slash = key.indexOf('/', slash + 1))
    if (unlisted.has(key.slice(0, slash))) return true;
  return false;
}
