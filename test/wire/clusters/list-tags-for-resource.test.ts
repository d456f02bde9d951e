/** Tests of ListTagsForResource over HTTP: status, response body and errors. */

import { describe, expect, test } from 'vitest';

import { expectRefusal, openClusterWire } from '../../helpers/cluster-wire.ts';

const ARN = encodeURIComponent('arn:aws:eks:us-east-1:holdfast@local:cluster/prod');
const TARGET = `/tags/${ARN}`;

describe.each(['svc', 'amz'] as const)('ListTagsForResource, %s', (dialect) => {
  test('ListTagsForResource returns tag keys unchanged, even keys that equal names of API fields', async () => {
    const { send, makeGroup } = await openClusterWire(dialect);
    await makeGroup();
    await send('POST', TARGET, { body: { tags: { createdAt: '1', vmSshKey: '2' } } });
    const { status, document } = await send('GET', TARGET);
    expect(status).toBe(200);
    expect(document).toEqual({ tags: { createdAt: '1', vmSshKey: '2' } });
  });

  test('ListTagsForResource returns 404 for the ARN of a missing resource', async () => {
    const { send } = await openClusterWire(dialect);
    expectRefusal(await send('GET', TARGET), { status: 404, code: 'NotFoundException' });
  });

  test.each(['x', 'arn:aws:eks', 'arn:aws:s3:::bucket', 'arn:aws:eks:us-east-1:a@b:pod/x'])(
    '[eks-11] tag requests return 400 for %s, because it is not an ARN of a cluster or node group',
    async (text) => {
      const { send } = await openClusterWire(dialect);
      const target = `/tags/${encodeURIComponent(text)}`;
      const refusal = { status: 400, code: 'BadRequestException', message: /is not an ARN/ };
      expectRefusal(await send('GET', target), refusal);
      expectRefusal(await send('POST', target, { body: { tags: { a: 'b' } } }), refusal);
      expectRefusal(await send('DELETE', `${target}?tagKeys=a`), refusal);
    },
  );
});
