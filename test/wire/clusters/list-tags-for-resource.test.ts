/** ListTagsForResource on the wire: status, headers, document, refusals. */

import { describe, expect, test } from 'vitest';

import { expectRefusal, openClusterWire } from '../../helpers/cluster-wire.ts';

const ARN = encodeURIComponent('arn:aws:eks:us-east-1:holdfast@local:cluster/prod');
const TARGET = `/tags/${ARN}`;

describe.each(['svc', 'amz'] as const)('ListTagsForResource, %s', (dialect) => {
  test('answers 200 with tags, whose names are left as they are', async () => {
    const { send, makeGroup } = await openClusterWire(dialect);
    await makeGroup();
    await send('POST', TARGET, { body: { tags: { createdAt: '1', vmSshKey: '2' } } });
    const { status, document } = await send('GET', TARGET);
    expect(status).toBe(200);
    expect(document).toEqual({ tags: { createdAt: '1', vmSshKey: '2' } });
  });

  test('answers 404 for an ARN of nobody', async () => {
    const { send } = await openClusterWire(dialect);
    expectRefusal(await send('GET', TARGET), { status: 404, code: 'NotFoundException' });
    expectRefusal(await send('GET', '/tags/x'), { status: 404, code: 'NotFoundException' });
  });
});
