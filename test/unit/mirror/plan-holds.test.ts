/** Held keys and approvals as inputs of the planner: what it plans with and without them. */

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

describe.each(BUCKETS)('a held delete in a bucket that is %s', (bucket) => {
  const held = { change: 'delete', state: 'held', head: HEAD } as const;
  const approved = { ...held, state: 'approved', approval: 'id' } as const;

  test('is not planned', () => {
    const { actions, halt } = planOf({}, held, bucket);
    expect([actions, halt?.held.map(({ key }) => key)]).toEqual([[], ['f']]);
  });

  test('is planned with an approval of its head, which the action carries', () => {
    expect(approvals(planOf({}, approved, bucket))).toEqual(['id']);
  });

  test.each([
    ['another ETag', { etag: 'other', versionId: 'v1' }],
    ['another version', { etag: 'ours', versionId: 'v2' }],
    ['no head', undefined],
  ])('is not planned with an approval of %s', (_what, head) => {
    const { head: _, ...rest } = approved;
    const { actions, halt } = planOf({}, { ...rest, ...(head && { head }) }, bucket);
    expect([actions, halt?.held.length]).toEqual([[], 1]);
  });

  test('keeps no file from being put that returned', () => {
    expect(describePlan(planOf({ entries: { f: changed } }, held, bucket))).toContain(
      'put changed',
    );
  });
});

describe('a held overwrite', () => {
  const held = { change: 'overwrite', state: 'held', head: HEAD, entry: changed } as const;
  const entries = { f: changed };

  test('is not planned while the file is as it was held', () => {
    expect(planOf({ entries }, held).actions).toEqual([]);
    expect(planOf({ entries }, { ...held, state: 'rejected' }).actions).toEqual([]);
  });

  test('is planned with an approval of its head', () => {
    expect(approvals(planOf({ entries }, { ...held, state: 'approved', approval: 'id' }))).toEqual([
      'id',
    ]);
  });

  test('is not planned with that approval when another client wrote the head, and reports no conflict', () => {
    const approved = { ...held, state: 'approved', approval: 'id' } as const;
    const { actions, conflicts, halt } = planOf({ entries, remote: { f: THEIRS } }, approved);
    expect([actions, conflicts]).toEqual([[], []]);
    const [write] = halt?.held.flatMap((action) => writeOf(action) ?? []) ?? [];
    expect(write && expectedHead(write, baseline.f)).toEqual({ etag: 'theirs', versionId: 'v2' });
  });

  test('of a file that is deleted then is a held delete', () => {
    const { actions, halt } = planOf({}, held);
    expect([actions, halt?.held.map(({ kind }) => kind)]).toEqual([[], ['delete']]);
  });
});

test('the old name of a held rename is neither deleted nor held a second time', () => {
  const { actions, halt } = planOf({}, { change: 'renamed away', state: 'held' });
  expect([actions, halt]).toEqual([[], undefined]);
});

test('held deletes count towards the limit of further ones', () => {
  const files = Object.fromEntries(
    Array.from({ length: 11 }, (_, index) => [`${index}`, baselineOf(entry(`${index}`))]),
  );
  const deleteGuard = { files: 100, recentDeletes: 0, heldBefore: 40, exempt: new Set<string>() };
  const plan = planMirror(planInput({ baseline: files, policy: { deleteGuard } }));
  expect([plan.actions.length, plan.halt?.held.length]).toEqual([0, 11]);
});
