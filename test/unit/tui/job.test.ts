/** Tests of the screen of one job: its transfers, its queue, and the review of held changes. */

import { expect, test } from 'vitest';

import { DIGEST, jobAnswers, JOBS, jobsStatus } from '../../helpers/tui/job-seeds.ts';
import { startJobs } from '../../helpers/tui/jobs-screen.ts';
import { NOW, seededJob, seededStatus } from '../../helpers/tui/seeds.ts';
import type { Ui } from '../../../tui/ui/ui.ts';
import { JobScreen } from '../../../tui/screens/jobs/job-screen.ts';
import { widthOf } from '../../../tui/text/width.ts';
import { ReviewScreen } from '../../../tui/screens/jobs/review-screen.ts';

const transfers = [
  {
    path: '2026/07/video.mp4',
    kind: 'put',
    sizeBytes: 4_000_000_000,
    sentBytes: 1_000_000_000,
    startedAt: NOW - 40_000,
  },
  { path: 'a\nb.jpg', kind: 'get', sentBytes: 20, startedAt: NOW },
] as const;

test.each([
  [80, 24],
  [120, 40],
])(
  'the dashboard shows the list of jobs and the screen of one job as in their snapshots at %i×%i',
  async (columns, rows) => {
    const { screen, daemon } = await startJobs({ columns, rows });
    const size = `${columns}x${rows}`;
    await expect(screen.text()).toMatchFileSnapshot(`snapshots/jobs-${size}.txt`);
    const [{ progress }] = JOBS as [(typeof JOBS)[number]];
    const moving = { job: 'photos', transfers: [...transfers], count: 340, progress };
    daemon.emit({ type: 'job.transfers', ...moving });
    await screen.tick();
    await screen.press('enter');
    await expect(await screen.waitFor('video.mp4')).toMatchFileSnapshot(
      `snapshots/job-moving-${size}.txt`,
    );
    await screen.press('tab');
    await expect(await screen.waitFor('permission denied')).toMatchFileSnapshot(
      `snapshots/job-queue-${size}.txt`,
    );
  },
);

test('the dashboard marks the active tab of a job at 60×16, and states how many transfers are not listed', async () => {
  const { screen, daemon } = await startJobs({ columns: 60, rows: 16 });
  const [{ progress }] = JOBS as [(typeof JOBS)[number]];
  const moving = { job: 'photos', transfers: [...transfers], count: 340, progress };
  daemon.emit({ type: 'job.transfers', ...moving });
  await screen.tick();
  await screen.press('enter');
  const text = await screen.waitFor('338 more are not listed');
  expect(text).toContain('[Transfers 340]');
  await screen.press('tab');
  expect(await screen.waitFor('[Queue 100,003]')).toContain('Transfers  [Queue 100,003]  Locks');
});

test('the dashboard shows the details of a job in full, and the position in them, at 60×16', async () => {
  const answers = { status: () => jobsStatus([seededJob()]) };
  const { screen } = await startJobs({ columns: 60, rows: 16, answers, until: 'watching' });
  await screen.press('enter tab tab tab');
  const text = await screen.waitFor('1 of 10');
  expect(text.replaceAll(/[\s│]+/g, ' ')).toContain('the store is on the same disk as the folder');
});

test('the dashboard names the conflicts of a job in the list at 60×16', async () => {
  const counts = { ...seededJob().counts, conflicts: 1 };
  const answers = { status: () => jobsStatus([seededJob({ counts })]) };
  const { screen } = await startJobs({ columns: 60, rows: 16, answers, until: 'watching' });
  expect(screen.text()).toMatch(/photos .* watching +1 conflict/);
});

test('the dashboard shows when a failed path is tried again at 80×24', async () => {
  const { screen } = await startJobs();
  await screen.press('enter');
  expect(await screen.waitFor('permission denied')).toMatch(/UNTIL.*\n.*2026-11-21 12:01/);
});

test('the dashboard selects each list on the screen of a job with Tab', async () => {
  const { screen } = await startJobs();
  await screen.press('enter tab');
  expect(await screen.waitFor('current versions')).toContain('old.mkv');
  await screen.press('tab');
  await screen.waitFor('full, bucket');
  await screen.press('tab');
  await screen.waitFor('restorable');
});

