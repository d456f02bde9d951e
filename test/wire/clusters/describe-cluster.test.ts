/** DescribeCluster on the wire: status, headers, document, refusals. */

import { describe, expect, test } from 'vitest';

import { expectRefusal, openClusterWire } from '../../helpers/cluster-wire.ts';

describe.each(['svc', 'amz'] as const)('DescribeCluster, %s', (dialect) => {
  test('answers 200 with the cluster as it is', async () => {
    const { send, makeGroup } = await openClusterWire(dialect);
    await makeGroup();
    const { status, document } = await send('GET', '/clusters/prod');
    expect(status).toBe(200);
    expect(document).toMatchObject({ cluster: { name: 'prod', status: 'ACTIVE' } });
  });

  test('[eks-12] names the path parameter as the specification does when the name is not valid', async () => {
    const { send } = await openClusterWire(dialect);
    for (const target of ['/clusters/a%2Fb', '/clusters/a%2Fb/node-groups'])
      expectRefusal(await send('GET', target), {
        status: 400,
        code: 'InvalidParameterException',
        message: /^name: must be letters/,
      });
  });

  test('answers 404 for one that is not there, and names it', async () => {
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
