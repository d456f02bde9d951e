/** Tests of ListClusters over HTTP: pages and errors. */

import { describe, expect, test } from 'vitest';

import { expectRefusal, openClusterWire } from '../../helpers/cluster-wire.ts';

describe.each(['svc', 'amz'] as const)('ListClusters, %s', (dialect) => {
  test('ListClusters returns the names of clusters in pages', async () => {
    const { send } = await openClusterWire(dialect);
    for (const name of ['b', 'a']) await send('POST', '/clusters', { body: { name } });
    const first = await send('GET', '/clusters?maxResults=1');
    expect(first.document).toEqual({ clusters: ['a'], nextToken: expect.any(String) as string });
    const token = encodeURIComponent(String(first.document['nextToken']));
    const rest = await send('GET', `/clusters?maxResults=1&nextToken=${token}&include=all`);
    expect(rest.document).toEqual({ clusters: ['b'] });
  });

  test.each(['0', '101', '1.5', 'x', ''])(
    'ListClusters rejects maxResults=%s',
    async (maxResults) => {
      const { send } = await openClusterWire(dialect);
      const answer = await send('GET', `/clusters?maxResults=${maxResults}`);
      expectRefusal(answer, {
        status: 400,
        code: 'InvalidParameterException',
        message: /^maxResults: must be/,
      });
    },
  );
});