test('the dashboard shows when a job on a remote service last compared its folder with the bucket', async () => {
  const job = seededJob({ target: 'eu', comparedAt: NOW });
  const answers = { status: () => jobsStatus([job]) };
  const { screen } = await startJobs({ answers, until: 'watching' });
  await screen.press('enter tab tab tab');
  expect(await screen.waitFor('the whole bucket')).toMatch(
    /compared\s+\d{4}-\d{2}-\d{2} \d{2}:\d{2}/,
  );
});

test('the dashboard loads a queue of a hundred thousand problems in pages and filters it by reason', async () => {
  const { screen, daemon } = await startJobs();
  await screen.press('enter');
  await screen.waitFor('1 of 1,000+');
  expect(screen.text()).toContain('raw/00000␊‹U+202E›gpj.exe');
  await screen.type('G');
  await screen.waitFor('100,003 of 100,003');
  await screen.press('f');
  await screen.waitFor('[error 100,000]');
  await screen.press('f');
  await screen.waitFor('notes.md');
  expect(daemon.lastOf('jobs.queue')).toEqual({ name: 'photos', reason: 'conflict', limit: 1_000 });
  await screen.press('enter');
  await screen.waitFor('[4 Conflicts]');
});

test('Enter on a path that another client changed, or on a held change, opens the versions of the object', async () => {
  const counts = { error: 0, conflict: 0, held: 0, drifted: 1, busy: 0, waiting: 0, retained: 0 };
  const rows = [
    { path: 'theirs.md', reason: 'drifted', detail: 'another client wrote it' } as const,
  ];
  const { screen } = await startJobs({ answers: { 'jobs.queue': () => ({ rows, counts }) } });
  await screen.press('enter');
  await screen.waitFor('theirs.md');
  await screen.press('enter');
  await screen.waitFor('photos › theirs.md › versions');
  await screen.press('esc esc j j j a');
  await screen.waitFor('films/0000.mkv');
  await screen.press('enter');
  await screen.waitFor('films/0000.mkv › versions');
});

test('the dashboard approves held changes with the digest of the list that the user saw', async () => {
  const { screen, daemon } = await startJobs({
    answers: { 'jobs.approve': () => ({ deletes: 1_204, overwrites: 0, renames: 0 }) },
  });
  await screen.press('a');
  await screen.waitFor('a is not available: no changes are held for review');
  await screen.press('j j j a');
  await screen.waitFor('films/0000.mkv');
  await screen.press('a enter');
  expect(daemon.lastOf('jobs.approve')).toBeUndefined();
  await screen.press('a');
  await screen.waitFor('1,204 deletes (1.69 TB) will be applied');
  await screen.press('y');
  expect(daemon.lastOf('jobs.approve')).toEqual({ name: 'media', digest: DIGEST });
  await screen.waitFor('approved 1,204 deletes');
});

test.each([
  [80, 24],
  [120, 40],
])(
  'the dashboard shows signs of an attack first in the review of held changes at %i×%i',
  async (columns, rows) => {
    const review = jobAnswers['jobs.review'];
    const { screen } = await startJobs({
      columns,
      rows,
      answers: {
        'jobs.review': async (params) => ({
          ...(await review!(params)),
          signs: { since: NOW - 600_000, reason: '812 files lost their content in 2 min' },
          passed: { before: NOW - 660_000, deletes: 49 },
        }),
      },
    });
    await screen.press('j j j a');
    const text = await screen.waitFor('films/0000.mkv');
    await expect(text).toMatchFileSnapshot(`snapshots/review-${columns}x${rows}.txt`);
  },
);

test('the dashboard writes one held delete in the singular in the review', async () => {
  const review = jobAnswers['jobs.review'];
  const passed = { before: NOW - 660_000, deletes: 1 };
  const { screen } = await startJobs({
    answers: { 'jobs.review': async (params) => ({ ...(await review!(params)), passed }) },
  });
  await screen.press('j j j a');
  await screen.waitFor('1 delete was mirrored before the other deletes were held');
});

