/** Tests of CreateCluster over HTTP: status, headers, response body and errors. */

import { describe, expect, test } from 'vitest';

import { expectRefusal, openClusterWire } from '../../helpers/cluster-wire.ts';

describe.each(['svc', 'amz'] as const)('CreateCluster, %s', (dialect) => {
  test('CreateCluster returns 200 with the new cluster and its creation time in seconds', async () => {
    const { send, clock } = await openClusterWire(dialect);
    const body = { name: 'prod', resourcesVpcConfig: { subnetIds: ['s-1'] }, unknown: [1] };
    const { status, headers, document } = await send('POST', '/clusters', { body });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('date')).toBeTruthy();
    expect(document).toEqual({
      cluster: {
        name: 'prod',
        arn: 'arn:aws:eks:us-east-1:holdfast@local:cluster/prod',
        createdAt: clock.now() / 1000,
        version: '1.34',
        status: 'CREATING',
        platformVersion: 'holdfast.1',
        tags: {},
        resourcesVpcConfig: { subnetIds: ['s-1'] },
        health: { issues: [] },
      },
    });
  });

  test('CreateCluster accepts null for optional fields', async () => {
    const { send } = await openClusterWire(dialect);
    const body = { name: 'prod', tags: null, roleArn: null };
    expect((await send('POST', '/clusters', { body })).status).toBe(200);
  });

  test.each([
    ['-prod', /^name: must be letters/],
    ['', /^name: must have 1 to 100 characters, not 0$/],
    ['x'.repeat(101), /^name: must have 1 to 100 characters, not 101$/],
    [7, /^name: must be a string$/],
    [undefined, /^name: is required$/],
  ])('CreateCluster rejects the name %j', async (name, message) => {
    const { send } = await openClusterWire(dialect);
    const answer = await send('POST', '/clusters', { body: { name } });
    expectRefusal(answer, { status: 400, code: 'InvalidParameterException', message });
    const { document } = await send('GET', '/clusters');
    expect(document).toEqual({ clusters: [] });
  });
});
