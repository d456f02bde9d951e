/**
 * Tests that the planner follows its decision table for every combination of file, object, bucket
 * and policy.
 */

import { describe, expect, test } from 'vitest';

import { planMirror } from '../../../src/mirror/plan/plan.ts';
import { describeRow, POINTS, TABLE, wrongCells } from '../../helpers/plan-table.ts';

describe('the decision table of the planner', () => {
  test('the decision table has exactly one row for every combination of inputs', () => {
    const others = POINTS.filter(({ rows }) => rows.length !== 1);
    expect(others.slice(0, 3)).toEqual([]);
    expect(POINTS).toHaveLength(7 * 3 * 3 * 4 * 2 * 2 * 3 * 9 * 3);
  });

  test.each(TABLE.map((row) => [describeRow(row), row] as const))(
    'the planner returns the action that the decision table states for %s',
    (_, row) => {
      expect(wrongCells(planMirror, row).slice(0, 3)).toEqual([]);
    },
  );
});
