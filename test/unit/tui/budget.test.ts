/** Tests of the cost of the dashboard, as counts of redraws, written bytes and rows in memory. */

import { afterEach, expect, test } from 'vitest';

import { FakeClock } from '../../helpers/fake-clock.ts';
import { jobAnswers } from '../../helpers/tui/job-seeds.ts';
import { SeededDaemon } from '../../helpers/tui/seeded-daemon.ts';
import { TestScreen } from '../../helpers/tui/screen.ts';
import { NOW, seededJob, seededStatus } from '../../helpers/tui/seeds.ts';
import { ListModel } from '../../../tui/widgets/list-model.ts';
import { tableLines } from '../../../tui/widgets/table.ts';
import { Changes } from '../../../tui/data/changes.ts';
import { PagedRows } from '../../../tui/data/paged-rows.ts';
import { makeLook } from '../../../tui/theme/look.ts';

const open: TestScreen[] = [];

afterEach(async () => {
  for (const screen of open.splice(0)) await screen.close();
});

const MOST_FRAME_BYTES = 3_000;
/** The maximum number of bytes for a few changed numbers, with their positions and colours. */
const MOST_CELLS_BYTES = 300;
const MOVING = {
  share: 0.7,
  remainingFiles: 119,
  remainingBytes: 4e8,
  bytesPerSecond: 42_100_000,
  operationsPerSecond: 5,
};
const EVENTS_A_SECOND = 10;
const SECONDS = 3;

async function start(daemon: SeededDaemon): Promise<TestScreen> {
  const size = { columns: 120, rows: 40 };
  const clock = new FakeClock(NOW);
  const screen = await new TestScreen({
    ...size,
    clock,
    theme: 'dark',
    connect: daemon.connect,
  }).start();
  open.push(screen);
  return screen;
}

test('the dashboard redraws at most four times per second during ten events per second, with few bytes and without clearing the screen', async () => {
  const daemon = new SeededDaemon(jobAnswers);
  const screen = await start(daemon);
  await screen.waitFor('mirroring');
  const [draws, bytes] = [screen.ui.changes.version(), screen.writtenBytes];
  screen.written = '';
  for (let event = 0; event < EVENTS_A_SECOND * SECONDS; event += 1) {
    const path = `2026/07/IMG_${1_000 + event}.jpg`;
    const did = { type: 'activity', job: 'photos', level: 'info', action: 'put' } as const;
    daemon.emit({ ...did, path, message: path }, NOW + event * 100);
    await screen.tick(1_000 / EVENTS_A_SECOND);
  }
  const drawn = screen.ui.changes.version() - draws;
  expect(drawn).toBeLessThanOrEqual(4 * SECONDS + 1);
  expect(drawn).toBeGreaterThan(SECONDS);
  expect((screen.writtenBytes - bytes) / drawn).toBeLessThan(MOST_FRAME_BYTES);
  expect(screen.written).not.toContain('\u{1b}[2J');
  // A frame with too many lines would scroll the terminal.
  expect(screen.text().split('\n')).toHaveLength(40);
  expect(screen.scrolledLines).toBe(0);
});

async function startIdle() {
  let operationsPerSecond = 0;
  const daemon = new SeededDaemon({
    ...jobAnswers,
    status: () => ({ ...seededStatus(), jobs: [seededJob()] }),
    throughput: () => ({
      samples: [{ at: NOW, bytesPerSecond: 0, operationsPerSecond }],
      jobs: [],
      today: { since: NOW, bytes: 0, readBytes: 0, versions: 0, errors: 0 },
    }),
  });
  const screen = await start(daemon);
  await screen.waitFor('watching');
  for (const ms of [60_000, 1_000]) await screen.tick(ms);
  return { daemon, screen, transfer: () => (operationsPerSecond = 5) };
}

