/** Tests of the conditional-write fallback. */

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
  'with If-Match of puts %s and If-None-Match %s, whether there are bulk writes is %s',
  async (ifMatch, ifNoneMatch, hasWriter) => {
    const { store } = await openTestEngine();
    const capabilities = { ...EVALUATES_ALL, put: { ifMatch, ifNoneMatch } };
    const guarded = new GuardedStore(store, { capabilities, mayCopyUnguarded: () => false });
    expect(guarded.bulkWriter !== undefined).toBe(hasWriter);
  },
);
