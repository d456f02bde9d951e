/** Tests of DeleteNodegroup over HTTP: status, response body and errors. */

import { describe, expect, test } from 'vitest';

import { expectRefusal, openClusterWire } from '../../helpers/cluster-wire.ts';

describe.each(['svc', 'amz'] as const)('DeleteNodegroup, %s', (dialect) => {
  test('DeleteNodegroup returns 200 with the node group, whose status is DELETING', async () => {
    const { send, makeGroup } = await openClusterWire(dialect);
    await makeGroup();
    const { status, document } = await send('DELETE', '/clusters/prod/node-groups/workers');
    expect(status).toBe(200);
    expect(document).toMatchObject({
      nodegroup: { nodegroupName: 'workers', status: 'DELETING' },
    });
    expectRefusal(await send('DELETE', '/clusters/prod/node-groups/workers'), {
      status: 409,
      code: 'ResourceInUseException',
    });
  });

  test('DeleteNodegroup returns 404 for a missing node group', async () => {
    const { send, makeGroup } = await openClusterWire(dialect);
    await makeGroup();
    expectRefusal(await send('DELETE', '/clusters/prod/node-groups/none'), {
      status: 404,
      code: 'ResourceNotFoundException',
    });
  });
});
