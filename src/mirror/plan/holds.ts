/**
 * Held changes in a plan. A write of a key that is held is planned only with an approval that is bound to this key and to
 * the head that the user reviewed; every plan goes through here, whichever round or step asked for it.
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
  /** Heads that are known; every other key is planned with the head of its baseline. */
  readonly remote?: ReadonlyMap<string, RemoteHead>;
}

/**
 * Separates the actions that wait for the user; approved ones carry their approval. Where the user reviewed another head than
 * that of the baseline, the head is read before its key is decided.
 */
export function applyHolds(
  actions: readonly Action[],
  { holds, baseline, remote }: Holds,
): { readonly going: readonly Action[]; readonly held: readonly Action[] } {
  if (holds.size === 0) return { going: actions, held: [] };
  const going: Action[] = [];
  const held: Action[] = [];
  for (const action of actions) {
    const hold = holds.get(action.key);
    const known = baseline.get(action.key);
    if (hold && !remote?.has(action.key) && isOfOtherHead(action, hold, known))
      going.push(headOf(action));
    else if (hold && isForbidden(action, hold, known)) {
      if (hold.change !== 'renamed away') held.push(action);
    } else going.push(hold ? withApproval(action, approvalOf(action, hold, known)) : action);
  }
  return { going, held };
}

/** The put or delete that an action ends in; undefined where it writes nothing to this key. */
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
    case 'take-beside':
      return action.next && writeOf(action.next);
    default:
      return undefined;
  }
}

/** Undefined for a key without a head. */
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

/** A file that changed since it was held is not forbidden here: its content is read, and weighed anew. */
function isForbidden(action: Action, hold: Hold, baseline: BaselineEntry | undefined): boolean {
  const write = writeOf(action);
  if (!write || approvalOf(action, hold, baseline) !== undefined) return false;
  if (write.kind === 'delete') return hold.change !== 'overwrite' || hold.state === 'held';
  return hold.entry !== undefined && unchanged(hold.entry, write.entry);
}

/** Whether the overwrite was held over a head that the baseline does not have. */
function isOfOtherHead(
  action: Action,
  { change, head }: Hold,
  baseline: BaselineEntry | undefined,
): boolean {
  const write = writeOf(action);
  if (write?.kind !== 'put' || change !== 'overwrite') return false;
  return !isSameHead(head, expectedHead(write, baseline));
}

function headOf(action: Action): Action {
  const { key } = action;
  const entry = entryOf(action);
  return { kind: 'examine', key, readHead: true, hashFile: false, ...defined({ entry }) };
}

/** Of this hold for this write; undefined where it does not apply. */
function approvalOf(
  action: Action,
  { change, head, approval }: Hold,
  baseline: BaselineEntry | undefined,
): string | undefined {
  const write = writeOf(action);
  const isMeant = write?.kind === (change === 'delete' ? 'delete' : 'put');
  return isMeant && isSameHead(head, expectedHead(write, baseline)) ? approval : undefined;
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
    case 'take-beside':
      return { ...action, ...(action.next && { next: withApproval(action.next, approval) }) };
    default:
      return action;
  }
}
