/** Tests of the screens of clusters and node groups in the dashboard. */

import { afterEach, expect, test } from 'vitest';

import { configChanges, taintsOf } from '../../../tui/screens/nodes/nodegroup-form.ts';
import { SeededDaemon } from '../../helpers/tui/seeded-daemon.ts';
import { TestScreen } from '../../helpers/tui/screen.ts';
import { clusterAnswers, seededNodegroup } from '../../helpers/tui/cluster-seeds.ts';
import { seededStatus } from '../../helpers/tui/seeds.ts';

const open: TestScreen[] = [];

afterEach(async () => {
  for (const screen of open.splice(0)) await screen.close();
});

async function start(size: { columns?: number; rows?: number } = {}) {
  const daemon = new SeededDaemon({ status: seededStatus, ...clusterAnswers });
  const screen = await new TestScreen({ ...size, connect: daemon.connect }).start();
  open.push(screen);
  await screen.press('5');
  await screen.waitFor('prod');
  return { daemon, screen };
}

test.each([
  [80, 24],
  [120, 40],
])(
  'the dashboard shows the screens of clusters, node groups and one node group as in their snapshots at %i×%i',
  async (columns, rows) => {
    const { screen } = await start({ columns, rows });
    const size = `${columns}x${rows}`;
    await expect(screen.text()).toMatchFileSnapshot(`snapshots/clusters-${size}.txt`);
    await screen.press('enter');
    await expect(await screen.waitFor('workers')).toMatchFileSnapshot(
      `snapshots/nodegroups-${size}.txt`,
    );
    await screen.press('enter');
    await expect(await screen.waitFor('ConfigUpdate')).toMatchFileSnapshot(
      `snapshots/nodegroup-${size}.txt`,
    );
  },
);

test('the dashboard sends only the changed part of the configuration of a node group', async () => {
  const { screen, daemon } = await start();
  await screen.press('enter e');
  await screen.waitFor('Configuration of workers');
  await screen.press('4 ctrl-s');
  expect(daemon.lastOf('nodegroups.updateConfig')).toEqual({
    clusterName: 'prod',
    nodegroupName: 'workers',
    scalingConfig: { minSize: 1, desiredSize: 4, maxSize: 5 },
  });
  await screen.waitFor('update 7c1e of workers has begun');
});

test('the dashboard reports a desired size outside the limits of a node group and does not send it', async () => {
  const { screen, daemon } = await start();
  await screen.press('enter e 9 ctrl-s');
  await screen.waitFor('must be from min to max, 1 to 5');
  expect(daemon.lastOf('nodegroups.updateConfig')).toBeUndefined();
});

test('the dashboard requires typing the name to delete a node group', async () => {
  const { screen, daemon } = await start();
  await screen.press('enter D');
  await screen.waitFor('This deletes its 3 nodes');
  await screen.press('w r o n g enter');
  await screen.waitFor('the text does not match');
  expect(daemon.lastOf('nodegroups.delete')).toBeUndefined();
  await screen.press('ctrl-u w o r k e r s enter');
  expect(daemon.lastOf('nodegroups.delete')).toEqual({
    clusterName: 'prod',
    nodegroupName: 'workers',
  });
});

test('the dashboard explains why a node group that is being updated cannot be edited', async () => {
  const { screen, daemon } = await start();
  await screen.press('enter j e');
  await screen.waitFor('it is UPDATING; wait until this has ended');
  expect(daemon.lastOf('nodegroups.updateConfig')).toBeUndefined();
});

test('the dashboard sends changed and new labels and taints as updates, and missing labels as removals', () => {
  const group = seededNodegroup({
    labels: { env: 'prod', team: 'core' },
    taints: [{ key: 'gpu', value: 'yes', effect: 'NO_SCHEDULE' }],
  });
  const { minSize, desiredSize, maxSize } = group.scalingConfig ?? {
    minSize: 0,
    desiredSize: 0,
    maxSize: 1,
  };
  const sizes = { minSize: `${minSize}`, desiredSize: `${desiredSize}`, maxSize: `${maxSize}` };
  const values = {
    ...sizes,
    labels: 'env=test new=1',
    taints: 'gpu=no:NO_SCHEDULE',
    unavailable: '1',
  };
  expect(configChanges(group, values)).toEqual({
    labels: { addOrUpdateLabels: { env: 'test', new: '1' }, removeLabels: ['team'] },
    taints: { addOrUpdateTaints: [{ key: 'gpu', value: 'no', effect: 'NO_SCHEDULE' }] },
  });
});

test.each([
  ['a=b:NO_EXECUTE', { key: 'a', value: 'b', effect: 'NO_EXECUTE' }],
  ['a:NO_SCHEDULE', { key: 'a', effect: 'NO_SCHEDULE' }],
])('the dashboard parses the taint %s', (text, taint) => {
  expect(taintsOf(text)).toEqual([taint]);
});

test('the dashboard deletes the node group that the question named even if the list has changed', async () => {
  let names = ['workers', 'gpu'];
  const daemon = new SeededDaemon({
    status: seededStatus,
    ...clusterAnswers,
    'nodegroups.list': () => ({ nodegroups: names }),
  });
  const screen = await new TestScreen({ connect: daemon.connect }).start();
  open.push(screen);
  await screen.press('5');
  await screen.waitFor('prod');
  await screen.press('enter D');
  await screen.waitFor('Delete node group workers?');
  names = ['gpu'];
  await screen.tick(5_000);
  await screen.type('workers\r');
  expect(daemon.lastOf('nodegroups.delete')).toMatchObject({ nodegroupName: 'workers' });
});
