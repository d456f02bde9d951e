/** Tests of the first screen of the dashboard: its content and its requests to the daemon. */

import { afterEach, expect, test } from 'vitest';

import { FakeClock } from '../../helpers/fake-clock.ts';
import { jobAnswers, JOBS, jobsStatus } from '../../helpers/tui/job-seeds.ts';
import { startWithOneJob } from '../../helpers/tui/one-job.ts';
import { SeededDaemon } from '../../helpers/tui/seeded-daemon.ts';
import type { Answers } from '../../helpers/tui/seeded-daemon.ts';
import { TestScreen } from '../../helpers/tui/screen.ts';
import { NOW, seededJob, seededStatus } from '../../helpers/tui/seeds.ts';
import { heightsOf, widthsOf } from '../../../tui/screens/dashboard/arrangement.ts';

const open: TestScreen[] = [];

afterEach(async () => {
  for (const screen of open.splice(0)) await screen.close();
});

interface Start {
  readonly columns?: number;
  readonly rows?: number;
  readonly answers?: Answers;
}

async function start({ columns = 80, rows = 24, answers = {} }: Start = {}) {
  const daemon = new SeededDaemon({ ...jobAnswers, ...answers });
  const clock = new FakeClock(NOW);
  const screen = await new TestScreen({ columns, rows, clock, connect: daemon.connect }).start();
  open.push(screen);
  for (const [second, path] of ['2026/07/IMG_1.jpg', 'notes\u{1b}[31m.md'].entries()) {
    const did = { type: 'activity', job: 'photos', level: 'info', action: 'put' } as const;
    daemon.emit({ ...did, path, message: path }, NOW - 10_000 + second * 1_000);
  }
  await screen.tick();
  return { daemon, screen };
}

test.each([
  [80, 24],
  [120, 40],
  [150, 40],
  [200, 60],
  [60, 16],
])('the dashboard shows the first screen as in its snapshot at %i×%i', async (columns, rows) => {
  const { screen } = await start({ columns, rows });
  const text = await screen.waitFor('mirroring');
  await expect(text).toMatchFileSnapshot(`snapshots/dashboard-${columns}x${rows}.txt`);
});

test('the dashboard requests transfer rates every second during transfers, but not while the first screen is hidden', async () => {
  const { screen, daemon } = await start();
  const asked = () => daemon.asked.filter(({ method }) => method === 'throughput').length;
  const before = asked();
  await screen.tick(1_000);
  await screen.tick(1_000);
  expect(asked()).toBe(before + 2);
  await screen.press('8');
  const hidden = asked();
  await screen.tick(10_000);
  expect(asked()).toBe(hidden);
});

test('the dashboard requests the totals of an idle daemon once a minute', async () => {
  const idle = jobsStatus([seededJob()]);
  const { screen, daemon } = await start({
    answers: {
      status: () => idle,
      throughput: () => {
        const today = { since: NOW, bytes: 0, readBytes: 0, versions: 0, errors: 0 };
        return { samples: [], jobs: [], today };
      },
    },
  });
  const asked = () => daemon.asked.filter(({ method }) => method === 'throughput').length;
  const before = asked();
  for (let second = 0; second < 120; second += 10) await screen.tick(10_000);
  expect(asked()).toBe(before + 2);
});

test.each([
  [Date.UTC(2026, 10, 21), 'today ↑ 6.3 MB'],
  [Date.UTC(2026, 10, 21, 9, 5, 30), 'since 09:05 ↑ 6.3 MB'],
])(
  'the dashboard shows totals that the daemon has counted since %i as "%s"',
  async (since, shown) => {
    const today = { since, bytes: 6_300_000, readBytes: 1_000_000, versions: 0, errors: 0 };
    const throughput = () => ({ samples: [], jobs: [], today });
    const { screen } = await start({ answers: { throughput } });
    expect(await screen.waitFor(shown)).toContain('↓ 1 MB');
  },
);

test('the dashboard shows the transfer rate in the header, and hides it when no update arrives', async () => {
  const { screen, daemon } = await start();
  const progress = {
    share: 0.7,
    remainingFiles: 800,
    remainingBytes: 4e8,
    bytesPerSecond: 42_100_000,
    operationsPerSecond: 318,
  };
  daemon.emit({ type: 'job.transfers', job: 'photos', transfers: [], count: 0, progress });
  await screen.tick();
  expect(screen.text().split('\n')[0]).toContain('↑ 42.1 MB/s');
  await screen.tick(6_000);
  await screen.tick();
  expect(screen.text().split('\n')[0]).not.toContain('↑');
});

