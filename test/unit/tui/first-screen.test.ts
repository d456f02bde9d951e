/**
 * Tests of the first screen: its summary of all jobs, its welcome text, and its charts of longer
 * time spans.
 */

import { expect, onTestFinished, test } from 'vitest';

import { FakeClock } from '../../helpers/fake-clock.ts';
import { jobAnswers, jobsStatus } from '../../helpers/tui/job-seeds.ts';
import { TestScreen } from '../../helpers/tui/screen.ts';
import { SeededDaemon } from '../../helpers/tui/seeded-daemon.ts';
import type { Answers } from '../../helpers/tui/seeded-daemon.ts';
import { NOW, seededJob } from '../../helpers/tui/seeds.ts';
import { verdictOf } from '../../../tui/screens/dashboard/verdict.ts';

type Size = readonly [columns: number, rows: number];
const SIZES: readonly Size[] = [
  [60, 16],
  [80, 24],
  [120, 40],
  [200, 60],
];

async function start([columns, rows]: Size, answers: Answers = {}) {
  const daemon = new SeededDaemon({ ...jobAnswers, ...answers });
  const clock = new FakeClock(NOW);
  const screen = await new TestScreen({ columns, rows, clock, connect: daemon.connect }).start();
  onTestFinished(() => screen.close());
  await screen.tick();
  return { daemon, screen };
}

const safe = (name: string, folder: string) =>
  seededJob({ name, folder, protection: { is: 'protected' }, lastRoundAt: NOW - 12_000 });
const kept = (name: string, folder: string) =>
  seededJob({ name, folder, protection: { is: 'kept' }, lastRoundAt: NOW - 12_000 });
const onlyInBucket = (name: string, rejectedDeletes: number) => ({
  ...safe(name, `/${name}`),
  brake: { rejectedOverwrites: 0, rejectedDeletes },
});
const risky = (name: string) =>
  seededJob({
    name,
    folder: `/${name}`,
    protection: { is: 'at risk', reason: '3 files in conflict' },
  });
const unknown = seededJob({
  name: 'new',
  protection: { is: 'unknown', reason: 'no restore test has passed yet' },
});

test.each([
  [[safe('a', '/a')], 'good', 'The folder is protected. Last checked 12 s ago.'],
  [
    [safe('a', '/a'), safe('b', '/b'), safe('c', '/c')],
    'good',
    'All 3 folders are protected. Last checked 12 s ago.',
  ],
  [
    [safe('a', '/a'), safe('a@eu', '/a')],
    'good',
    'The folder is protected. Last checked 12 s ago.',
  ],
  [
    [kept('a', '/a'), kept('b', '/b')],
    'attention',
    'Both folders are kept against mistakes only. Last checked 12 s ago.',
  ],
  [
    [safe('a', '/a'), kept('b', '/b')],
    'attention',
    '1 folder is kept against mistakes only. Last checked 12 s ago.',
  ],
  [
    [onlyInBucket('a', 56), onlyInBucket('b', 1)],
    'attention',
    'Both folders are protected. 57 files are only in the bucket, because their deletion was rejected. Last checked 12 s ago.',
  ],
  [[safe('a', '/a'), risky('b')], 'bad', '1 folder is at risk: b: 3 files in conflict'],
  [
    [risky('a'), risky('b'), unknown],
    'bad',
    '2 folders are at risk: a: 3 files in conflict, and 1 more',
  ],
  [
    [safe('a', '/a'), unknown],
    'attention',
    '1 folder is of unknown protection: new: no restore test has passed yet',
  ],
] as const)('the dashboard summarizes the state of all jobs (%#): %s', (jobs, tone, text) => {
  expect(verdictOf(jobs, NOW)).toMatchObject({ tone, text });
});

test('the summary of files that are only in the bucket fits in 80 columns', () => {
  const jobs = [kept('a', '/a'), { ...kept('b', '/b'), brake: onlyInBucket('b', 120).brake }];
  const short = 'Both folders are kept against mistakes only; 120 files only in the bucket.';
  expect(verdictOf(jobs, NOW)).toMatchObject({ short });
  expect(short.length).toBeLessThanOrEqual(76);
  expect(verdictOf(jobs, NOW, 'last seen 10:42')).toMatchObject({
    tone: 'attention',
    text: `Daemon down. Last seen 10:42: ${short}`,
    short: `Last seen 10:42: ${short}`,
  });
});

