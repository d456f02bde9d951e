/**
 * Properties of the planner for changes that the mass-change guard holds for review: single held
 * changes, and the limit on deletes.
 */

import assert from 'node:assert/strict';

import * as fc from 'fast-check';

import type { Hold } from '../../src/mirror/model/hold.ts';
import type { Action } from '../../src/mirror/plan/action.ts';
import type { RemoteHead } from '../../src/mirror/plan/plan-types.ts';
import { baselineOf, entry, lastWrite, NOW, planInput, THEIRS } from './plan-cells.ts';
import type { PlanLaw } from './plan-law.ts';

const CHANGED = entry('f', { mtimeMs: 2_000, sizeBytes: 11 });
const CHANGED_AGAIN = entry('f', { mtimeMs: 3_000, sizeBytes: 11 });
const SEEN = { etag: 'theirs', sizeBytes: 10, versionId: 'v2' };

const HELD = fc.record({
  local: fc.constantFrom('changed', 'changed again', 'new', 'deleted'),
  remote: fc.constantFrom<RemoteHead | undefined>(undefined, THEIRS),
  change: fc.constantFrom<Hold['change']>('delete', 'overwrite', 'renamed away'),
  state: fc.constantFrom<Hold['state']>('held', 'approved', 'approved', 'rejected'),
  /** Version of the object that the user reviewed. */
  head: fc.constantFrom<Hold['head']>(
    undefined,
    { etag: 'ours', versionId: 'v1' },
    { etag: 'ours', versionId: 'v0' },
    { etag: 'ours' },
    { etag: 'theirs', versionId: 'v2' },
    { etag: 'other', versionId: 'v1' },
  ),
  bucket: fc.constantFrom('unversioned', 'versioned', 'object-lock'),
  resolution: fc.constantFrom('both', undefined),
} as const);
type HeldCell = typeof HELD extends fc.Arbitrary<infer T> ? T : never;

function holdOf({ change, state, head }: HeldCell): Hold {
  return {
    change,
    // If a file was renamed, the delete of its old name is held until the user approves the new
    // name.
    state: change === 'renamed away' ? 'held' : state,
    ...(head && change !== 'renamed away' && { head }),
    ...(state === 'approved' && change !== 'renamed away' && { approval: 'id' }),
    ...(change === 'overwrite' && { entry: CHANGED }),
  };
}

function inputOf(cell: HeldCell, holds: Readonly<Record<string, Hold>>) {
  const { local, remote, bucket, resolution } = cell;
  const here = local === 'changed again' ? CHANGED_AGAIN : CHANGED;
  const held = {
    key: 'f',
    entry: here,
    since: NOW,
    head: SEEN,
    ...(resolution && { wish: resolution }),
  };
  return planInput({
    ...(local !== 'new' && { baseline: { f: baselineOf(entry('f')) } }),
    ...(local !== 'deleted' && { entries: { f: here } }),
    ...(remote && { remote: { f: remote } }),
    policy: {
      bucket,
      lock: { days: 30, refreshDays: 7 },
      answers: new Map(resolution ? [['f', held]] : []),
    },
    holds,
  });
}

/** Returns the version that a conditional write replaces. */
function replacedBy(write: NonNullable<ReturnType<typeof lastWrite>>): Hold['head'] {
  if (!('ifMatch' in write.guard)) return undefined;
  const { ifMatch: etag } = write.guard;
  return { etag, versionId: etag === 'theirs' ? 'v2' : 'v1' };
}

type Verdict = 'as without a hold' | 'approved' | 'held' | 'not planned' | 'read first';

/** Returns the expected effect of a held change on the planned action for its key. */
function verdictOn(action: Action | undefined, cell: HeldCell): Verdict {
  const write = action && lastWrite(action);
  if (!write) return 'as without a hold';
  const { change, state, head, approval } = holdOf(cell);
  const replaced = replacedBy(write);
  const isReviewed = head?.etag === replaced?.etag && head?.versionId === replaced?.versionId;
  const isSameChange = write.kind === (change === 'delete' ? 'delete' : 'put');
  if (approval !== undefined && isSameChange && isReviewed) return 'approved';
  if (write.kind === 'delete') {
    if (change === 'renamed away') return 'not planned';
    return change === 'delete' || state === 'held' ? 'held' : 'as without a hold';
  }
  const isRejectedDelete = change === 'delete' && state === 'rejected';
  if (isRejectedDelete && cell.local === 'new' && !cell.remote) return 'read first';
  if (change !== 'overwrite') return 'as without a hold';
  if (!isReviewed && !cell.remote) return 'read first';
  return cell.local === 'changed again' ? 'as without a hold' : 'held';
}

