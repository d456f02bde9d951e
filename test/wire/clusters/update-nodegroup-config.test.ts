/** Tests of UpdateNodegroupConfig over HTTP: status, response body and errors. */

import { describe, expect, test } from 'vitest';

import { expectRefusal, openClusterWire } from '../../helpers/cluster-wire.ts';
import { DURATIONS } from '../../helpers/test-clusters.ts';
import { GROUP } from './group.ts';

describe.each(['svc', 'amz'] as const)('UpdateNodegroupConfig, %s', (dialect) => {
  test('UpdateNodegroupConfig returns 200 with the new update', async () => {
    const { send, clock, makeGroup } = await openClusterWire(dialect);
    await makeGroup();
    const body = {
      labels: { addOrUpdateLabels: { tier: 'web' }, removeLabels: ['old'] },
      scalingConfig: { minSize: 1, desiredSize: 3, maxSize: 4 },
      taints: {
        addOrUpdateTaints: [{ effect: 'NO_SCHEDULE', key: 'a', value: 'b' }],
        removeTaints: [{ effect: 'NO_EXECUTE', key: 'a' }],
      },
      updateConfig: { maxUnavailablePercentage: 50 },
    };
    const { status, document } = await send('POST', `${GROUP}/update-config`, { body });
    expect(status).toBe(200);
    expect(document).toEqual({
      update: {
        id: expect.any(String) as string,
        createdAt: clock.now() / 1000,
        status: 'InProgress',
        type: 'ConfigUpdate',
        params: [
          { type: 'MinSize', value: '1' },
          { type: 'MaxSize', value: '4' },
          { type: 'DesiredSize', value: '3' },
          { type: 'LabelsToAdd', value: '{"tier":"web"}' },
          { type: 'LabelsToRemove', value: '["old"]' },
          { type: 'TaintsToAdd', value: '[{"effect":"NO_SCHEDULE","key":"a","value":"b"}]' },
          { type: 'TaintsToRemove', value: '[{"effect":"NO_EXECUTE","key":"a"}]' },
          { type: 'MaxUnavailablePercentage', value: '50' },
        ],
        errors: [],
      },
    });
  });

  test('[upd-9] UpdateNodegroupConfig with the empty request body {} creates an update that changes nothing', async () => {
    const { send, clock, makeGroup } = await openClusterWire(dialect);
    await makeGroup();
    const before = await send('GET', GROUP);
    const { status, document } = await send('POST', `${GROUP}/update-config`, { body: {} });
    expect(status).toBe(200);
    expect(document).toMatchObject({ update: { type: 'ConfigUpdate', params: [], errors: [] } });
    clock.advance(DURATIONS.batchMs);
    const { id } = document['update'] as { id: string };
    const { document: ended } = await send(
      'GET',
      `/clusters/prod/updates/${id}?nodegroupName=workers`,
    );
    expect(ended).toMatchObject({ update: { status: 'Successful' } });
    const group = (answer: typeof before) => ({
      ...(answer.document['nodegroup'] as object),
      modifiedAt: 0,
    });
    expect(group(await send('GET', GROUP))).toEqual(group(before));
  });

  test('[ng-10] UpdateNodegroupConfig rejects a label named __proto__, and changes nothing', async () => {
    const { send, makeGroup } = await openClusterWire(dialect);
    await makeGroup();
    const before = await send('GET', GROUP);
    const text = '{"labels":{"addOrUpdateLabels":{"a":"b","__proto__":"c"}}}';
    expectRefusal(await send('POST', `${GROUP}/update-config`, { text }), {
      status: 400,
      code: 'InvalidParameterException',
      message: /^labels\.addOrUpdateLabels\.__proto__: /,
    });
    expect((await send('GET', GROUP)).document).toEqual(before.document);
  });

  test.each([
    [{ scalingConfig: {} }, /Either all or at least one of minSize, maxSize, desiredSize/],
    [{ scalingConfig: { desiredSize: 9 } }, /desiredSize 9 can't be greater than maxSize 8/],
    [{ scalingConfig: { minSize: 3 } }, /Minimum capacity 3 can't be greater than desired size 2/],
    [
      { scalingConfig: { desiredSize: 1.5 } },
      /^scalingConfig\.desiredSize: must be a whole number/,
    ],
    [{ labels: {} }, /Both or either addOrUpdateLabels or removeLabels must not be empty/],
    [
      { labels: { addOrUpdateLabels: { a: 'b' }, removeLabels: ['a'] } },
      /^labels: a must not be added and removed in one request$/,
    ],
    [{ labels: { addOrUpdateLabels: { a: '' } } }, /^labels\.addOrUpdateLabels\.a: the value/],
    [{ labels: { removeLabels: 'a' } }, /^labels\.removeLabels: must be a list$/],
    [{ taints: {} }, /Both or either addOrUpdateTaints or removeTaints must not be empty/],
    [
      {
        taints: {
          addOrUpdateTaints: [{ effect: 'NO_EXECUTE', key: 'a' }],
          removeTaints: [{ effect: 'NO_EXECUTE', key: 'a' }],
        },
      },
      /^taints: a:NO_EXECUTE must not be added and removed in one request$/,
    ],
    [{ updateConfig: { maxUnavailable: 9 } }, /within the range 1 and max size/],
    [
      { updateConfig: {} },
      /^updateConfig: must have either maxUnavailable or maxUnavailablePercentage/,
    ],
  ])('UpdateNodegroupConfig rejects %j, and changes nothing', async (body, message) => {
    const { send, makeGroup } = await openClusterWire(dialect);
    await makeGroup();
    const before = await send('GET', GROUP);
    const answer = await send('POST', `${GROUP}/update-config`, { body });
    expectRefusal(answer, { status: 400, code: 'InvalidParameterException', message });
    expect((await send('GET', GROUP)).document).toEqual(before.document);
  });
});