test('the dashboard summarizes a paused job as paused, also in the short text', () => {
  const job = seededJob({ name: 'docs', state: 'paused', reason: 'since 14:03', lagMs: 1 });
  const start = '1 folder is of unknown protection: docs (paused)';
  expect(verdictOf([job], NOW)).toMatchObject({
    text: `${start}: the job is paused since 14:03 and backs up no changes`,
    short: start,
  });
});

test('the dashboard shows no summary without jobs', () => {
  expect(verdictOf([], NOW)).toBeUndefined();
});

const EMPTY: Answers = { status: () => jobsStatus([]), 'alerts.list': () => ({ alerts: [] }) };

test.each(SIZES)(
  'the dashboard shows the welcome text of an empty home as in its snapshot at %i×%i',
  async (...size) => {
    const { screen } = await start(size, EMPTY);
    const text = await screen.waitFor('Welcome to Holdfast');
    expect(text).toMatch(/\n.*n +back up a folder.*\n/);
    expect(text).toMatch(/q quit$/m);
    await expect(text).toMatchFileSnapshot(`snapshots/welcome-${size.join('x')}.txt`);
  },
);

test('the dashboard asks for the bucket to restore from after the key t in an empty home', async () => {
  const { screen } = await start([80, 24], EMPTY);
  await screen.press('t');
  await screen.waitFor('bucket (or target:bucket):');
});

test('the dashboard shows recorded values of longer and shorter time spans after + and -', async () => {
  const { screen, daemon } = await start([120, 40]);
  await screen.press('+');
  expect(await screen.waitFor('─ Last hour ─')).toContain('throughput  now');
  expect(daemon.lastOf('throughput.series')).toMatchObject({ span: 'hour' });
  await screen.press('+ + + +');
  await screen.waitFor('─ Last 30 days ─');
  expect(daemon.lastOf('throughput.series')).toMatchObject({ span: 'month' });
  await screen.press('- - - -');
  await screen.waitFor('─ Throughput 60 s ─');
});

test.each(SIZES)(
  'the dashboard shows the charts of a job as in their snapshot at %i×%i',
  async (...size) => {
    const { screen } = await start(size);
    await screen.press('tab c');
    const text = await screen.waitFor('throughput  now');
    expect(text).toContain('charts › photos');
    await expect(text).toMatchFileSnapshot(`snapshots/charts-${size.join('x')}.txt`);
  },
);

test('the dashboard selects the charts of the next job with Tab and a longer time span with +', async () => {
  const { screen, daemon } = await start([80, 24]);
  await screen.press('tab c');
  await screen.waitFor('throughput  now');
  expect(daemon.lastOf('throughput.series')).toMatchObject({ job: 'photos', span: 'hour' });
  await screen.press('tab +');
  await screen.waitFor('─ logs  1 day ─');
  await screen.waitFor('throughput  now');
  expect(daemon.lastOf('throughput.series')).toMatchObject({ job: 'logs', span: 'day' });
  await screen.press('shift-tab shift-tab');
  await screen.waitFor('─ All jobs  1 day ─');
});

test('the dashboard shows a message in place of charts before the first minute is recorded', async () => {
  const { screen } = await start([80, 24], {
    'throughput.series': () => ({
      from: NOW - 120_000,
      stepMs: 60_000,
      to: NOW,
      values: [null, null],
    }),
  });
  await screen.press('c');
  await screen.waitFor('no values yet');
});

test.each([60, 80])(
  'the dashboard keeps Enter, q and ? in the footer at %i columns',
  async (columns) => {
    const { screen } = await start([columns, 24]);
    for (const tab of ['1', '2', '3', '4', '6', '7', '8']) {
      await screen.press(tab);
      const footer = screen.text().trimEnd().split('\n').at(-1) ?? '';
      const hasRows = tab === '1' || tab === '3';
      for (const hint of ['? help', ...(hasRows ? ['Enter open'] : []), 'q quit']) {
        expect(footer).toContain(hint);
      }
    }
  },
);

test('the dashboard shows the whole header at 60 columns, with a dot for the running daemon', async () => {
  const { screen, daemon } = await start([60, 16]);
  const counts = { ...seededJob().counts, conflicts: 12 };
  daemon.emit({ type: 'job.changed', job: seededJob({ counts }) });
  const [header = ''] = (await screen.tickUntil('12 conflicts')).split('\n');
  expect(header).not.toContain('…');
});
