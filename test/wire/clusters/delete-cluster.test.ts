/** DeleteCluster on the wire: status, headers, document, refusals. */

import { describe, expect, test } from 'vitest';

import { expectRefusal, openClusterWire } from '../../helpers/cluster-wire.ts';

describe.each(['svc', 'amz'] as const)('DeleteCluster, %s', (dialect) => {
  test('answers 200 with the cluster, which is being deleted', async () => {
    const { send, clock } = await openClusterWire(dialect);
    await send('POST', '/clusters', { body: { name: 'prod' } });
    clock.advance(60_000);
    const { status, document } = await send('DELETE', '/clusters/prod');
    expect(status).toBe(200);
    expect(document).toMatchObject({ cluster: { name: 'prod', status: 'DELETING' } });
  });

  test('answers 409 for one with node groups, and 404 for one that is not there', async () => {
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
