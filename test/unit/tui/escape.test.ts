/** Tests that Escape goes back one step: to the screen and the folder that the user came from. */

import { expect, onTestFinished, test } from 'vitest';

import { seededStore } from '../../helpers/tui/bucket-seeds.ts';
import { jobAnswers } from '../../helpers/tui/job-seeds.ts';
import { SeededDaemon } from '../../helpers/tui/seeded-daemon.ts';
import type { Answers } from '../../helpers/tui/seeded-daemon.ts';
import { seededJob, seededStatus } from '../../helpers/tui/seeds.ts';
import { TestScreen } from '../../helpers/tui/screen.ts';

const job = seededJob({
  bucket: 'archive',
  prefix: '2026/07/',
  counts: { ...seededJob().counts, conflicts: 2, problems: 0 },
});

/** Starts the dashboard with a job that backs up to a folder of a bucket and has conflicts. */
async function start(answers: Answers = {}) {
  const daemon = new SeededDaemon({
    ...jobAnswers,
    ...seededStore().answers(),
    status: () => ({ ...seededStatus(), jobs: [job] }),
    'conflicts.list': () => ({ conflicts: [], counts: { open: 0, held: 0, resolved: 0 } }),
    ...answers,
  });
  const screen = await new TestScreen({ connect: daemon.connect }).start();
  onTestFinished(() => screen.close());
  await screen.waitFor('2 conflicts');
  return screen;
}

/** Returns the selected tab and the crumbs of the visible screen. */
function placeOf({ ui: { router } }: TestScreen): string {
  return [router.tab, ...router.top.crumbs.slice(1)].filter((name) => name !== '').join(' › ');
}

test.each([
  ['the activity pane', 'tab', 'activity'],
  ['the row about conflicts', 'tab tab', 'conflicts'],
  ['the row of a job', '', 'jobs › photos'],
])(
  'Escape returns from the screen that was opened from %s to the first screen',
  async (_pane, keys, place) => {
    const screen = await start();
    await screen.press(`${keys} enter`);
    expect(placeOf(screen)).toBe(place);
    await screen.press('esc');
    expect(placeOf(screen)).toBe('dashboard');
    await screen.press('q');
    expect(screen.hasQuit).toBe(true);
  },
);

test('Escape does not return from a screen that the user has selected by its digit', async () => {
  const screen = await start();
  await screen.press('enter 1 4 esc');
  expect(placeOf(screen)).toBe('conflicts');
});

test('Escape returns from the screen of a job to the first screen, also after a key with a count', async () => {
  const screen = await start();
  await screen.press('enter');
  await screen.type('2j');
  expect(placeOf(screen)).toBe('jobs › photos');
  await screen.press('esc');
  expect(placeOf(screen)).toBe('dashboard');
});

test('Escape returns from the objects of a job to the job, and then to the first screen', async () => {
  const screen = await start();
  await screen.press('enter b');
  await screen.waitFor('IMG_0001.jpg');
  expect(placeOf(screen)).toBe('buckets › archive › 2026/07/');
  await screen.press('esc');
  expect(placeOf(screen)).toBe('jobs › photos');
  await screen.press('esc');
  expect(placeOf(screen)).toBe('dashboard');
});

test('Escape returns to the list of jobs after the user has opened the parent of the job prefix', async () => {
  const screen = await start();
  await screen.press('3 b');
  await screen.waitFor('IMG_0001.jpg');
  await screen.press('k enter');
  expect(placeOf(screen)).toBe('buckets › archive › 2026/');
  await screen.press('esc');
  expect(placeOf(screen)).toBe('jobs');
});

test('Escape returns to the folder from which the user went to a typed prefix', async () => {
  const screen = await start();
  await screen.press(':');
  await screen.type('bucket archive');
  await screen.press('enter');
  await screen.waitFor('2026/');
  await screen.press('g /');
  await screen.type('2026/07/thumbs/');
  await screen.press('enter');
  await screen.waitFor('1.jpg');
  expect(placeOf(screen)).toBe('buckets › archive › 2026/07/thumbs/');
  await screen.press('esc');
  expect(placeOf(screen)).toBe('buckets › archive');
});

test('Escape returns from the sizes of a folder to that folder', async () => {
  const screen = await start();
  await screen.press('3 b');
  await screen.waitFor('IMG_0001.jpg');
  await screen.press('z');
  expect(placeOf(screen)).toContain('sizes');
  await screen.press('esc');
  expect(placeOf(screen)).toBe('buckets › archive › 2026/07/');
});
