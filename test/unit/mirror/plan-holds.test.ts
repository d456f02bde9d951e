/** Tests that the planner applies a held change only after the user approved it. */

import { describe, expect, test } from 'vitest';

import { expectedHead, writeOf } from '../../../src/mirror/plan/holds.ts';
import type { Hold } from '../../../src/mirror/model/hold.ts';
import { planMirror } from '../../../src/mirror/plan/plan.ts';
import type { BucketKind } from '../../../src/mirror/model/types.ts';
import {
  baselineOf,
  describePlan,
  entry,
  planInput,
  type PlanParts,
  THEIRS,
} from '../../helpers/plan-cells.ts';

const HEAD = { etag: 'ours', versionId: 'v1' };
const BUCKETS: readonly BucketKind[] = ['unversioned', 'versioned', 'object-lock'];
const baseline = { f: baselineOf(entry('f')) };
const changed = entry('f', { mtimeMs: 2_000.5, sizeBytes: 11 });

function planOf(parts: PlanParts, hold: Hold, bucket: BucketKind = 'versioned') {
  return planMirror(planInput({ baseline, ...parts, holds: { f: hold }, policy: { bucket } }));
}

const approvals = ({ actions }: ReturnType<typeof planOf>) =>
  actions.map((action) => writeOf(action)?.approval);

describe.each(BUCKETS)('a delete that is held for review in a bucket that is %s', (bucket) => {
  const held = { change: 'delete', state: 'held', head: HEAD } as const;
  const approved = { ...held, state: 'approved', approval: 'id' } as const;

  test('the planner does not plan a held delete', () => {
    const { actions, halt } = planOf({}, held, bucket);
    expect([actions, halt?.held.map(({ key }) => key)]).toEqual([[], ['f']]);
  });

  test('the planner plans a held delete that the user approved for the current version and adds the approval to the action', () => {
    expect(approvals(planOf({}, approved, bucket))).toEqual(['id']);
  });

  test.each([
    ['another ETag', { etag: 'other', versionId: 'v1' }],
    ['another version', { etag: 'ours', versionId: 'v2' }],
    ['no current version', undefined],
  ])('the planner does not plan a held delete if the user approved it for %s', (_what, head) => {
    const { head: _, ...rest } = approved;
    const { actions, halt } = planOf({}, { ...rest, ...(head && { head }) }, bucket);
    expect([actions, halt?.held.length]).toEqual([[], 1]);
  });

  test('the planner uploads a file that was created again while its delete is held for review', () => {
    expect(describePlan(planOf({ entries: { f: changed } }, held, bucket))).toContain(
      'put changed',
    );
  });
});

describe('an overwrite that is held for review', () => {
  const held = { change: 'overwrite', state: 'held', head: HEAD, entry: changed } as const;
  const entries = { f: changed };

  test('the planner does not plan a held overwrite while the file is unchanged', () => {
    expect(planOf({ entries }, held).actions).toEqual([]);
    expect(planOf({ entries }, { ...held, state: 'rejected' }).actions).toEqual([]);
  });

  test('the planner plans a held overwrite that the user approved for the current version', () => {
    expect(approvals(planOf({ entries }, { ...held, state: 'approved', approval: 'id' }))).toEqual([
      'id',
    ]);
  });

  test('the planner holds an approved overwrite again, without a conflict, if another client wrote a newer version', () => {
    const approved = { ...held, state: 'approved', approval: 'id' } as const;
    const { actions, conflicts, halt } = planOf({ entries, remote: { f: THEIRS } }, approved);
    expect([actions, conflicts]).toEqual([[], []]);
    const [write] = halt?.held.flatMap((action) => writeOf(action) ?? []) ?? [];
    expect(write && expectedHead(write, baseline.f)).toEqual({ etag: 'theirs', versionId: 'v2' });
  });

  test('the planner holds a delete for review if the user deletes a file whose overwrite is held', () => {
    const { actions, halt } = planOf({}, held);
    expect([actions, halt?.held.map(({ kind }) => kind)]).toEqual([[], ['delete']]);
  });
});

test('the planner neither deletes the old key of a held rename nor holds its delete separately', () => {
  const { actions, halt } = planOf({}, { change: 'renamed away', state: 'held' });
  expect([actions, halt]).toEqual([[], undefined]);
});

test('the planner counts earlier held deletes towards the limit of the mass-change guard', () => {
  const files = Object.fromEntries(
    Array.from({ length: 11 }, (_, index) => [`${index}`, baselineOf(entry(`${index}`))]),
  );
  const deleteGuard = { files: 100, recentDeletes: 0, heldBefore: 40, exempt: new Set<string>() };
  const plan = planMirror(planInput({ baseline: files, policy: { deleteGuard } }));
  expect([plan.actions.length, plan.halt?.held.length]).toEqual([0, 11]);
});
