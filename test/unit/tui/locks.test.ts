/** Tests of the lock screen of the dashboard. */

import { afterEach, expect, test } from 'vitest';

import { lockAnswers, lockSummary } from '../../helpers/tui/lock-seeds.ts';
import { NOW } from '../../helpers/tui/seeds.ts';
import { SeededDaemon } from '../../helpers/tui/seeded-daemon.ts';
import { TestScreen } from '../../helpers/tui/screen.ts';

const open: TestScreen[] = [];

afterEach(async () => {
  for (const screen of open.splice(0)) await screen.close();
});

async function start(size: { columns?: number; rows?: number } = {}) {
  const daemon = new SeededDaemon(lockAnswers);
  const screen = await new TestScreen({ ...size, connect: daemon.connect }).start();
  open.push(screen);
  await screen.press('7');
  for (let turn = 0; turn < 3; turn += 1) await screen.tick();
  return { daemon, screen };
}

test.each([
  [80, 24],
  [120, 40],
])(
  'the dashboard shows locked versions, the ends of their locks and pending removals at %i×%i',
  async (columns, rows) => {
    const { screen } = await start({ columns, rows });
    const text = await screen.waitFor('old/IMG_1.jpg');
    await expect(text).toMatchFileSnapshot(`snapshots/locks-${columns}x${rows}.txt`);
  },
);

test('the dashboard explains the lock of the selected path', async () => {
  const { screen, daemon } = await start();
  await screen.press('tab tab tab w');
  await screen.press('enter');
  expect(await screen.waitFor('GOVERNANCE until 2026-12-03 12:00')).toContain(
    'the job renews its retention',
  );
  const path = '/home/ada/Photos/old/IMG_1.jpg';
  expect(daemon.lastOf('jobs.why')).toEqual({ job: path, path });
});

test('the dashboard shows the effect before the locks of a path are released, and the result afterwards', async () => {
  const { screen, daemon } = await start();
  await screen.press('L');
  await screen.type('/home/ada/Photos/2026/\r');
  const question = await screen.waitFor('Release /home/ada/Photos/2026?');
  expect(question).toContain('Its lock now: GOVERNANCE until 2026-12-03 12:00.');
  expect(question).toContain('No lock becomes shorter.');
  await screen.tick(400);
  await screen.press('n');
  expect(daemon.lastOf('jobs.release')).toBeUndefined();
  await screen.press('L');
  await screen.type('2026\r');
  await screen.tick(400);
  await screen.press('y');
  await screen.waitFor('released 2 versions: the first retention ends 2026-11-22 12:00');
  expect(daemon.lastOf('jobs.release')).toEqual({
    job: 'photos',
    paths: ['/home/ada/Photos/2026'],
  });
});

test('the dashboard sends no request if the user cancels the release of locks', async () => {
  const { screen, daemon } = await start();
  await screen.press('L esc');
  expect(screen.text()).not.toContain('Release');
  expect(daemon.lastOf('jobs.why')).toBeUndefined();
});

const NO_LOCKS: ReturnType<typeof lockSummary> = {
  modes: [],
  jobs: [],
  days: [],
  retained: [],
  renewalsDue: 0,
  retainedCount: 0,
  unopened: [],
  buckets: [],
};

async function startWith(
  summaryNow: ReturnType<typeof lockSummary>,
  size: { columns?: number; rows?: number } = {},
) {
  const started = await start(size);
  started.daemon.replace('locks.summary', () => summaryNow);
  await started.screen.press('r');
  await started.screen.tick();
  await started.screen.tickUntil('locks its versions');
  return started;
}

test('the dashboard reports that versions are not locked if no job sets locks and no bucket has object lock', async () => {
  const { screen } = await startWith(NO_LOCKS);
  const text = screen.text();
  expect(text).toContain('no job locks its versions; press e on a job');
  expect(text).toContain('no bucket of the embedded store has object lock');
});

