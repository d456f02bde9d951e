/** DescribeUpdate on the wire: status, headers, document, refusals. */

import { describe, expect, test } from 'vitest';

import { expectRefusal, openClusterWire } from '../../helpers/cluster-wire.ts';
import { beginUpdate, GROUP } from './group.ts';

describe.each(['svc', 'amz'] as const)('DescribeUpdate, %s', (dialect) => {
  test('answers 200 with the record, with the group in the query or without', async () => {
    const wire = await openClusterWire(dialect);
    const id = await beginUpdate(wire);
    for (const query of ['', '?nodegroupName=workers']) {
      const { status, document } = await wire.send('GET', `/clusters/prod/updates/${id}${query}`);
      expect(status).toBe(200);
      expect(document).toMatchObject({ update: { id, status: 'InProgress' } });
    }
    expect((await wire.send('GET', GROUP)).status).toBe(200);
  });

  test('answers 404 for one that is not there, or of another group', async () => {
    const wire = await openClusterWire(dialect);
    const id = await beginUpdate(wire);
    for (const target of [`${id}x`, `${id}?nodegroupName=other`])
      expectRefusal(await wire.send('GET', `/clusters/prod/updates/${target}`), {
        status: 404,
        code: 'ResourceNotFoundException',
      });
  });
});
