/**
 * Fuzz tests of parsers: a modified valid message is either read correctly or refused with a
 * protocol error.
 */

import * as fc from 'fast-check';
import { test } from 'vitest';

import { FORM_LAWS } from '../../helpers/fuzz/form-laws.ts';
import { MESSAGE_LAWS } from '../../helpers/fuzz/message-laws.ts';
import { lawOf } from '../../helpers/fuzz/target.ts';
import { FUZZ_TARGETS } from '../../helpers/fuzz/targets/targets.ts';
import { TEXT_LAWS } from '../../helpers/fuzz/text-laws.ts';

/** The fixed seed makes each run test the same messages. `npm run test:fuzz` uses other seeds and tests more. */
const SEED = 20_261_121;
/** The share of the runs of each property that this test performs. */
const SHARE = 1 / 3;

test.each([...TEXT_LAWS, ...MESSAGE_LAWS, ...FORM_LAWS, ...FUZZ_TARGETS.map(lawOf)])(
  '$claim',
  async ({ property, runs }) => {
    await fc.assert(property, { seed: SEED, numRuns: Math.ceil(runs * SHARE) });
  },
);
