/** Tests that the numbers in an open question are updated when they change. */

import { expect, onTestFinished, test } from 'vitest';

import { FakeClock } from '../../helpers/fake-clock.ts';
import { seededStore } from '../../helpers/tui/bucket-seeds.ts';
import { clusterAnswers, seededNodegroup } from '../../helpers/tui/cluster-seeds.ts';
import { seededConflict, SeededConflicts } from '../../helpers/tui/conflict-seeds.ts';
import { GONE_GROUP, jobAnswers, JOBS, jobsStatus } from '../../helpers/tui/job-seeds.ts';
import { SeededDaemon } from '../../helpers/tui/seeded-daemon.ts';
import type { Answers } from '../../helpers/tui/seeded-daemon.ts';
import { TestScreen } from '../../helpers/tui/screen.ts';
import { NOW, seededJob } from '../../helpers/tui/seeds.ts';

/** Time in milliseconds after which an open question has reloaded its numbers. */
const AGAIN_MS = 3_000;

async function start(keys: string, answers: Answers = {}) {
  const daemon = new SeededDaemon({
    ...jobAnswers,
    ...clusterAnswers,
    status: () => jobsStatus(),
    ...answers,
  });
  const clock = new FakeClock(NOW);
  const screen = await new TestScreen({ clock, connect: daemon.connect }).start();
  onTestFinished(() => screen.close());
  const askedOf = (method: string) => daemon.asked.filter((each) => each.method === method).length;
  await screen.press(keys);
  return { daemon, screen, askedOf };
}

const scaledTo = (desiredSize: number) => ({
  'nodegroups.list': () => ({ nodegroups: ['workers'] }),
  'nodegroups.describe': () =>
    seededNodegroup({ scalingConfig: { minSize: 1, desiredSize, maxSize: 5 } }),
});

test.each([
  ['in the list of groups', 'enter D'],
  ['on its own screen', 'enter enter D'],
])(
  'the dashboard shows the current size of a node group in an open question %s',
  async (_, keys) => {
    const { daemon, screen } = await start('5', scaledTo(2));
    await screen.tickUntil('prod');
    await screen.press(keys);
    await screen.tickUntil('deletes its 2 nodes');
    daemon.replace('nodegroups.describe', scaledTo(4)['nodegroups.describe']);
    await screen.tick(6_000);
    await screen.tick(AGAIN_MS);
    expect(await screen.tickUntil('deletes its 4 nodes')).toContain('Esc');
  },
);

test('the dashboard shows the current size of the node groups in an open question about a cluster, and requests nothing once it is closed', async () => {
  const { daemon, screen, askedOf } = await start('5', scaledTo(2));
  await screen.tickUntil('prod');
  await screen.press('D');
  await screen.tickUntil('It has 1 node group with 2 nodes.');
  daemon.replace('nodegroups.describe', scaledTo(4)['nodegroups.describe']);
  await screen.tick(AGAIN_MS);
  await screen.tickUntil('It has 1 node group with 4 nodes.');
  await screen.press('esc');
  const asked = askedOf('nodegroups.describe');
  await screen.tick(AGAIN_MS);
  expect(askedOf('nodegroups.describe')).toBe(asked);
});

test('the dashboard reports outdated numbers in an open question if they cannot be reloaded', async () => {
  const { daemon, screen } = await start('5', scaledTo(2));
  await screen.tickUntil('prod');
  await screen.press('D');
  await screen.tickUntil('It has 1 node group with 2 nodes.');
  daemon.replace('nodegroups.list', () => Promise.reject(new Error('the service does not answer')));
  await screen.tick(AGAIN_MS);
  const text = await screen.tickUntil('These figures are not current:');
  expect(text).toContain('It has 1 node group with 2 nodes.');
});

test('the dashboard shows the current number of pending changes in the question before a job is removed', async () => {
  const { daemon, screen } = await start('3 D');
  await screen.tickUntil('812 pending');
  const job = JOBS[0] ?? seededJob();
  daemon.emit({ type: 'job.changed', job: { ...job, counts: { ...job.counts, pending: 3 } } });
  await screen.tick(AGAIN_MS);
  expect(await screen.tickUntil('3 pending')).toContain('Esc');
});

test.each(['3 j j j z', '3 j j j a z'])(
  'the dashboard shows the current number of held changes in the question before they are rejected (%s)',
  async (keys) => {
    const { daemon, screen } = await start(keys);
    await screen.tickUntil('1,204 deletes (1.69 TB) will be dropped');
    const deletes = [{ path: 'a', change: 'delete' as const, bytes: 1 }];
    const groups = [{ ...GONE_GROUP, deletes: 1, bytes: 1 }];
    const held = { changes: deletes, total: 1, digest: 'd', groups, reason: 'held' };
    daemon.replace('jobs.review', () => held);
    await screen.tick(AGAIN_MS);
    expect(await screen.tickUntil('1 delete (1 B) will be dropped')).toContain('Esc');
  },
);

test('the dashboard shows the current number of versions in the question before a bucket is deleted', async () => {
  const store = seededStore();
  const { screen } = await start('2', store.answers());
  await screen.tickUntil('1 of ');
  await screen.press('D');
  await screen.tickUntil('It contains 9 versions.');
  store.put('archive', 'new.txt', 'new');
  await screen.tick(AGAIN_MS);
  expect(await screen.tickUntil('It contains 10 versions.')).toContain('Esc');
});

test('the dashboard shows the current number of open conflicts in the question before they are resolved', async () => {
  const conflicts = [seededConflict(), seededConflict({ id: 'j2', path: 'notes.md' })];
  const world = new SeededConflicts({ media: conflicts });
  const { screen } = await start('4', world.answers());
  await screen.tickUntil('1 of 2');
  await screen.press('* B');
  await screen.tickUntil("Keep the bucket's object in 2 conflicts?");
  world.meanwhile('media', 'notes.md');
  await screen.tick(AGAIN_MS);
  const text = await screen.tickUntil("Keep the bucket's object in 1 conflict?");
  expect(text).toContain('1 of the chosen conflicts was resolved in the meantime.');
});

test("the dashboard updates the explanation of a job's state when the state changes", async () => {
  const { daemon, screen } = await start('3 j j j w');
  await screen.tickUntil('Why is media held?');
  daemon.emit({ type: 'job.changed', job: seededJob({ name: 'media', state: 'watching' }) });
  expect(await screen.tickUntil('Why is media watching?')).toContain('Esc');
});
