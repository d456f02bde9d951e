/** Tests of UntagResource over HTTP: status, response body and errors. */

import { describe, expect, test } from 'vitest';

import { expectRefusal, openClusterWire } from '../../helpers/cluster-wire.ts';

const ARN = encodeURIComponent('arn:aws:eks:us-east-1:holdfast@local:cluster/prod');
const TARGET = `/tags/${ARN}`;

describe.each(['svc', 'amz'] as const)('UntagResource, %s', (dialect) => {
  test('UntagResource returns 200 and removes the tags with the keys in the query', async () => {
    const { send, makeGroup } = await openClusterWire(dialect);
    await makeGroup();
    await send('POST', TARGET, { body: { tags: { a: '1', 'b c': '2', d: '3' } } });
    const { status, document } = await send('DELETE', `${TARGET}?tagKeys=a&tagKeys=b%20c`);
    expect({ status, document }).toEqual({ status: 200, document: {} });
    expect((await send('GET', TARGET)).document).toEqual({ tags: { d: '3' } });
  });

  test('UntagResource rejects a request without keys', async () => {
    const { send, makeGroup } = await openClusterWire(dialect);
    await makeGroup();
    expectRefusal(await send('DELETE', TARGET), {
      status: 400,
      code: 'InvalidParameterException',
      message: /^tagKeys: is required$/,
    });
  });
});
