/**
 * Tests of the activity screen: following new lines, scrolling, filtering by level, and exporting.
 */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, expect, test } from 'vitest';

import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { SeededDaemon } from '../../helpers/tui/seeded-daemon.ts';
import { TestScreen } from '../../helpers/tui/screen.ts';
import { NOW, seededJob, seededStatus } from '../../helpers/tui/seeds.ts';

const DAY_MS = 86_400_000;

const open: TestScreen[] = [];

afterEach(async () => {
  for (const screen of open.splice(0)) await screen.close();
});

async function start(size: { columns?: number; rows?: number } = {}) {
  const daemon = new SeededDaemon({ status: seededStatus });
  const folder = temporaryFolder('activity');
  const outside = { folder };
  const screen = await new TestScreen({ ...size, connect: daemon.connect, outside }).start();
  open.push(screen);
  await screen.press('8');
  return { daemon, screen, folder };
}

function logTransfers(daemon: SeededDaemon, count: number, from = 0): void {
  for (let each = from; each < from + count; each += 1) {
    const level = each % 10 === 3 ? 'error' : each % 10 === 6 ? 'warn' : 'info';
    const what = { job: 'photos', action: 'put', path: `2026/IMG_${each}.jpg` };
    const message = level === 'info' ? `put 2026/IMG_${each}.jpg` : 'put: 503 SlowDown';
    daemon.emit({ type: 'activity', level, ...what, message }, NOW + each * 1_000);
  }
}

test.each([
  [80, 24],
  [120, 40],
])('the dashboard shows the activity screen as in its snapshot at %i×%i', async (columns, rows) => {
  const { daemon, screen } = await start({ columns, rows });
  logTransfers(daemon, 30);
  await screen.tick();
  const size = `${columns}x${rows}`;
  await expect(screen.text()).toMatchFileSnapshot(`snapshots/activity-${size}.txt`);
});

test.each([
  [60, 16],
  [80, 24],
])(
  'the dashboard shows the whole path and a sign for the level of an activity line at %i×%i',
  async (columns, rows) => {
    const { daemon, screen } = await start({ columns, rows });
    const did = { type: 'activity', job: 'photos', action: 'put' } as const;
    const path = 'notes of November 21.txt';
    daemon.emit({ ...did, level: 'info', path, message: 'put: done' }, NOW);
    daemon.emit({ ...did, level: 'error', path, message: '503 SlowDown' }, NOW + 1_000);
    await screen.tick();
    const text = await screen.waitFor(`${path}  503`);
    expect(text).toContain(`${path}  put: done`);
    expect(text).toMatch(/❯!.*503 SlowDown/);
    expect(text.includes('LEVEL')).toBe(columns === 80);
  },
);

test('the dashboard shows the names of the jobs in activity lines only if there are several jobs', async () => {
  const { daemon, screen } = await start({ columns: 60, rows: 16 });
  const did = { type: 'activity', level: 'info', action: 'put' } as const;
  const path = 'notes of November 21.txt';
  for (const job of ['photos', 'home']) daemon.emit({ ...did, job, path, message: 'done' }, NOW);
  await screen.tick();
  expect(await screen.waitFor('home')).toContain('photos');
  expect(screen.text()).not.toContain('LEVEL');
});

test('the dashboard lists sync rounds from before the start of the daemon above later activity, in order of time', async () => {
  const { startedAt } = seededStatus();
  const round = (number: number, versions: number, endedAt: number) => {
    const found = { number, rounds: 1, actions: 1, bytes: 3_000, deletes: 2 };
    return { ...found, kind: 'full', versions, startedAt: endedAt, endedAt } as const;
  };
  const jobs = [seededJob(), seededJob({ name: 'broken' })];
  const daemon = new SeededDaemon({
    status: () => ({ ...seededStatus(), jobs }),
    'jobs.history': ({ name }) => {
      if (name === 'broken') throw new Error('the folder is gone');
      return {
        rounds: [
          [3, NOW],
          [2, startedAt - 1],
          [1, startedAt - DAY_MS],
        ].map(([number = 0, at = 0]) => round(number, number, at)),
      };
    },
  });
  const screen = await new TestScreen({ connect: daemon.connect }).start();
  open.push(screen);
  await screen.press('8');
  await screen.waitFor('11-17');
  logTransfers(daemon, 1);
  await screen.tick();
  const text = await screen.waitFor('IMG_0.jpg');
  const first = text.indexOf('07:48 1 version, 3 kB, 2 del');
  const second = text.indexOf('07:47 2 versions');
  expect([first > 0, first < second, second < text.indexOf('IMG_0')]).toEqual([true, true, true]);
  expect(text).not.toContain('3 versions');
  expect(daemon.lastOf('jobs.history')).toMatchObject({ onlyChanges: true });
});