/** Returns the action with the approval added to its last write. */
function approved(action: Action): unknown {
  if ('next' in action && action.next) return { ...action, next: approved(action.next) };
  return { ...action, approval: 'id' };
}

const DELETES = fc.uniqueArray(
  fc.record({
    key: fc.constantFrom('a', 'b', 'c', 'd', 'tool/1', 'tool/2', 'counted/1', 'counted/2'),
    isExempt: fc.constantFrom(false, false, true),
    isSuspect: fc.constantFrom(false, false, true),
    hold: fc.constantFrom(undefined, undefined, 'approved', 'held'),
  }),
  { selector: ({ key }) => key, maxLength: 8 },
);
const LIMITS = fc.record({
  files: fc.constantFrom(0, 100, 519, 520, 530),
  recentDeletes: fc.integer({ min: 44, max: 52 }),
  heldBefore: fc.nat(3),
  uploads: fc.nat(2),
  bucket: fc.constantFrom('unversioned', 'versioned'),
} as const);

/**
 * Returns the unit in which the guard counts a delete: the file, or the whole folder `tool/`.
 * Returns undefined for deletes in `counted/`, which the guard has counted before.
 */
function unitOf(key: string): string | undefined {
  if (key.startsWith('counted/')) return undefined;
  return key.startsWith('tool/') ? 'tool/' : key;
}

export const GUARD_LAWS: Readonly<Record<string, PlanLaw>> = {
  'a held change is planned only if the user approved this change for the current version': ({
    planMirror,
  }) =>
    fc.property(HELD, (cell) => {
      const without = planMirror(inputOf(cell, {}));
      const { actions, conflicts, halt } = planMirror(inputOf(cell, { f: holdOf(cell) }));
      const verdict = verdictOn(without.actions[0], cell);
      const expected: Readonly<Record<Verdict, readonly unknown[]>> = {
        'as without a hold': without.actions,
        approved: without.actions.map(approved),
        held: [],
        'not planned': [],
        'read first': [
          {
            kind: 'examine',
            key: 'f',
            readHead: true,
            hashFile: false,
            entry: cell.local === 'changed again' ? CHANGED_AGAIN : CHANGED,
          },
        ],
      };
      assert.deepEqual(actions, expected[verdict]);
      assert.deepEqual(
        halt,
        verdict === 'held' ? { isMass: false, held: without.actions } : undefined,
      );
      assert.deepEqual(conflicts, verdict === 'held' ? [] : without.conflicts);
    }),
  'deletes above the limit are held, and all other actions are planned with the deletes at the end':
    ({ planMirror }) =>
      fc.property(
        DELETES,
        LIMITS,
        (deletes, { files, recentDeletes, heldBefore, uploads, bucket }) => {
          const keysOf = (isChosen: (each: (typeof deletes)[number]) => boolean) =>
            deletes.filter(isChosen).map(({ key }) => key);
          const all = keysOf(() => true);
          const added = Array.from({ length: uploads }, (_, index) => `new ${index}`);
          const deleteGuard = {
            files,
            recentDeletes,
            heldBefore,
            exempt: new Set(keysOf(({ isExempt }) => isExempt)),
            suspects: new Set(keysOf(({ isSuspect }) => isSuspect)),
            unitOf,
          };
          const head = { etag: 'ours', versionId: 'v1' };
          const holds = deletes.flatMap(({ key, hold: state }) => {
            const approval = state === 'approved' && { approval: 'id' };
            return state ? [[key, { change: 'delete', state, head, ...approval }] as const] : [];
          });
          const plan = planMirror(
            planInput({
              baseline: Object.fromEntries(all.map((key) => [key, baselineOf(entry(key))])),
              entries: Object.fromEntries(added.map((key) => [key, entry(key)])),
              policy: { bucket, deleteGuard },
              holds: Object.fromEntries(holds),
            }),
          );
          const counted = deletes.filter(({ isExempt, hold }) => !isExempt && !hold);
          const units = new Set(counted.flatMap(({ key }) => unitOf(key) ?? []));
          const total = recentDeletes + heldBefore + units.size;
          const isMass = units.size > 0 && total > Math.max(50, Math.floor(files / 10));
          const isHeld = (each: (typeof deletes)[number]) =>
            each.hold === 'held' || (counted.includes(each) && (isMass || each.isSuspect));
          const held = keysOf(isHeld);
          const planned = plan.actions.map(({ key }) => key);
          assert.deepEqual(plan.halt?.held.map(({ key }) => key).toSorted() ?? [], held.toSorted());
          assert.equal(plan.halt?.isMass, held.length === 0 ? undefined : isMass);
          assert.deepEqual(planned.slice(0, uploads), added);
          assert.deepEqual(
            planned.slice(uploads).toSorted(),
            all.filter((key) => !held.includes(key)).toSorted(),
          );
        },
      ),
};
