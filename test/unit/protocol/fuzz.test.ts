/** Fuzz tests of parsers: an edited valid message is read correctly or refused with an error of the protocol. */

import * as fc from 'fast-check';
import { test } from 'vitest';

import { FORM_LAWS } from '../../helpers/fuzz/form-laws.ts';
import { MESSAGE_LAWS } from '../../helpers/fuzz/message-laws.ts';
import { lawOf } from '../../helpers/fuzz/target.ts';
import { FUZZ_TARGETS } from '../../helpers/fuzz/targets/targets.ts';
import { TEXT_LAWS } from '../../helpers/fuzz/text-laws.ts';

/** Fixed seed, so that each run tests the same messages; `npm run test:fuzz` uses others. */
const SEED = 20_261_121;

test.each([...TEXT_LAWS, ...MESSAGE_LAWS, ...FORM_LAWS, ...FUZZ_TARGETS.map(lawOf)])(
  '$claim',
  async ({ property, runs }) => {
    await fc.assert(property, { seed: SEED, numRuns: runs });
  },
);
