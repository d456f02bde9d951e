/** Tests of DescribeCluster over HTTP: status, response body and errors. */

import { describe, expect, test } from 'vitest';

import { expectRefusal, openClusterWire } from '../../helpers/cluster-wire.ts';

describe.each(['svc', 'amz'] as const)('DescribeCluster, %s', (dialect) => {
  test('DescribeCluster returns 200 with the cluster', async () => {
    const { send, makeGroup } = await openClusterWire(dialect);
    await makeGroup();
    const { status, document } = await send('GET', '/clusters/prod');
    expect(status).toBe(200);
    expect(document).toMatchObject({ cluster: { name: 'prod', status: 'ACTIVE' } });
  });

  test('[eks-12] the error for an invalid cluster name in the path says that the parameter `name` is invalid', async () => {
    const { send } = await openClusterWire(dialect);
    for (const target of ['/clusters/a%2Fb', '/clusters/a%2Fb/node-groups'])
      expectRefusal(await send('GET', target), {
        status: 400,
        code: 'InvalidParameterException',
        message: /^name: must be letters/,
      });
  });

  test('DescribeCluster of a missing cluster returns 404 with the name of the cluster', async () => {
    const { send } = await openClusterWire(dialect);
    const answer = await send('GET', '/clusters/none');
    expectRefusal(answer, {
      status: 404,
      code: 'ResourceNotFoundException',
      message: /^No cluster found for name: none\.$/,
    });
    expect(answer.document).toMatchObject({ clusterName: 'none' });
  });
});
