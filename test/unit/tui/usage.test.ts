/**
 * Tests of the screens that show what uses the space of a bucket and what pruning rules would
 * remove.
 */

import { afterEach, expect, test } from 'vitest';

import type { Params, Result } from '../../../src/control/messages.ts';
import { seededStore } from '../../helpers/tui/bucket-seeds.ts';
import { SeededDaemon } from '../../helpers/tui/seeded-daemon.ts';
import { NOW, seededJob, seededStatus } from '../../helpers/tui/seeds.ts';
import { TestScreen } from '../../helpers/tui/screen.ts';

type Sizes = Result<'folders.sizes'>;

const open: TestScreen[] = [];

afterEach(async () => {
  for (const screen of open.splice(0)) await screen.close();
});

function sums(objects: number, bytes: number, olderBytes = 0): Sizes['folders'][number] {
  const [olderVersions, deleteMarkers] = [olderBytes > 0 ? 3 : 0, olderBytes > 0 ? 1 : 0];
  const bytesByAge = [bytes, 0, olderBytes, 0, 0];
  const newestAt = NOW - 86_400_000;
  return {
    prefix: '',
    objects,
    bytes,
    olderVersions,
    olderBytes,
    deleteMarkers,
    newestAt,
    bytesByAge,
  };
}

const FOLDERS = [
  { ...sums(4_000, 30e9, 10e9), prefix: '2026/' },
  { ...sums(9_000, 5e9, 50e6), prefix: '2025 with a long name that does not fit in its column/' },
];

function sizes({ prefix }: Pick<Params<'folders.sizes'>, 'prefix'>): Sizes {
  const counted = { isCounting: false, listed: 13_011, moreFolders: 0, isDeepest: false };
  const at = { countedAt: NOW - 120_000, hasChanged: true };
  if (prefix !== '') return { ...counted, ...at, folder: sums(4_000, 30e9, 10e9), folders: [] };
  const all = { ...sums(13_001, 36e9, 10.05e9), olderVersions: 6, deleteMarkers: 2 };
  return { ...counted, ...at, folder: all, folders: FOLDERS };
}

async function start(size: { columns?: number; rows?: number } = {}) {
  const daemon = new SeededDaemon({
    ...seededStore().answers(),
    status: () => ({ ...seededStatus(), jobs: [seededJob()] }),
    'folders.sizes': sizes,
  });
  const screen = await new TestScreen({ ...size, connect: daemon.connect }).start();
  open.push(screen);
  await screen.press('2');
  await screen.tickUntil('1 of ');
  await screen.type('/photos\r');
  await screen.press('z');
  return { daemon, screen };
}

test.each([
  [60, 16],
  [80, 24],
  [120, 40],
])('the dashboard shows folders by size and versions by age at %i×%i', async (columns, rows) => {
  const { screen } = await start({ columns, rows });
  const text = await screen.waitFor('46 GB in all');
  await expect(text).toMatchFileSnapshot(`snapshots/usage-${columns}x${rows}.txt`);
});

test('the dashboard opens a folder with Enter, returns with Esc, and counts again with c', async () => {
  const { screen, daemon } = await start();
  await screen.waitFor('46 GB in all');
  await screen.press('j enter');
  await screen.waitFor('40 GB in all');
  expect(daemon.lastOf('folders.sizes')).toEqual({
    bucket: 'photos',
    prefix: FOLDERS[1]?.prefix,
    count: 'missing',
  });
  await screen.press('esc');
  await screen.waitFor('2 of 3');
  await screen.press('c');
  expect(daemon.lastOf('folders.sizes')).toMatchObject({ prefix: '', count: 'again' });
});

test('the dashboard selects the first entry of an opened folder, and not the parent folder', async () => {
  const { screen, daemon } = await start();
  await screen.waitFor('46 GB in all');
  const inner = { ...sums(4_000, 30e9, 10e9), prefix: '2026/07/' };
  daemon.replace('folders.sizes', (params) =>
    params.prefix === '' ? sizes(params) : { ...sizes(params), folders: [inner] },
  );
  await screen.press('enter');
  await screen.waitFor('40 GB in all');
  expect(screen.text()).toMatch(/❯ 07\//);
  await screen.press('esc');
  expect(await screen.waitFor('46 GB in all')).toMatch(/❯ 2026\//);
});

test('the dashboard shows the number of counted versions while a bucket is counted, and then the sizes', async () => {
  const { screen, daemon } = await start();
  daemon.replace('folders.sizes', () => ({
    isCounting: true,
    listed: 5_000,
    folders: [],
    moreFolders: 0,
    isDeepest: false,
  }));
  await screen.press('r');
  await screen.waitFor('counting: 5,000 versions');
  daemon.replace('folders.sizes', sizes);
  await screen.tickUntil('46 GB in all');
});

test('the dashboard shows why a bucket could not be counted', async () => {
  const { screen, daemon } = await start();
  daemon.replace('folders.sizes', (params) => ({
    ...sizes(params),
    error: 'ListObjectVersions: access denied',
  }));
  await screen.press('r');
  await screen.waitFor('access denied');
});

test('K compares pruning rules in the dashboard, and Enter shows the changed lines before it sets a rule', async () => {
  const { screen, daemon } = await start();
  await screen.waitFor('46 GB in all');
  daemon.replace('jobs.get', () => ({
    name: 'photos',
    settings: { name: 'photos', keep: { all: '2y' } },
    defaults: {},
    options: ['name', 'keep'],
  }));
  daemon.replace('jobs.keep.preview', ({ rules }) => ({
    rules: rules.map((_, index) => ({ versions: 1_000 * index, bytes: 1e9 * index })),
    versions: 6_000,
    bytes: 10e9,
    oldestAt: NOW - 400 * 86_400_000,
  }));
  const dryRuns: boolean[] = [];
  daemon.replace('jobs.edit', ({ dryRun }) => {
    dryRuns.push(dryRun);
    return {
      problems: [],
      diff: [{ is: 'added', text: '    keep: smart' }],
      ...(dryRun ? {} : { job: seededJob() }),
    };
  });
  await screen.press('K');
  await screen.tickUntil('weekly 1y');
  const text = screen.text();
  expect(text).toContain('6,000 versions, 10 GB, in 400 d');
  expect(text).toMatch(/all 2y +0 +0 B/u);
  await screen.resize(60, 16);
  await screen.waitFor('all 7d, daily 30d, weekly 1y');
  await screen.press('j enter');
  await screen.waitFor('keep: smart');
  await screen.press('y');
  await screen.waitFor('its settings are saved');
  expect(dryRuns).toEqual([true, false]);
  expect(daemon.lastOf('jobs.edit')).toMatchObject({ name: 'photos', changes: { keep: 'smart' } });
});
