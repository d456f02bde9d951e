/**
 * Property tests of the planner with random inputs. `npm run test:mutations` checks that the same
 * properties detect defects.
 */

import * as fc from 'fast-check';
import { test } from 'vitest';

import { planMirror } from '../../../src/mirror/plan/plan.ts';
import { treeOf } from '../../../src/mirror/plan/tool-trees.ts';
import { PLAN_LAWS } from '../../helpers/plan-law.ts';

test.each(Object.entries(PLAN_LAWS))('property: %s', (_, law) => {
  fc.assert(law({ planMirror, treeOf }), { numRuns: 1_000 });
});
