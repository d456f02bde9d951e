/**
 * Tests that the access rules make the same decisions as a simple reference evaluation of ACLs and
 * policies.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { ACTIONS } from '../../../../src/object-store/action.ts';
import { decideAccess, decideMissing } from '../../../../src/object-store/rules/access/decide.ts';
import { parsePolicy } from '../../../../src/object-store/rules/access/parse-policy.ts';
import { checkAccessLaw } from '../../../helpers/access-law.ts';

/**
 * Minimum share of each kind of decision, in percent of the runs, so that the test covers all
 * kinds.
 */
const LEAST = {
  'allowed by list': 4,
  'allowed by policy': 4,
  'allowed by project': 4,
  'denied by deny': 4,
  'denied by nothing': 4,
  'denied by owner-only': 1,
};

test('[authz-1] the store makes the same access decision as a simple reference evaluation for any principal, ACL and policy', () => {
  const runs = 8000;
  const reasons: string[] = [];
  const asked = new Set<string>();
  const operators = new Set<string>();
  checkAccessLaw(
    { decideAccess, decideMissing, parsePolicy },
    {
      runs,
      seed: 4,
      onCase: ({ request, bucket }, { allowed, reason }) => {
        reasons.push(`${allowed ? 'allowed' : 'denied'} by ${reason}`);
        asked.add(request.action);
        for (const each of [bucket.policy?.Statement ?? []].flat()) {
          for (const operator of Object.keys(each.Condition ?? {})) operators.add(operator);
        }
      },
    },
  );
  const counted = Object.groupBy(reasons, (reason) => reason);
  expect(Object.keys(counted).toSorted()).toEqual(Object.keys(LEAST));
  const rare = Object.entries(LEAST).filter(
    ([reason, least]) => (counted[reason]?.length ?? 0) < (runs * least) / 100,
  );
  expect(rare).toEqual([]);
  const ofService = Object.values(ACTIONS).filter(({ on }) => on === 'service');
  expect(asked.size).toBe(Object.keys(ACTIONS).length - ofService.length);
  // There are 25 operators. Each can be used alone, with ForAnyValue and with ForAllValues, and
  // each of these with IfExists. Null is separate.
  expect(operators.size).toBe(25 * 3 * 2 + 1);
});

test.each(['naive-access', 'naive-conditions'])(
  '[authz-1] the reference evaluation in %s imports no code of the access rules',
  (name) => {
    const file = join(import.meta.dirname, '../../../helpers', `${name}.ts`);
    const imported = [...readFileSync(file, 'utf8').matchAll(/ from '(.*)'/g)].map(
      ([, from]) => from,
    );
    expect(imported.filter((from) => from !== './naive-conditions.ts')).toEqual([]);
  },
);
