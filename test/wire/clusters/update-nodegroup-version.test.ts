/** Tests of UpdateNodegroupVersion over HTTP: status, response body and errors. */

import { describe, expect, test } from 'vitest';

import { expectRefusal, openClusterWire } from '../../helpers/cluster-wire.ts';
import { GROUP } from './group.ts';

describe.each(['svc', 'amz'] as const)('UpdateNodegroupVersion, %s', (dialect) => {
  test('UpdateNodegroupVersion returns 200 with the new update', async () => {
    const { send, makeGroup } = await openClusterWire(dialect);
    await makeGroup();
    const body = { version: '1.35', launchTemplate: { name: 'lt', version: '2' }, force: true };
    const { status, document } = await send('POST', `${GROUP}/update-version`, { body });
    expect(status).toBe(200);
    expect(document).toMatchObject({
      update: {
        status: 'InProgress',
        type: 'VersionUpdate',
        params: [
          { type: 'Version', value: '1.35' },
          { type: 'LaunchTemplateName', value: 'lt' },
          { type: 'LaunchTemplateVersion', value: '2' },
        ],
      },
    });
    expectRefusal(await send('POST', `${GROUP}/update-version`, { body }), {
      status: 409,
      code: 'ResourceInUseException',
    });
  });

  test('UpdateNodegroupVersion without a body updates the node group to the version of its cluster', async () => {
    const { send, makeGroup } = await openClusterWire(dialect);
    await makeGroup();
    const { document } = await send('POST', `${GROUP}/update-version`);
    expect(document).toMatchObject({ update: { params: [{ type: 'Version', value: '1.34' }] } });
  });
});