test('the dashboard never reports that nothing is locked before each bucket with object lock is counted', async () => {
  const buckets = lockSummary().buckets.slice(1, 2);
  const { screen } = await startWith({ ...NO_LOCKS, buckets });
  const text = screen.text();
  expect(text).toContain('counting the locks in 1 bucket: only those of jobs so far');
  expect(text).toMatch(/photos +none +48,500 +… +…/);
  expect(text).toContain('no lock of a job ends');
  expect(text).not.toMatch(/no version is locked|no lock ends|are not locked/);
});

test('the dashboard shows the counted locks and legal holds of a bucket', async () => {
  const buckets = lockSummary().buckets.slice(0, 1);
  const { screen } = await startWith({ ...NO_LOCKS, buckets });
  const text = screen.text();
  expect(text).toContain('legal hold 2 versions');
  expect(text).toMatch(/archive +GOVERNANCE 30d +31 +30 +1/);
  expect(text).toContain('no lock ends');
});

test('the dashboard does not report zero locks for a bucket that has changed since its last count', async () => {
  const [bucket] = lockSummary().buckets;
  const counted = { at: NOW, hasChanged: true, modes: [], held: { versions: 0, bytes: 0 } };
  const { screen, daemon } = await start();
  const changed = { ...bucket!, counted };
  daemon.replace('locks.summary', () => ({ ...NO_LOCKS, buckets: [changed] }));
  await screen.press('r');
  const text = await screen.waitFor('changes since 2026-11-21 12:00 are not counted yet');
  expect(text).toMatch(/archive +GOVERNANCE 30d +31 +… +…/);
  expect(text).toContain('changed buckets are not counted yet');
  expect(text).not.toMatch(/no version is locked|no lock ends|locks its versions {3}/);
});

test('the dashboard shows the name of a job that is not open and does not count its locks', async () => {
  const { screen } = await startWith({ ...NO_LOCKS, unopened: ['photos'] });
  expect(screen.text()).toContain(
    'no open job locks its versions   not counted: photos (not open)',
  );
});

test('the dashboard shows the table of buckets with Tab on a small terminal and opens a bucket with Enter', async () => {
  const { screen } = await start({ columns: 60, rows: 16 });
  expect(screen.text()).not.toContain('archive');
  await screen.press('tab');
  expect(screen.text()).toMatch(/archive +GOVERNANCE 30d/);
  await screen.press('w');
  await screen.waitFor('no job is chosen');
  await screen.press('enter');
  await screen.waitFor('[2 Bkts]');
  expect(screen.text()).toContain('archive');
});

test.each([60, 80, 120])(
  'the dashboard shows the sums and a refused renewal in full above the lists of locks at %i columns',
  async (columns) => {
    const { screen } = await start({ columns, rows: 16 });
    const text = await screen.waitFor('Locks of jobs');
    const [, , ...lines] = text.split('\n');
    const head = lines.slice(
      0,
      lines.findIndex((line) => line.includes('Locks of jobs')),
    );
    expect(head.join('\n')).not.toContain('…');
    const words = head.map((line) => line.trim()).join(' ');
    expect(words).toMatch(
      /^papers\S+ locks cannot be renewed: AccessDenied: may not extend GOVERN/,
    );
    expect(words).toMatch(/waiting 150/);
    expect(words).toMatch(/only those of jobs so far$/);
  },
);

test('the dashboard shows the ends of locks in calendar days, without truncated bars or titles at 60×16', async () => {
  const { screen } = await start({ columns: 60, rows: 16 });
  const text = await screen.waitFor('Ends by day (UTC)');
  expect(text).toContain('Retained queue  2 of 150');
  expect(text.slice(text.indexOf('Ends by day'))).not.toContain('…');
  await screen.resize(120, 40);
  expect(await screen.waitFor('2026-11-22')).toMatch(/2026-11-22 +1 d /);
  expect(screen.text()).toMatch(/2026-12-03 +12 d /);
});

test('the dashboard refuses to change the time span of a chart that does not fit in the terminal', async () => {
  const { screen } = await start({ columns: 60, rows: 16 });
  expect(screen.text().split('\n').at(-1)).not.toContain('span');
  await screen.press('+');
  await screen.waitFor('+ is not available: the chart needs a higher terminal');
});