test('the dashboard shows the number of files found so far during the first scan of a job', async () => {
  const { screen, daemon } = await start();
  const { lastRoundAt: _, ...job } = seededJob({ state: 'scanning', inSync: false });
  const moving = { job: job.name, transfers: [], count: 0 };
  daemon.emit({ type: 'job.changed', job });
  daemon.emit({ type: 'job.transfers', ...moving, scanned: 1_203 });
  await screen.tickUntil('1,203 files found');
  await screen.press('tab enter');
  expect(await screen.waitFor('jobs › photos')).toContain('1,203 files found');
  daemon.emit({ type: 'job.changed', job: seededJob() });
  expect(await screen.tickUntil('100 %')).not.toContain('files found');
});

test('the dashboard selects the next pane with Tab and opens the selected row with Enter', async () => {
  const { screen } = await start();
  await screen.press('enter');
  await screen.waitFor('films/0000.mkv');
  await screen.press('esc');
  await screen.press('tab enter');
  await screen.waitFor('jobs › photos');
  await screen.press('esc');
  await screen.press('tab enter');
  await screen.waitFor('[8 Activity]');
  await screen.press('1 shift-tab j j enter');
  await screen.waitFor('jobs › home');
});

test('the dashboard shows a different word for each state of a job', async () => {
  const states = [
    'starting',
    'scanning',
    'mirroring',
    'watching',
    'paused',
    'waiting',
    'no room',
    'root missing',
    'clock',
    'held',
    'failed',
    'stopped',
  ] as const;
  const jobs = states.map((state, index) =>
    seededJob({ name: `job${index}`, state, inSync: false, reason: `since it is ${state}` }),
  );
  const { screen } = await start({ rows: 40, answers: { status: () => jobsStatus(jobs) } });
  const text = screen.text();
  for (const [index, state] of states.entries())
    expect(text).toMatch(new RegExp(`job${index} .* ${state} `));
  for (const state of ['paused', 'waiting', 'no room', 'root missing', 'clock', 'held', 'failed'])
    expect(text).toContain(`since it is ${state}`);
});

test('the dashboard keeps rows aligned for names with control characters and emoji', async () => {
  const bad = seededJob({
    name: 'x',
    folder: '/home/ada/a\n\u{202e}b\u{1b}[2J',
    bucket: 'x',
    prefix: '👨‍👩‍👧/',
  });
  const answers = { status: () => jobsStatus([bad, ...JOBS]) };
  const { screen } = await start({ columns: 120, answers });
  const text = screen.text();
  expect(text).toContain('a␊‹U+202E›');
  expect(
    text
      .split('\n')
      .find((line) => line.includes('␊'))
      ?.endsWith('│'),
  ).toBe(true);
});

test('the dashboard shows data as unknown instead of empty before the first connection', async () => {
  const daemon = new SeededDaemon(jobAnswers);
  daemon.stop();
  const screen = await new TestScreen({ connect: daemon.connect }).start();
  open.push(screen);
  const text = await screen.waitFor('daemon down');
  expect(text).not.toMatch(/no job yet|nothing needs attention/);
  expect(text).toContain('not known yet');
  await screen.press('3');
  await screen.waitFor('not known yet');
});

test('the dashboard shows the activity below a short list of jobs, and the key that reviews held changes, at 60×16', async () => {
  const { screen } = await start({ columns: 60, rows: 16 });
  const text = await screen.waitFor('Recent activity');
  expect(text).toContain('held       1,204 held (a)');
  expect(text).toContain('IMG_1.jpg');
});

test('the dashboard shows at 80×24 how many jobs the file watchers cover', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'];
  const jobs = names.map((name) => {
    return seededJob({ name, watch: name === 'a' ? 'not watching' : 'watching 100 %' });
  });
  const { screen } = await start({ answers: { status: () => ({ ...seededStatus(), jobs }) } });
  expect(await screen.waitFor('Health')).toMatch(/watch +● 11 of 12 jobs /);
});

test('the first screen shows the message of an activity entry beside the path, if both fit', async () => {
  const { daemon, screen } = await startWithOneJob();
  const hold = { type: 'activity', level: 'info', action: 'hold' } as const;
  const message = 'legal hold placed';
  daemon.emit({ ...hold, job: 'photos', path: 'a.jpg', message });
  daemon.emit({ ...hold, job: '', path: 'other/b.jpg', message });
  daemon.emit({ ...hold, job: 'photos', path: `${'long/'.repeat(20)}c.jpg`, message });
  await screen.tickUntil('c.jpg');
  const text = screen.text();
  expect(text).toContain('photos hold a.jpg  legal hold placed');
  expect(text).toMatch(/ {2}hold other\/b\.jpg {2}legal hold placed/);
  expect(text).toMatch(/photos hold long\/.*c\.jpg *│/);
});

