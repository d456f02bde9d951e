/** DescribeNodegroup on the wire: status, headers, document, refusals. */

import { describe, expect, test } from 'vitest';

import { expectRefusal, openClusterWire } from '../../helpers/cluster-wire.ts';

describe.each(['svc', 'amz'] as const)('DescribeNodegroup, %s', (dialect) => {
  test('answers 200 with the node group as it is', async () => {
    const { send, makeGroup } = await openClusterWire(dialect);
    await makeGroup();
    const { status, document } = await send('GET', '/clusters/prod/node-groups/workers');
    expect(status).toBe(200);
    expect(document).toMatchObject({
      nodegroup: { nodegroupName: 'workers', clusterName: 'prod', status: 'ACTIVE' },
    });
  });

  test('answers 404 for one that is not there, and names it and its cluster', async () => {
    const { send, makeGroup } = await openClusterWire(dialect);
    await makeGroup();
    const answer = await send('GET', '/clusters/prod/node-groups/none');
    expectRefusal(answer, {
      status: 404,
      code: 'ResourceNotFoundException',
      message: /^No node group found for name: none\.$/,
    });
    expect(answer.document).toMatchObject({ clusterName: 'prod', nodegroupName: 'none' });
    const elsewhere = await send('GET', '/clusters/none/node-groups/workers');
    expectRefusal(elsewhere, { status: 404, code: 'ResourceNotFoundException' });
  });
});
