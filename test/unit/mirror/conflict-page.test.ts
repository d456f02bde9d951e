/**
 * Tests that the planner behaves in a versioned bucket as the table in
 * docs/explanation/conflicts.md states.
 */

import { expect, test } from 'vitest';

import { planMirror } from '../../../src/mirror/plan/plan.ts';
import type { ConflictPolicy } from '../../../src/mirror/model/types.ts';
import { pageText } from '../../docs/pages.ts';
import {
  baselineOf,
  describePlan,
  entry,
  planInput,
  type PlanParts,
  THEIRS,
} from '../../helpers/plan-cells.ts';

const CHANGED = entry('f', { mtimeMs: 2_000, sizeBytes: 11 });
const known = { baseline: { f: baselineOf(entry('f')) } };

const LOCAL: Readonly<Record<string, PlanParts>> = {
  unchanged: { ...known, entries: { f: entry('f') } },
  changed: { ...known, entries: { f: CHANGED } },
  deleted: known,
  new: { entries: { f: CHANGED } },
  'new, at first contact': { entries: { f: CHANGED }, policy: { isFirstRound: true } },
  'excluded by `exclude`': { ...known, excluded: ['f'] },
  'in a folder that could not be read': { ...known, unlisted: [''] },
  'never existed': {},
};

const REMOTE: Readonly<Record<string, PlanParts['remote']>> = {
  'as agreed': {},
  'another client wrote': { f: THEIRS },
  deleted: { f: 'absent' },
};

const POLICIES: readonly ConflictPolicy[] = ['keep-both', 'local', 'remote', 'ask'];

/** Maps each phrase of the page to the planner results that the phrase may describe. */
const PLANS: Readonly<Record<string, readonly string[]>> = {
  nothing: ['nothing'],
  'nothing; the job reports `drifted`, and `holdfast job queue JOB --reason drifted` lists the paths':
    ['drifted'],
  'the version is brought back from its bytes in the bucket': [
    'copy v1 to head else put missing if absent',
  ],
  'a new version': ['put changed if ours'],
  'your file becomes the current version, the other one stays below; a conflict is listed': [
    'put conflict if theirs, covering v2; conflict kept-both',
  ],
  'the object is written to the folder, your file is stored in the bucket; a conflict is listed': [
    'take theirs; conflict took-remote',
  ],
  'nothing until you decide; a conflict is open': ['conflict held'],
  'a new version, if the object is still absent': ['put changed if absent', 'put new if absent'],
  'a delete marker': ['delete if ours'],
  'the object stays; your deletion is not done': ['drop-baseline; delete skipped'],
  'nothing; both agree': ['drop-baseline'],
  'nothing; the object stays until `job forget`': ['no longer mirrored'],
  'nothing; what was not seen is not deleted': ['not seen'],
  "nothing; the object is not the job's": ['foreign'],
};

const ROWS = pageText('docs/explanation/conflicts.md')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(2)
  .map((line) => {
    const [local = '', remote = '', policy = '', does = ''] = line.split('|').slice(1, -1);
    return { local: local.trim(), remote: remote.trim(), policy: policy.trim(), does: does.trim() };
  });

const CELLS = Object.keys(LOCAL).flatMap((local) =>
  Object.keys(REMOTE).flatMap((remote) =>
    POLICIES.map((policy) => ({ local, remote, policy, rows: rowsOf(local, remote, policy) })),
  ),
);

function rowsOf(local: string, remote: string, policy: ConflictPolicy) {
  const name = policyMatters(local, remote, policy) ? local : 'new';
  return ROWS.filter(
    (row) =>
      row.local === name &&
      (row.remote === 'anything' || row.remote.split(', or ').includes(remote)) &&
      (row.policy === 'any' || row.policy === `\`${policy}\``),
  );
}

/**
 * Returns true if the page has a separate row for the combination, and false if the row for new
 * files applies.
 */
function policyMatters(local: string, remote: string, policy: ConflictPolicy): boolean {
  return !local.startsWith('new,') || (remote === 'another client wrote' && policy === 'keep-both');
}

test('docs/explanation/conflicts.md has exactly one row for each combination and no other rows', () => {
  expect(CELLS.filter(({ rows }) => rows.length !== 1)).toEqual([]);
  const spoken = new Set(CELLS.flatMap(({ rows }) => rows));
  expect(ROWS.filter((row) => !spoken.has(row))).toEqual([]);
});

test.each(CELLS)(
  'the planner does what docs/explanation/conflicts.md states for local $local, remote $remote and policy $policy',
  ({ local, remote, policy, rows }) => {
    const parts = LOCAL[local] ?? {};
    const plan = planMirror(
      planInput({
        ...parts,
        remote: REMOTE[remote] ?? {},
        policy: { ...parts.policy, conflict: policy },
      }),
    );
    expect(PLANS[rows[0]?.does ?? '']).toContain(describePlan(plan));
  },
);
