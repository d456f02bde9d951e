/** CancelUpdate on the wire: status, headers, document, refusals. */

import { describe, expect, test } from 'vitest';

import { expectRefusal, openClusterWire } from '../../helpers/cluster-wire.ts';
import { DURATIONS } from '../../helpers/test-clusters.ts';
import { beginUpdate, GROUP } from './group.ts';

describe.each(['svc', 'amz'] as const)('CancelUpdate, %s', (dialect) => {
  test('answers 200 with the update, which is Cancelled', async () => {
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

  test('answers 400 for an update that is not in progress, and changes nothing', async () => {
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

  test('answers 404 for one that is not there, or of another group', async () => {
    const wire = await openClusterWire(dialect);
    const id = await beginUpdate(wire);
    for (const target of ['none/cancel-update', `${id}/cancel-update?nodegroupName=other`])
      expectRefusal(await wire.send('POST', `/clusters/prod/updates/${target}`), {
        status: 404,
        code: 'ResourceNotFoundException',
      });
  });
});
