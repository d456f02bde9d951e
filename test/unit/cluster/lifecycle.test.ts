/**
 * Property test of a node group: its invariants hold after any sequence of requests and time steps.
 */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { isClusterError } from '../../../src/cluster/cluster-error.ts';
import type { Nodegroup } from '../../../src/cluster/cluster-service.ts';
import { openTestClusters } from '../../helpers/test-clusters.ts';

const REF = { clusterName: 'c', nodegroupName: 'n' };

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const step = fc.oneof(
  fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 5_000 }) }),
  fc.record({
    do: fc.constant('scale' as const),
    minSize: fc.integer({ min: 0, max: 8 }),
    desiredSize: fc.integer({ min: 0, max: 8 }),
    maxSize: fc.integer({ min: 1, max: 8 }),
  }),
  fc.record({
    do: fc.constant('settings' as const),
    maxUnavailable: fc.integer({ min: 1, max: 9 }),
  }),
  fc.record({ do: fc.constant('version' as const) }),
  fc.record({ do: fc.constant('label' as const), value: fc.constantFrom('a', 'b', '') }),
  fc.record({ do: fc.constant('fail' as const), work: fc.constantFrom('update', 'delete') }),
  fc.record({ do: fc.constant('mend' as const) }),
  fc.record({ do: fc.constant('delete' as const) }),
  fc.record({ do: fc.constant('reopen' as const) }),
);

describe('the lifecycle of a node group', () => {
  test('the cluster service keeps the invariants of a node group after any requests and any passage of time', async () => {
    const sequences = fc.array(step, { minLength: 1, maxLength: 25 });
    await fc.assert(fc.asyncProperty(sequences, keepsWhatMustHold), { numRuns: 25 });
  });
});

async function keepsWhatMustHold(steps: readonly Step[]): Promise<void> {
  await using clusters = openTestClusters();
  await clusters.makeGroup(REF);
  const ended = new Map<string, string>();
  for (const each of steps) {
    try {
      await take(each, clusters);
    } catch (error) {
      if (!isClusterError(error)) throw error;
    }
    const nodegroup = await find(clusters);
    if (!nodegroup) return;
    const { minSize, desiredSize, maxSize } = nodegroup.scalingConfig;
    expect(minSize).toBeLessThanOrEqual(desiredSize);
    expect(desiredSize).toBeLessThanOrEqual(maxSize);
    const record = clusters.record(REF);
    if (record) {
      const { maxUnavailable = 1 } = record.nodegroup.updateConfig;
      expect(record.nodes.unavailable).toBeLessThanOrEqual(maxUnavailable);
    }
    await checkUpdates(clusters, nodegroup, ended);
  }
}

async function find({
  service,
}: ReturnType<typeof openTestClusters>): Promise<Nodegroup | undefined> {
  try {
    return await service().describeNodegroup(REF);
  } catch (error) {
    if (isClusterError(error, 'ResourceNotFoundException')) return undefined;
    throw error;
  }
}

/**
 * Checks that an update is in progress exactly while the group is `UPDATING`, and that ended
 * updates keep their status.
 */
async function checkUpdates(
  { service }: ReturnType<typeof openTestClusters>,
  { status }: Nodegroup,
  ended: Map<string, string>,
): Promise<void> {
  const { updateIds } = await service().listUpdates(REF);
  let open = 0;
  for (const updateId of updateIds) {
    const update = await service().describeUpdate({ ...REF, updateId });
    if (update.status === 'InProgress') open += 1;
    else expect(ended.get(updateId) ?? update.status).toBe(update.status);
    if (update.status !== 'InProgress') ended.set(updateId, update.status);
    expect(update.errors.length > 0).toBe(update.status === 'Failed');
  }
  expect(open).toBe(status === 'UPDATING' ? 1 : 0);
}

async function take(each: Step, clusters: ReturnType<typeof openTestClusters>): Promise<void> {
  const service = clusters.service();
  switch (each.do) {
    case 'wait':
      return clusters.clock.advance(each.ms);
    case 'reopen':
      return clusters.reopen();
    case 'scale': {
      const { do: _, ...scalingConfig } = each;
      await service.updateNodegroupConfig({ ...REF, scalingConfig });
      return;
    }
    case 'settings': {
      const { maxUnavailable } = each;
      await service.updateNodegroupConfig({ ...REF, updateConfig: { maxUnavailable } });
      return;
    }
    case 'version':
      await service.updateNodegroupVersion(REF);
      return;
    case 'label':
      await service.updateNodegroupConfig({
        ...REF,
        labels: { addOrUpdateLabels: { tier: each.value } },
      });
      return;
    case 'delete':
      await service.deleteNodegroup(REF);
      return;
    case 'fail':
    case 'mend':
      return clusters.planFailure(REF, each.do === 'fail' ? each.work : undefined);
  }
}
