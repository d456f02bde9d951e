/** Tests of ListNodegroups over HTTP: pages and errors. */

import { describe, expect, test } from 'vitest';

import { expectRefusal, openClusterWire } from '../../helpers/cluster-wire.ts';

describe.each(['svc', 'amz'] as const)('ListNodegroups, %s', (dialect) => {
  test('ListNodegroups returns the names of node groups in pages', async () => {
    const { send, makeGroup } = await openClusterWire(dialect);
    await makeGroup();
    const body = { nodegroupName: 'a', instanceTypes: ['m1.small'] };
    await send('POST', '/clusters/prod/node-groups', { body });
    const first = await send('GET', '/clusters/prod/node-groups?maxResults=1');
    expect(first.document).toEqual({
      nodegroups: ['a'],
      nextToken: expect.any(String) as string,
    });
    const token = encodeURIComponent(String(first.document['nextToken']));
    const rest = await send('GET', `/clusters/prod/node-groups?nextToken=${token}`);
    expect(rest.document).toEqual({ nodegroups: ['workers'] });
  });

  test('ListNodegroups returns 404 for a missing cluster', async () => {
    const { send } = await openClusterWire(dialect);
    expectRefusal(await send('GET', '/clusters/none/node-groups'), {
      status: 404,
      code: 'ResourceNotFoundException',
    });
  });
});
