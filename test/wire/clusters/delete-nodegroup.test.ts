/** DeleteNodegroup on the wire: status, headers, document, refusals. */

import { describe, expect, test } from 'vitest';

import { expectRefusal, openClusterWire } from '../../helpers/cluster-wire.ts';

describe.each(['svc', 'amz'] as const)('DeleteNodegroup, %s', (dialect) => {
  test('answers 200 with the node group, which is being deleted', async () => {
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

  test('answers 404 for one that is not there', async () => {
    const { send, makeGroup } = await openClusterWire(dialect);
    await makeGroup();
    expectRefusal(await send('DELETE', '/clusters/prod/node-groups/none'), {
      status: 404,
      code: 'ResourceNotFoundException',
    });
  });
});
