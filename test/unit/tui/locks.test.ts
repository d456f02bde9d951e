/** The screen of locks. */

import { afterEach, expect, test } from 'vitest';

import type { Result } from '../../../src/control/messages.ts';
import { SeededDaemon } from '../../helpers/tui/seeded-daemon.ts';
import { NOW, seededJob, seededStatus } from '../../helpers/tui/seeds.ts';
import { TestScreen } from '../../helpers/tui/screen.ts';

const DAY_MS = 86_400_000;
const MIDNIGHT = Date.UTC(2026, 10, 21);

type Locks = Result<'locks.summary'>['jobs'][number]['locks'];

const open: TestScreen[] = [];

afterEach(async () => {
  for (const screen of open.splice(0)) await screen.close();
});

function locks(changes: Partial<Locks> = {}): Locks {
  return {
    locked: 48_213,
    bytes: 1.2e12,
    unlocked: 0,
    earliestUntil: NOW + 12 * DAY_MS,
    firstLapseDays: 12,
    renewalsDue: 140,
    failing: 0,
    released: 3,
    deferred: 0,
    retained: 2,
    renewalRight: 'proven',
    ...changes,
  };
}

function summary(): Result<'locks.summary'> {
  return {
    modes: [
      { mode: 'GOVERNANCE', versions: 48_213, bytes: 1.2e12 },
      { mode: 'COMPLIANCE', versions: 120, bytes: 4e9 },
    ],
    jobs: [
      { name: 'photos', mode: 'GOVERNANCE', locks: locks() },
      {
        name: 'papers\u{202e}',
        mode: 'COMPLIANCE',
        locks: locks({
          locked: 120,
          bytes: 4e9,
          unlocked: 4,
          failing: 2,
          firstLapseDays: 1,
          earliestUntil: NOW + DAY_MS,
          renewalRight: 'refused',
          reason: 'AccessDenied: may not extend',
        }),
      },
    ],
    days: [
      { day: MIDNIGHT + DAY_MS, versions: 12, bytes: 3e6 },
      { day: MIDNIGHT + 12 * DAY_MS, versions: 1_200, bytes: 5e9 },
      { day: MIDNIGHT + 40 * DAY_MS, versions: 400, bytes: 2e9 },
    ],
    retained: [
      {
        job: 'photos',
        key: 'old/IMG_1.jpg',
        versionId: 'v1',
        until: NOW + 5 * DAY_MS,
        what: 'purge',
      },
      { job: 'photos', key: 'bad\nname', until: NOW + 9 * DAY_MS, what: 'purge' },
    ],
    renewalsDue: 280,
    retainedCount: 150,
  };
}

async function start(size: { columns?: number; rows?: number } = {}) {
  const daemon = new SeededDaemon({
    status: () => ({
      ...seededStatus(),
      jobs: [seededJob(), seededJob({ name: 'papers\u{202e}', bucket: 'papers' })],
    }),
    'locks.summary': summary,
    'locks.get': ({ bucket }) =>
      bucket === 'photos' ? { defaultRetention: { mode: 'GOVERNANCE', days: 30 } } : {},
    'jobs.why': ({ path = '' }) => ({
      job: 'photos',
      path,
      isHead: true,
      retention: { mode: 'GOVERNANCE', retainUntil: NOW + 12 * DAY_MS },
      legalHold: false,
      released: false,
      ends: 'it is renewed as long as it is the version of this file',
    }),
    'jobs.release': () => ({ versions: 2, firstEnd: NOW + DAY_MS, lastEnd: NOW + 12 * DAY_MS }),
  });
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
  'at %i×%i it shows what is locked, when that ends, and what waits for it',
  async (columns, rows) => {
    const { screen } = await start({ columns, rows });
    const text = await screen.waitFor('old/IMG_1.jpg');
    await expect(text).toMatchFileSnapshot(`snapshots/locks-${columns}x${rows}.txt`);
  },
);

test('the panes are walked through, and why a path is locked is told of the one that is chosen', async () => {
  const { screen, daemon } = await start();
  await screen.press('tab tab w');
  await screen.press('enter');
  expect(await screen.waitFor('GOVERNANCE until 2026-12-03 12:00')).toContain('it is renewed');
  const path = '/home/ada/Photos/old/IMG_1.jpg';
  expect(daemon.lastOf('jobs.why')).toEqual({ job: path, path });
});

test('a release says what it means before it is done, and what it did', async () => {
  const { screen, daemon } = await start();
  await screen.press('L');
  await screen.type('/home/ada/Photos/2026/\r');
  const question = await screen.waitFor('Release /home/ada/Photos/2026?');
  expect(question).toContain('Its lock now: GOVERNANCE until 2026-12-03 12:00.');
  expect(question).toContain('No lock gets shorter by it.');
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

test('a release that is not gone on with asks nothing', async () => {
  const { screen, daemon } = await start();
  await screen.press('L esc');
  expect(screen.text()).not.toContain('Release');
  expect(daemon.lastOf('jobs.why')).toBeUndefined();
});

test('a store that locks nothing says how to begin', async () => {
  const { screen, daemon } = await start();
  daemon.replace('locks.summary', () => ({
    modes: [],
    jobs: [],
    days: [],
    retained: [],
    renewalsDue: 0,
    retainedCount: 0,
  }));
  await screen.press('r');
  await screen.tick();
  await screen.tick();
  const text = await screen.waitFor('no job locks anything');
  expect(text).toContain('no job locks anything: e on a job sets its lock');
});
