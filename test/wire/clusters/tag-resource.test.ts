/** Tests of TagResource over HTTP: status, response body and errors. */

import { describe, expect, test } from 'vitest';

import { expectRefusal, openClusterWire } from '../../helpers/cluster-wire.ts';

const ARN = encodeURIComponent('arn:aws:eks:us-east-1:holdfast@local:cluster/prod');
const TARGET = `/tags/${ARN}`;

describe.each(['svc', 'amz'] as const)('TagResource, %s', (dialect) => {
  test('TagResource returns 200 and stores the tags', async () => {
    const { send, makeGroup } = await openClusterWire(dialect);
    await makeGroup();
    const { status, document } = await send('POST', TARGET, { body: { tags: { a: 'b' } } });
    expect({ status, document }).toEqual({ status: 200, document: {} });
    expect((await send('GET', TARGET)).document).toEqual({ tags: { a: 'b' } });
  });

  test('TagResource rejects more than fifty tags and invalid tags', async () => {
    const { send, makeGroup } = await openClusterWire(dialect);
    await makeGroup();
    const tags = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, 'v']));
    expect((await send('POST', TARGET, { body: { tags } })).status).toBe(200);
    expectRefusal(await send('POST', TARGET, { body: { tags: { more: 'v' } } }), {
      status: 400,
      code: 'BadRequestException',
      message: /at most 50 tags, not 51/,
    });
    expectRefusal(await send('POST', TARGET, { body: {} }), {
      status: 400,
      code: 'InvalidParameterException',
      message: /^tags: is required$/,
    });
  });
});