test('the dashboard shows the health and the last restore test without truncated words at 60×16', async () => {
  const proof = JOBS.find((job) => job.proof?.lastProvenRestorableAt)?.proof;
  const jobs = [seededJob({ ...(proof && { proof }) })];
  const status = () => ({ ...seededStatus(), jobs });
  const answers = { status, 'alerts.list': () => ({ alerts: [] }) };
  const { screen } = await start({ columns: 60, rows: 16, answers });
  const text = await screen.waitFor('proven restorable');
  expect(text).toMatch(/watch +● 100 % +│/u);
  expect(text).toMatch(/proven restorable 2026-11-20 +│/u);
});

test("the dashboard omits the reason of a job's protection if it does not fit", async () => {
  const reason = '1,204 files are held for review since the folder was changed';
  const protection = { is: 'at risk', reason } as const;
  const jobs = [seededJob({ name: 'media', state: 'held', protection })];
  const status = () => ({ ...seededStatus(), jobs });
  const { screen } = await start({ columns: 60, rows: 16, answers: { status } });
  expect(await screen.waitFor('at risk: media')).toMatch(/● 1 folder is at risk: media\n/);
  await screen.resize(120, 40);
  await screen.waitFor(`at risk: media: ${reason}`);
});

test('the dashboard shows the last data while the daemon is down, and explains why actions are unavailable', async () => {
  const { screen, daemon } = await start();
  daemon.stop();
  await screen.waitFor('daemon down');
  expect(screen.text()).toContain('mirroring');
  await screen.press('p');
  await screen.waitFor('p is not available: the daemon is down');
  expect(daemon.lastOf('jobs.pause')).toBeUndefined();
  await screen.resize(120, 40);
  // The key that reviews held changes needs the daemon.
  expect(await screen.waitFor('was held')).toMatch(/was held +1,204 held +│/);
  daemon.down = undefined;
  await screen.press('r');
  await screen.waitFor('running');
});

test.each([
  ['a list of conflicts', '4', 'no conflicts'],
  ['the queue of a job', '3 enter', 'the queue is empty'],
  ['a list of alarms', '6', 'no alarms'],
  ['a list of clusters', '5', 'no clusters'],
  ['a list of locks', '7', 'no lock'],
  ['a list of buckets', '2', 'no buckets'],
])(
  'the dashboard does not show %s as empty if it was not loaded because the daemon is down',
  async (_list, keys, claim) => {
    const { screen, daemon } = await start();
    daemon.stop();
    await screen.waitFor('daemon down');
    await screen.press(keys);
    const text = await screen.waitFor('not loaded: the daemon is down');
    expect(text).not.toContain(claim);
  },
);

test.each([
  [12, 4, 2, { attention: 3, jobs: 6, charts: 0, activity: 3 }],
  [12, 1, 1, { attention: 2, jobs: 4, charts: 0, activity: 6 }],
  [12, 7, 2, { attention: 3, jobs: 9, charts: 0, activity: 0 }],
  [12, 2, 0, { attention: 0, jobs: 5, charts: 7, activity: 0 }],
  [20, 4, 3, { attention: 4, jobs: 6, charts: 6, activity: 4 }],
  [20, 40, 9, { attention: 6, jobs: 4, charts: 6, activity: 4 }],
  [36, 4, 2, { attention: 3, jobs: 6, charts: 14, activity: 13 }],
  [56, 4, 2, { attention: 3, jobs: 6, charts: 18, activity: 29 }],
  [12, 4, 4, { attention: 5, jobs: 7, charts: 0, activity: 0 }],
])(
  'the dashboard divides %i rows among the panes for %i jobs and %i rows of attention',
  (rows, jobs, attention, heights) => {
    expect(heightsOf(rows, { jobs, attention })).toEqual(heights);
    expect(Object.values(heights).reduce((sum, height) => sum + height, 0)).toBe(rows);
  },
);

test('the dashboard shows an idle chart as one line and uses its rows for the activity', async () => {
  const today = { since: NOW, bytes: 0, readBytes: 0, versions: 0, errors: 0 };
  const throughput = () => ({ samples: [], jobs: [], today });
  const { screen } = await start({ columns: 120, rows: 40, answers: { throughput } });
  const lines = (await screen.waitFor('Recent activity')).split('\n');
  const title = lines.findIndex((line) => line.includes('Throughput 60 s'));
  expect(lines[title + 1]).toMatch(/^│ ↑ +0 B\/s │/);
  expect(lines[title + 2]).toMatch(/^│ ops +0 \/s │/);
  expect(lines[title + 6]).toContain('Recent activity');
});

test.each([60, 80, 119, 120, 139, 140, 250])(
  'the dashboard fills exactly %i columns with the panes of the first screen',
  (columns) => {
    for (const charts of [7, 15]) {
      const { throughput, locks, health, isStacked, moving, activity } = widthsOf(columns, {
        charts,
      });
      expect(throughput + (isStacked ? 0 : locks) + health).toBe(columns);
      expect(moving + activity).toBe(columns);
    }
  },
);
