/** Tests of CancelUpdate over HTTP: status, response body and errors. */

import { describe, expect, test } from 'vitest';

import { expectRefusal, openClusterWire } from '../../helpers/cluster-wire.ts';
import { DURATIONS } from '../../helpers/test-clusters.ts';
import { beginUpdate, GROUP } from './group.ts';

describe.each(['svc', 'amz'] as const)('CancelUpdate, %s', (dialect) => {
  test('CancelUpdate returns 200 with the update, whose status is now Cancelled', async () => {
    const wire = await openClusterWire(dialect);
    const id = await beginUpdate(wire);
    const target = `/clusters/prod/updates/${id}`;
    const query = '?nodegroupName=workers';
    const { status, document } = await wire.send('POST', `${target}/cancel-update${query}`);
    expect(status).toBe(200);
    expect(document).toMatchObject({ update: { id, status: 'Cancelled', errors: [] } });
    expect((await wire.send('GET', target + query)).document).toEqual(document);
    expect((await wire.send('GET', GROUP)).document).toMatchObject({
      nodegroup: { status: 'ACTIVE', scalingConfig: { desiredSize: 2 } },
    });
  });

  test('CancelUpdate returns 400 for an update that is not in progress, and changes nothing', async () => {
    const wire = await openClusterWire(dialect);
    const id = await beginUpdate(wire);
    wire.clock.advance(10 * DURATIONS.batchMs);
    const before = await wire.send('GET', GROUP);
    expectRefusal(await wire.send('POST', `/clusters/prod/updates/${id}/cancel-update`), {
      status: 400,
      code: 'InvalidRequestException',
      message: /is Successful/,
    });
    expect((await wire.send('GET', GROUP)).document).toEqual(before.document);
  });

  test('CancelUpdate returns 404 for a missing update and for an update of another node group', async () => {
    const wire = await openClusterWire(dialect);
    const id = await beginUpdate(wire);
    for (const target of ['none/cancel-update', `${id}/cancel-update?nodegroupName=other`])
      expectRefusal(await wire.send('POST', `/clusters/prod/updates/${target}`), {
        status: 404,
        code: 'ResourceNotFoundException',
      });
  });
});