test('the dashboard redraws an idle screen only when the minute changes', async () => {
  const { daemon, screen } = await startIdle();
  const { writtenBytes } = screen;
  const [draws, asked] = [screen.ui.changes.version(), daemon.asked.length];
  for (let second = 0; second < 50; second += 1) await screen.tick(1_000);
  expect(screen.writtenBytes).toBe(writtenBytes);
  expect(screen.ui.changes.version()).toBe(draws);
  expect(daemon.asked).toHaveLength(asked);
  await screen.tick(10_000);
  // One wake-up a minute reads the throughput and the alerts, and draws the uptime.
  expect(daemon.asked.slice(asked).map(({ method }) => method)).toEqual([
    'alerts.list',
    'throughput',
  ]);
  expect(screen.writtenBytes - writtenBytes).toBeLessThan(MOST_CELLS_BYTES);
});

test('the dashboard shows the first transfer after an idle period in the chart at once', async () => {
  const { daemon, screen, transfer } = await startIdle();
  expect(screen.text()).not.toContain('5 /s');
  transfer();
  const moving = { transfers: [], count: 0, progress: MOVING };
  daemon.emit({ type: 'job.transfers', job: 'photos', ...moving });
  await screen.tick();
  await screen.tick();
  await screen.waitFor('5 /s');
});

test('the dashboard shows a short transfer after an idle period in the chart one second later', async () => {
  const { daemon, screen, transfer } = await startIdle();
  const did = { type: 'activity', job: 'photos', level: 'info', action: 'put' } as const;
  daemon.emit({ ...did, path: 'a.jpg', message: 'a.jpg' }, NOW);
  await screen.tick();
  transfer();
  for (const ms of [1_000, 250]) await screen.tick(ms);
  await screen.waitFor('5 /s');
});

test('the dashboard writes a few bytes for one changed number of a running job', async () => {
  const { daemon, screen } = await startIdle();
  const update = async (remainingFiles: number) => {
    const progress = { ...MOVING, remainingFiles };
    daemon.emit({ type: 'job.transfers', job: 'photos', transfers: [], count: 0, progress });
    await screen.tick();
  };
  await update(118);
  const { writtenBytes } = screen;
  await update(117);
  await screen.waitFor('117');
  expect(screen.writtenBytes - writtenBytes).toBeLessThan(MOST_CELLS_BYTES);
});

test('the dashboard writes the whole screen again on an explicit redraw even if nothing has changed', async () => {
  const screen = await start(new SeededDaemon(jobAnswers));
  await screen.waitFor('mirroring');
  await screen.tick();
  const [{ writtenBytes }, shown] = [screen, screen.text()];
  screen.ui.outside.redraw();
  await screen.settle();
  expect(screen.writtenBytes).toBeGreaterThan(writtenBytes);
  expect(screen.text()).toBe(shown);
});

test('the dashboard keeps at most 32 pages of a list with a million rows in memory and draws only the visible rows', async () => {
  const changes = new Changes(new FakeClock());
  let drawnRows = 0;
  const pageOf = (page: number) =>
    Array.from({ length: 1_000 }, (_, row) => `IMG_${page * 1_000 + row}.jpg`);
  const rows = new PagedRows<string, number>({
    fetch: async (page = 0) => ({ rows: pageOf(page), ...(page < 999 ? { next: page + 1 } : {}) }),
    id: (row) => row,
    changed: () => changes.soon(),
  });
  const list = new ListModel<string>({ changes });
  list.show(rows);
  await rows.loadAll(() => list.show(rows), new AbortController().signal);
  expect(rows.count).toBe(1_000_000);
  const held = Array.from({ length: 1_000 }, (_, page) => rows.row(page * 1_000));
  expect(held.filter((row) => row !== undefined).length).toBeLessThanOrEqual(32);
  list.moveToLast();
  const look = makeLook('mono');
  const cell = (row: string) => {
    drawnRows += 1;
    return row;
  };
  const columns = [{ title: 'NAME', width: 'grow', cell }] as const;
  const lines = tableLines(list, { columns, width: 120, height: 38, empty: 'none' }, look);
  expect(lines.at(-1)).toContain('IMG_999999.jpg');
  // Each visible row is measured and drawn.
  expect(drawnRows).toBe(2 * 37);
});