test('the dashboard shows six held changes in the review at 60×16', async () => {
  const review = jobAnswers['jobs.review'];
  const passed = { before: NOW - 660_000, deletes: 49 };
  const { screen } = await startJobs({
    columns: 60,
    rows: 16,
    answers: { 'jobs.review': async (params) => ({ ...(await review!(params)), passed }) },
  });
  await screen.press('j j j a');
  const text = await screen.waitFor('films/0000.mkv');
  expect(text.match(/films\/\d{4}\.mkv/g)).toHaveLength(6);
  expect(text).toContain('1,204 deletes are held');
  expect(text).toContain('a applies the changes; z keeps the objects');
});

test('the dashboard refuses to approve changes that were held after the review was loaded', async () => {
  let digest = DIGEST;
  const review = jobAnswers['jobs.review'];
  const { screen, daemon } = await startJobs({
    answers: { 'jobs.review': async (params) => ({ ...(await review!(params)), digest }) },
  });
  await screen.press('j j j a');
  await screen.waitFor('films/0000.mkv');
  digest = 'another';
  const media = seededJob(JOBS.find(({ name }) => name === 'media'));
  daemon.emit({ type: 'job.changed', job: { ...media, counts: { ...media.counts, held: 1_501 } } });
  await screen.waitFor('the held changes have changed');
  await screen.press('a');
  await screen.waitFor('the list is outdated: press r to reload');
  expect(daemon.lastOf('jobs.approve')).toBeUndefined();
});

test('the dashboard rejects held changes after a question that states their number', async () => {
  const { screen, daemon } = await startJobs({
    answers: { 'jobs.reject': () => ({ deletes: 1_204, overwrites: 0, renames: 0 }) },
  });
  await screen.press('j j j z');
  await screen.waitFor('1,204 deletes (1.69 TB) will be dropped');
  await screen.press('y');
  await screen.waitFor('to bring the files back, press t and then F');
  expect(daemon.lastOf('jobs.reject')).toEqual({ name: 'media' });
});

test.each([
  ['the queue', (ui: Ui) => new JobScreen(ui, 'photos'), 'j', 'permission denied'],
  ['the list of sync rounds', (ui: Ui) => new JobScreen(ui, 'photos'), 'tab tab', 'full, bucket'],
  ['the list of held changes', (ui: Ui) => new ReviewScreen(ui, 'media'), 'j', 'films/0000.mkv'],
])(
  'the dashboard loads %s, opened while the daemon is down, once the daemon is available',
  async (_what, make, keys, shown) => {
    const { screen, daemon } = await startJobs();
    daemon.stop();
    await screen.waitFor('daemon down');
    screen.ui.router.open(make(screen.ui));
    await screen.press(keys);
    expect(screen.text()).not.toContain(shown);
    daemon.down = undefined;
    await screen.press('r');
    await screen.waitFor(shown);
  },
);

test('the dashboard reports on the screen of a job that the job was removed', async () => {
  const { screen, daemon } = await startJobs();
  await screen.press('enter');
  daemon.emit({ type: 'job.removed', name: 'photos' });
  await screen.tick();
  await screen.waitFor('job photos was removed');
  await screen.press('p');
  await screen.waitFor('no job is chosen');
});

test.each([140, 160])(
  'the dashboard fills exactly %i columns with the panes of a job',
  async (columns) => {
    const { screen } = await startJobs({ columns, rows: 40 });
    await screen.press('enter');
    await screen.waitFor('permission denied');
    const body = screen.text().split('\n').slice(6, 36);
    expect(new Set(body.map((line) => widthOf(line)))).toEqual(new Set([columns]));
    expect(body.every((line) => /[│╮╯]$/u.test(line))).toBe(true);
  },
);

test('the dashboard shows that a job with conflicts is in sync except for the conflicts', async () => {
  const { counts } = seededJob();
  const job = seededJob({ counts: { ...counts, conflicts: 2 } });
  const { screen } = await startJobs({
    answers: { status: () => ({ ...seededStatus(), jobs: [job] }) },
    until: '2 conflicts',
  });
  const whole = /in sync(?! except for 2 conflicts)/;
  expect(screen.text()).not.toMatch(whole);
  await screen.press('w');
  expect(await screen.waitFor('Why is photos')).toContain(
    '2 files changed here and in the bucket (conflict)',
  );
  await screen.press('esc 1');
  const text = await screen.waitFor('Throughput');
  expect(text.match(/in sync except for/g)).toHaveLength(2);
  expect(text).not.toMatch(whole);
});
