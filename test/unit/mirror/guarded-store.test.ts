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
  'the store wrapper offers bulk writes only if the service honours both conditions (If-Match %s, If-None-Match %s: %s)',
  async (ifMatch, ifNoneMatch, hasWriter) => {
    const { store } = await openTestEngine();
    const capabilities = { ...EVALUATES_ALL, put: { ifMatch, ifNoneMatch } };
    const guarded = new GuardedStore(store, { capabilities, mayCopyUnguarded: () => false });
    expect(guarded.bulkWriter !== undefined).toBe(hasWriter);
  },
);
