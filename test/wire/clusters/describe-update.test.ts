/** Tests of DescribeUpdate over HTTP: status, response body and errors. */

import { describe, expect, test } from 'vitest';

import { expectRefusal, openClusterWire } from '../../helpers/cluster-wire.ts';
import { beginUpdate, GROUP } from './group.ts';

describe.each(['svc', 'amz'] as const)('DescribeUpdate, %s', (dialect) => {
  test('DescribeUpdate returns 200 with the update, with or without the node group in the query', async () => {
    const wire = await openClusterWire(dialect);
    const id = await beginUpdate(wire);
    for (const query of ['', '?nodegroupName=workers']) {
      const { status, document } = await wire.send('GET', `/clusters/prod/updates/${id}${query}`);
      expect(status).toBe(200);
      expect(document).toMatchObject({ update: { id, status: 'InProgress' } });
    }
    expect((await wire.send('GET', GROUP)).status).toBe(200);
  });

  test('DescribeUpdate returns 404 for a missing update and for an update of another node group', async () => {
    const wire = await openClusterWire(dialect);
    const id = await beginUpdate(wire);
    for (const target of [`${id}x`, `${id}?nodegroupName=other`])
      expectRefusal(await wire.send('GET', `/clusters/prod/updates/${target}`), {
        status: 404,
        code: 'ResourceNotFoundException',
      });
  });
});
