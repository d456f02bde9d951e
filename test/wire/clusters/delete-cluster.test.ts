/** Tests of DeleteCluster over HTTP: status, response body and errors. */

import { describe, expect, test } from 'vitest';

import { expectRefusal, openClusterWire } from '../../helpers/cluster-wire.ts';

describe.each(['svc', 'amz'] as const)('DeleteCluster, %s', (dialect) => {
  test('DeleteCluster returns 200 with the cluster, whose status is DELETING', async () => {
    const { send, clock } = await openClusterWire(dialect);
    await send('POST', '/clusters', { body: { name: 'prod' } });
    clock.advance(60_000);
    const { status, document } = await send('DELETE', '/clusters/prod');
    expect(status).toBe(200);
    expect(document).toMatchObject({ cluster: { name: 'prod', status: 'DELETING' } });
  });

  test('DeleteCluster returns 409 for a cluster with node groups, and 404 for a missing cluster', async () => {
    const { send, makeGroup } = await openClusterWire(dialect);
    await makeGroup();
    expectRefusal(await send('DELETE', '/clusters/prod'), {
      status: 409,
      code: 'ResourceInUseException',
      message: /^Cluster has nodegroups attached$/,
    });
    expectRefusal(await send('DELETE', '/clusters/none'), {
      status: 404,
      code: 'ResourceNotFoundException',
    });
  });
});
