/**
 * Tests of the store wrapper that replaces conditional writes on services that ignore conditions.
 */

import { expect, test } from 'vitest';

import { EVALUATES_ALL } from '../../../src/mirror/capabilities/capabilities.ts';
import { GuardedStore } from '../../../src/mirror/capabilities/guarded-store.ts';
import { openTestEngine } from '../../helpers/test-engine.ts';

test.each([
  ['honoured', 'honoured', true],
  ['unquoted', 'honoured', false],
  ['passed over', 'honoured', false],
  ['honoured', 'refused', false],
] as const)(
  "the store wrapper decides whether to use bulk writes if the service's If-Match is %s and its If-None-Match is %s: %s",
  async (ifMatch, ifNoneMatch, hasWriter) => {
    const { store } = await openTestEngine();
    const capabilities = { ...EVALUATES_ALL, put: { ifMatch, ifNoneMatch } };
    const guarded = new GuardedStore(store, { capabilities, mayCopyUnguarded: () => false });
    expect(guarded.bulkWriter !== undefined).toBe(hasWriter);
  },
);