test('the dashboard lists the activity that earlier daemons logged, and no other lines of the log', async () => {
  const { startedAt } = seededStatus();
  const line = (at: number, fields: object) =>
    JSON.stringify({ level: 'info', time: new Date(at).toISOString(), area: 'mirror', ...fields });
  const about = { job: 'photos', action: 'hold' };
  const daemon = new SeededDaemon({
    status: seededStatus,
    'jobs.history': () => ({ rounds: [] }),
    'log.tail': () => ({
      lines: [
        line(startedAt - DAY_MS, { ...about, path: 'a.txt', msg: 'legal hold placed' }),
        line(startedAt - 2, { level: 'error', job: 'photos', action: 'alarm', msg: 'an attack' }),
        line(startedAt - 1, { msg: 'daemon: stopped' }),
        line(startedAt + 1, { ...about, msg: 'of this daemon' }),
        '{"level":"info","time":"20',
        'null',
      ],
    }),
  });
  const screen = await new TestScreen({ connect: daemon.connect }).start();
  open.push(screen);
  await screen.press('8');
  const text = await screen.waitFor('2 of 2');
  expect(text).toMatch(/11-17 +photos +info +hold +a\.txt {2}07:48 legal hold placed/);
  expect(text).toMatch(/!11-18 +photos +error +alarm +07:47 an attack/);
  expect(text).not.toContain('stopped');
  expect(text).not.toContain('of this daemon');
});

test('the dashboard follows new activity lines until the user scrolls up', async () => {
  const { daemon, screen } = await start();
  logTransfers(daemon, 30);
  await screen.tick();
  await screen.waitFor('30 of 30');
  logTransfers(daemon, 5, 30);
  await screen.tick();
  expect(await screen.waitFor('35 of 35')).toContain('following');
  await screen.press('k');
  logTransfers(daemon, 5, 35);
  await screen.tick();
  expect(await screen.waitFor('34 of 40')).toContain('not following');
  await screen.press('f');
  expect(await screen.waitFor('40 of 40')).toContain('following');
});

test('the dashboard selects the previous and next error and filters the activity by level with keys', async () => {
  const { daemon, screen } = await start();
  logTransfers(daemon, 30);
  await screen.tick();
  await screen.press('[');
  await screen.waitFor('24 of 30');
  await screen.press('[ ]');
  await screen.waitFor('24 of 30');
  await screen.press('] ]');
  await screen.waitFor('no error after this one');
  await screen.tick(6_000);
  await screen.press('L L');
  await screen.waitFor('of 3');
});

test('the dashboard shows an activity entry in full after Enter', async () => {
  const { daemon, screen } = await start();
  const message = `put: 503 ${'SlowDown '.repeat(20)}what was written is kept`;
  const what = { job: 'photos', action: 'put', path: '2026/IMG_1.jpg' };
  daemon.emit({ type: 'activity', level: 'error', ...what, message }, NOW);
  await screen.tick();
  await screen.waitFor(/IMG_1\.jpg {2}put: 503 SlowDown .*…/);
  await screen.press('enter');
  const text = await screen.waitFor('path     2026/IMG_1.jpg');
  expect(text.replaceAll(/[\s│]+/g, ' ')).toContain('SlowDown what was written is kept');
});

test('the dashboard exports the activity to a new file with mode 0600 and overwrites no existing file', async () => {
  const { daemon, screen, folder } = await start();
  logTransfers(daemon, 30);
  await screen.tick();
  await screen.press('L L X enter');
  await screen.waitFor('exported 3 lines');
  const path = join(folder, 'activity.jsonl');
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).path)).toEqual([
    '2026/IMG_3.jpg',
    '2026/IMG_13.jpg',
    '2026/IMG_23.jpg',
  ]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await screen.press('X enter');
  await screen.waitFor('EEXIST');
  expect(existsSync(path)).toBe(true);
});

test('the dashboard offers the key of the previous error only if the list contains an error', async () => {
  const { screen, daemon } = await start({ columns: 120 });
  const put = { type: 'activity', job: 'photos', action: 'put', message: 'x' } as const;
  daemon.emit({ ...put, level: 'info' }, NOW);
  expect(await screen.tickUntil('1 of 1')).not.toContain('[ error');
  daemon.emit({ ...put, level: 'error' }, NOW);
  expect(await screen.tickUntil('2 of 2')).toContain('[ error');
});
