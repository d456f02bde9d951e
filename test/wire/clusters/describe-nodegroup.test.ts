/** Tests of DescribeNodegroup over HTTP: status, response body and errors. */

import { describe, expect, test } from 'vitest';

import { expectRefusal, openClusterWire } from '../../helpers/cluster-wire.ts';

describe.each(['svc', 'amz'] as const)('DescribeNodegroup, %s', (dialect) => {
  test('DescribeNodegroup returns 200 with the node group', async () => {
    const { send, makeGroup } = await openClusterWire(dialect);
    await makeGroup();
    const { status, document } = await send('GET', '/clusters/prod/node-groups/workers');
    expect(status).toBe(200);
    expect(document).toMatchObject({
      nodegroup: { nodegroupName: 'workers', clusterName: 'prod', status: 'ACTIVE' },
    });
  });

  test('DescribeNodegroup of a missing node group returns 404 with its name and the name of its cluster', async () => {
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
