/** Tests of the review of held changes that are in several folders. */

import { expect, test } from 'vitest';

import type { Answers } from '../../helpers/tui/seeded-daemon.ts';
import { startJobs } from '../../helpers/tui/jobs-screen.ts';
import { DIGEST } from '../../helpers/tui/job-seeds.ts';

const none = { overwrites: 0, renames: 0 };
const GROUPS = [
  { folder: '', isDirect: true, deletes: 0, overwrites: 4, renames: 0, bytes: 9_000 },
  { folder: 'films/', isDirect: false, deletes: 1_200, ...none, bytes: 1_700_000_000_000 },
  { folder: 'music/', isDirect: false, deletes: 30, overwrites: 0, renames: 2, bytes: 640_000_000 },
];
const TOTAL = 1_236;

const answers: Answers = {
  'jobs.review': ({ within }) => ({
    changes: [
      { path: `${within?.folder ?? ''}first.mkv`, change: 'delete' as const, bytes: 1_400_000_000 },
    ],
    total: TOTAL,
    digest: DIGEST,
    groups: GROUPS,
    reason: '1232 deletes are held',
  }),
  'jobs.approve': () => ({ deletes: 1_230, overwrites: 4, renames: 2 }),
  'jobs.reject': () => ({ deletes: 1_230, overwrites: 4, renames: 2 }),
};

async function startReview(given: Answers = answers) {
  const started = await startJobs({ answers: given });
  await started.screen.press('j j j a');
  await started.screen.waitFor('held, ');
  return started;
}

test('the dashboard groups many held changes by folder with their counts and sizes', async () => {
  const { screen } = await startReview();
  const text = await screen.waitFor('Held changes by folder');
  expect(text).toContain('1,236 changes held, 1.7 TB');
  expect(text).toMatch(/files in the job's folder +4 overwrites +9 kB/);
  expect(text).toMatch(/films\/ +1,200 deletes +1\.7 TB/);
  expect(text).toMatch(/music\/ +30 deletes, 2 renames +640 MB/);
});

test('the dashboard opens the held changes of a folder with the size of each', async () => {
  const { screen, daemon } = await startReview();
  await screen.press('j j enter');
  const text = await screen.waitFor('music/first.mkv');
  expect(text).toContain('media › held › music/');
  expect(text).toContain('music/  30 deletes, 2 renames, 640 MB');
  expect(text).toMatch(/delete +music\/first\.mkv +1\.4 GB/);
  const within = { folder: 'music/', isDirect: false };
  expect(daemon.lastOf('jobs.review')).toMatchObject({ name: 'media', within });
  await screen.press('esc');
  await screen.waitFor('Held changes by folder');
});

test.each([
  ['a', 'jobs.approve', 'approved'],
  ['z', 'jobs.reject', 'rejected'],
] as const)(
  'the dashboard decides about all held changes with %s in one folder, and closes the review',
  async (key, method, said) => {
    const { screen, daemon } = await startReview();
    await screen.press(`j enter ${key}`);
    await screen.waitFor('1,230 deletes, 4 overwrites, 2 renames (1.7 TB) will be');
    await screen.press('y');
    const text = await screen.waitFor(said);
    expect(daemon.lastOf(method)).toBeDefined();
    expect(text).toContain('FOLDER → BUCKET');
  },
);

test('the dashboard lists a few held changes without grouping them', async () => {
  const few = GROUPS.map((group) =>
    Object.assign({}, group, { deletes: 1, overwrites: 0, renames: 0 }),
  );
  const { screen } = await startReview({
    'jobs.review': () => ({
      changes: few.map(({ folder, bytes }) => ({ path: `${folder}f`, change: 'delete', bytes })),
      total: few.length,
      digest: DIGEST,
      groups: few,
    }),
  });
  expect(await screen.waitFor('films/f')).toMatch(/delete +music\/f +640 MB/);
});
