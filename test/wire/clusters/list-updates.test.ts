/** Tests of ListUpdates over HTTP: status, response body and errors. */

import { describe, expect, test } from 'vitest';

import { expectRefusal, openClusterWire } from '../../helpers/cluster-wire.ts';
import { beginUpdate } from './group.ts';

describe.each(['svc', 'amz'] as const)('ListUpdates, %s', (dialect) => {
  test('ListUpdates returns 200 with the ids of the updates of a node group', async () => {
    const wire = await openClusterWire(dialect);
    const id = await beginUpdate(wire);
    const query = '?nodegroupName=workers&maxResults=1';
    const { status, document } = await wire.send('GET', `/clusters/prod/updates${query}`);
    expect({ status, document }).toEqual({ status: 200, document: { updateIds: [id] } });
  });

  test('[upd-10] ListUpdates without a node group lists only the updates of the cluster itself', async () => {
    const wire = await openClusterWire(dialect);
    await beginUpdate(wire);
    const { status, document } = await wire.send('GET', '/clusters/prod/updates');
    expect({ status, document }).toEqual({ status: 200, document: { updateIds: [] } });
  });

  test('ListUpdates returns 404 for a missing node group', async () => {
    const { send, makeGroup } = await openClusterWire(dialect);
    await makeGroup();
    expectRefusal(await send('GET', '/clusters/prod/updates?nodegroupName=none'), {
      status: 404,
      code: 'ResourceNotFoundException',
    });
  });
});
