/**
 * Runs every case of the decision table for conflicts on a service that ignores conditions. `npm run test:ceph`
 * does the same on radosgw.
 */

import { expect, test } from 'vitest';

import { answeringStore, HONOURS_NONE } from '../helpers/answering-store.ts';
import { claimBefore, openMirrorBench } from '../helpers/mirror-bench.ts';
import { expectedVersions, runMatrix } from '../helpers/mirror-matrix.ts';

const LOCK = { mode: 'GOVERNANCE', days: 1, refreshDays: 1 } as const;

test.each([
  ['ask', 'without locks', {}],
  ['enforce', 'with locks', { lock: LOCK }],
] as const)(
  'the stored versions and the conflict log match the decision table in every case: policy %s, %s',
  async (policy, _locks, options) => {
    const bench = await openMirrorBench();
    await claimBefore(bench);
    const store = answeringStore(bench.store, HONOURS_NONE);
    const outcome = await runMatrix(bench, policy, { store, isRemote: true, ...options });
    expect(outcome.versions).toEqual(expectedVersions(policy));
    expect(outcome.ledger).toEqual(outcome.covered);
    expect(outcome.unlocked).toEqual([]);
  },
);
