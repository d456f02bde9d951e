/**
 * Applies held changes to a plan. A write to a held key requires an approval for this key and for the current version
 * that the user reviewed. Every plan passes this check, so no code path bypasses a hold.
 */

import { defined } from '../../base/defined.ts';
import { unchanged } from '../model/compare.ts';
import type { ExpectedHead, Hold } from '../model/hold.ts';
import type { BaselineEntry } from '../model/types.ts';
import { type Action, type DeleteAction, entryOf, type PutAction } from './action.ts';
import type { RemoteHead } from './plan-types.ts';

export interface Holds {
  readonly holds: ReadonlyMap<string, Hold>;
  readonly baseline: ReadonlyMap<string, BaselineEntry>;
  /** Known current versions. For all other keys, the plan assumes the version in the baseline. */
  readonly remote?: ReadonlyMap<string, RemoteHead>;
}

/**
 * Separates held actions from the plan, and adds approvals to approved actions. If the user reviewed a different
 * version than the baseline's, reads the current version before the key is planned.
 */
export function applyHolds(
  actions: readonly Action[],
  { holds, baseline, remote }: Holds,
): { readonly allowed: readonly Action[]; readonly held: readonly Action[] } {
  if (holds.size === 0) return { allowed: actions, held: [] };
  const allowed: Action[] = [];
  const held: Action[] = [];
  for (const action of actions) {
    const hold = holds.get(action.key);
    const known = baseline.get(action.key);
    if (hold && !remote?.has(action.key) && isForOtherHead(action, hold, known))
      allowed.push(examineHead(action));
    else if (hold && isBlocked(action, hold, known)) {
      if (hold.change !== 'renamed away') held.push(action);
    } else allowed.push(hold ? withApproval(action, approvalOf(action, hold, known)) : action);
  }
  return { allowed, held };
}

/** Returns the put or delete at the end of an action; undefined if the action does not write to the key. */
export function writeOf(action: Action): PutAction | DeleteAction | undefined {
  switch (action.kind) {
    case 'put':
    case 'delete':
      return action;
    case 'copy-version-to-head':
      return action.otherwise;
    case 'save-head':
    case 'lock-foreign':
      return action.next;
    case 'download-beside':
      return action.next && writeOf(action.next);
    default:
      return undefined;
  }
}

/** Returns the version that a write replaces; undefined if the write requires that the key does not exist. */
export function expectedHead(
  write: PutAction | DeleteAction,
  baseline: BaselineEntry | undefined,
): ExpectedHead | undefined {
  if (!('ifMatch' in write.guard)) return undefined;
  const { versionId } = (write.kind === 'put' ? write.supersedes : undefined) ?? baseline ?? {};
  return { etag: write.guard.ifMatch, ...defined({ versionId }) };
}

export function isSameHead(a: ExpectedHead | undefined, b: ExpectedHead | undefined): boolean {
  return a?.etag === b?.etag && a?.versionId === b?.versionId;
}

/**
 * Returns whether a hold blocks a write. A file that changed after it was held is not blocked, because its content will
 * be read and checked again.
 */
function isBlocked(action: Action, hold: Hold, baseline: BaselineEntry | undefined): boolean {
  const write = writeOf(action);
  if (!write || approvalOf(action, hold, baseline) !== undefined) return false;
  if (write.kind === 'delete') return hold.change !== 'overwrite' || hold.state === 'held';
  return hold.entry !== undefined && unchanged(hold.entry, write.entry);
}

/**
 * Returns whether the current version is not the one that the plan assumes: the user reviewed a held overwrite with
 * another version, or rejected a delete, so that the object of a new file already exists.
 */
function isForOtherHead(
  action: Action,
  { change, state, head }: Hold,
  baseline: BaselineEntry | undefined,
): boolean {
  const write = writeOf(action);
  if (write?.kind !== 'put') return false;
  if (change === 'delete') return state === 'rejected' && baseline === undefined;
  if (change !== 'overwrite') return false;
  return !isSameHead(head, expectedHead(write, baseline));
}

function examineHead(action: Action): Action {
  const { key } = action;
  const entry = entryOf(action);
  return { kind: 'examine', key, readHead: true, hashFile: false, ...defined({ entry }) };
}

/** Returns the hold's approval if it applies to this write. */
function approvalOf(
  action: Action,
  { change, head, approval }: Hold,
  baseline: BaselineEntry | undefined,
): string | undefined {
  const write = writeOf(action);
  const isSameChange = write?.kind === (change === 'delete' ? 'delete' : 'put');
  return isSameChange && isSameHead(head, expectedHead(write, baseline)) ? approval : undefined;
}

function withApproval(action: Action, approval: string | undefined): Action {
  if (approval === undefined) return action;
  switch (action.kind) {
    case 'put':
    case 'delete':
      return { ...action, approval };
    case 'save-head':
      return { ...action, next: { ...action.next, approval } };
    case 'lock-foreign':
      return { ...action, next: { ...action.next, approval } };
    case 'download-beside':
      return { ...action, ...(action.next && { next: withApproval(action.next, approval) }) };
    default:
      return action;
  }
}
