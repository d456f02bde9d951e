/** Tests of CreateNodegroup over HTTP: status, response body and errors. */

import { describe, expect, test } from 'vitest';

import { expectRefusal, openClusterWire } from '../../helpers/cluster-wire.ts';

describe.each(['svc', 'amz'] as const)('CreateNodegroup, %s', (dialect) => {
  test('CreateNodegroup returns 200 with the new node group and its times in seconds', async () => {
    const { send, clock, makeGroup } = await openClusterWire(dialect);
    await makeGroup();
    const body = {
      nodegroupName: 'more',
      instanceTypes: ['m1.small'],
      remoteAccess: { vmSshKey: 'ops' },
      nodeRole: 'role',
    };
    const { status, document } = await send('POST', '/clusters/prod/node-groups', { body });
    expect(status).toBe(200);
    expect(document).toMatchObject({
      nodegroup: {
        ...body,
        clusterName: 'prod',
        status: 'CREATING',
        createdAt: clock.now() / 1000,
        modifiedAt: clock.now() / 1000,
        remoteAccess: { vmSshKey: 'ops', ec2SshKey: 'ops' },
      },
    });
  });

  test('CreateNodegroup accepts ec2SshKey, the Amazon EKS name of vmSshKey', async () => {
    const { send, makeGroup } = await openClusterWire(dialect);
    await makeGroup();
    const body = {
      nodegroupName: 'more',
      instanceTypes: ['a'],
      remoteAccess: { ec2SshKey: 'ops' },
    };
    const { document } = await send('POST', '/clusters/prod/node-groups', { body });
    expect(document).toMatchObject({ nodegroup: { remoteAccess: { vmSshKey: 'ops' } } });
  });

  test.each([
    [{ instanceTypes: undefined }, /^instanceTypes: is required$/],
    [{ instanceTypes: [] }, /^instanceTypes: must have at least one type/],
    [{ instanceTypes: 'a' }, /^instanceTypes: must be a list$/],
    [{ instanceTypes: [1] }, /^instanceTypes\.0: must be a string$/],
    [{ nodegroupName: undefined }, /^nodegroupName: is required$/],
    [{ nodegroupName: 'x'.repeat(64) }, /^nodegroupName: must have 1 to 63 characters, not 64$/],
    [{ nodegroupName: '../x' }, /^nodegroupName: must be letters/],
    [{ capacityType: 'SPOT' }, /^capacityType: must be ON_DEMAND$/],
    [{ diskSize: 0 }, /^diskSize: must be a whole number from 1 to 65536, not 0$/],
    [{ diskSize: '20' }, /^diskSize: must be a number$/],
    [{ labels: { a: '' } }, /^labels\.a: the value must have 1 to 63 characters, not 0$/],
    [{ labels: { a: 'x'.repeat(64) } }, /^labels\.a: the value must have 1 to 63 characters/],
    [{ labels: { ['x'.repeat(64)]: 'a' } }, /the key must have 1 to 63 characters, not 64$/],
    [{ labels: { 'kubernetes.io/os': 'linux' } }, /reserved/],
    [{ labels: { a: 'b c' } }, /^labels\.a: a valid label must consist of alphanumeric/],
    [{ labels: { a: 1 } }, /^labels\.a: must be a string$/],
    [{ labels: [] }, /^labels: must be an object of strings$/],
    [
      { labels: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, 'v'])) },
      /^labels: must have at most 50 members, not 51$/,
    ],
    [{ launchTemplate: {} }, /^launchTemplate: must have either id or name, not both$/],
    [{ launchTemplate: { id: 'a', name: 'b' } }, /not both$/],
    [{ remoteAccess: 'key' }, /^remoteAccess: must be an object$/],
    [
      { scalingConfig: { minSize: 3, desiredSize: 2, maxSize: 4 } },
      /Minimum capacity 3 can't be greater than desired size 2/,
    ],
    [
      { scalingConfig: { minSize: 1, desiredSize: 5, maxSize: 4 } },
      /desiredSize 5 can't be greater than maxSize 4/,
    ],
    [{ scalingConfig: { minSize: 1, desiredSize: 1 } }, /^scalingConfig\.maxSize: is required$/],
    [
      { scalingConfig: { minSize: -1, desiredSize: 1, maxSize: 1 } },
      /^scalingConfig\.minSize: must be a whole number from 0 to 450, not -1$/,
    ],
    [
      { scalingConfig: { minSize: 0, desiredSize: 1e9, maxSize: 1e9 } },
      /^scalingConfig\.desiredSize: must be a whole number/,
    ],
    [{ subnets: [''] }, /^subnets\.0: must have 1 to 256 characters, not 0$/],
    [{ tags: { '': 'a' } }, /the key must have 1 to 128 characters, not 0$/],
    [{ tags: { a: 'x'.repeat(257) } }, /^tags\.a: the value must have at most 256 characters/],
    [
      { taints: [{ effect: 'NoSchedule', key: 'a' }] },
      /Invalid taint effect: NoSchedule, must be one of these \[NO_SCHEDULE, NO_EXECUTE, PREFER_NO_SCHEDULE\]/,
    ],
    [{ taints: [{ effect: 'NO_SCHEDULE' }] }, /^taints\.0\.key: is required$/],
    [{ taints: [{ key: 'a' }] }, /^taints\.0\.effect: is required$/],
    [
      {
        taints: [
          { effect: 'NO_SCHEDULE', key: 'a' },
          { effect: 'NO_SCHEDULE', key: 'a', value: 'b' },
        ],
      },
      /^taints: a:NO_SCHEDULE occurs twice$/,
    ],
    [
      { updateConfig: {} },
      /^updateConfig: must have either maxUnavailable or maxUnavailablePercentage/,
    ],
    [{ updateConfig: { maxUnavailable: 1, maxUnavailablePercentage: 1 } }, /not both$/],
    [
      { updateConfig: { maxUnavailable: 0 } },
      /^updateConfig\.maxUnavailable: must be a whole number from 1 to 100, not 0$/,
    ],
    [{ updateConfig: { maxUnavailable: 3 } }, /within the range 1 and max size of the node group/],
    [{ updateConfig: { maxUnavailablePercentage: 101 } }, /from 1 to 100, not 101$/],
    [{ version: 1.3 }, /^version: must be a string$/],
  ])(
    'CreateNodegroup rejects %j with an error that names the invalid field, and creates nothing',
    async (members, message) => {
      const { send, makeGroup } = await openClusterWire(dialect);
      await makeGroup();
      const body = { nodegroupName: 'more', instanceTypes: ['a'], ...members };
      const answer = await send('POST', '/clusters/prod/node-groups', { body });
      expectRefusal(answer, { status: 400, code: 'InvalidParameterException', message });
      const { document } = await send('GET', '/clusters/prod/node-groups');
      expect(document).toEqual({ nodegroups: ['workers'] });
    },
  );

  test.each(['labels', 'tags'])(
    '[ng-10] CreateNodegroup rejects %s with the key __proto__, and creates nothing',
    async (member) => {
      const { send, makeGroup } = await openClusterWire(dialect);
      await makeGroup();
      const text = `{"nodegroupName":"more","instanceTypes":["a"],"${member}":{"a":"b","__proto__":"c"}}`;
      expectRefusal(await send('POST', '/clusters/prod/node-groups', { text }), {
        status: 400,
        code: 'InvalidParameterException',
        message: new RegExp(`^${member}\\.__proto__: `),
      });
      const { document } = await send('GET', '/clusters/prod/node-groups');
      expect(document).toEqual({ nodegroups: ['workers'] });
    },
  );

  test('[ng-10] CreateNodegroup stores labels named constructor and toString', async () => {
    const { send, makeGroup } = await openClusterWire(dialect);
    await makeGroup();
    const labels = { constructor: 'a', toString: 'b' };
    const body = { nodegroupName: 'more', instanceTypes: ['a'], labels };
    expect((await send('POST', '/clusters/prod/node-groups', { body })).status).toBe(200);
    const { document } = await send('GET', '/clusters/prod/node-groups/more');
    expect(document).toMatchObject({ nodegroup: { labels } });
  });

  test.each(['', 'x', '[]', '"a"', '1', '{"a":', '\uFFFF{'])(
    'CreateNodegroup rejects the request body %j',
    async (text) => {
      const { send, makeGroup } = await openClusterWire(dialect);
      await makeGroup();
      expectRefusal(await send('POST', '/clusters/prod/node-groups', { text }), {
        status: 400,
        code: 'InvalidParameterException',
      });
    },
  );

  test('CreateNodegroup rejects a request body of more than 256 KiB', async () => {
    const { send, makeGroup } = await openClusterWire(dialect);
    await makeGroup();
    const body = { nodegroupName: 'more', instanceTypes: ['a'], filler: 'x'.repeat(256 * 1024) };
    expectRefusal(await send('POST', '/clusters/prod/node-groups', { body }), {
      status: 400,
      code: 'InvalidRequestException',
      message: /more than 262144 bytes/,
    });
  });
});
