/** Tests of the conflict screen of the dashboard. */

import { afterEach, expect, test } from 'vitest';

import type { Params } from '../../../src/control/messages.ts';
import { SeededConflicts, seededConflict } from '../../helpers/tui/conflict-seeds.ts';
import { SeededDaemon } from '../../helpers/tui/seeded-daemon.ts';
import { NOW } from '../../helpers/tui/seeds.ts';
import { TestScreen } from '../../helpers/tui/screen.ts';

const open: TestScreen[] = [];

afterEach(async () => {
  for (const screen of open.splice(0)) await screen.close();
});

const FEW = () => ({
  media: [
    seededConflict(),
    seededConflict({ id: '', path: 'notes.md', state: 'held', retainUntil: undefined }),
    seededConflict({ id: 'j3', path: 'pano\nname\u{202e}.tif', side: 'folder', sizeBytes: 1.9e9 }),
  ],
  home: [seededConflict({ id: 'j4', path: '.profile', wish: 'remote', retainUntil: undefined })],
});

async function start(
  world = new SeededConflicts(FEW()),
  size: { columns?: number; rows?: number } = {},
) {
  const daemon = new SeededDaemon(world.answers());
  const screen = await new TestScreen({ ...size, connect: daemon.connect }).start();
  open.push(screen);
  await screen.press('4');
  await screen.waitFor('1 of ');
  await screen.tick();
  await screen.tick();
  return { daemon, screen, world };
}

/** Returns the parameters of the resolve requests that were sent, except for dry runs. */
function answersOf(daemon: SeededDaemon) {
  const asked = daemon.asked.filter(({ method }) => method === 'conflicts.resolve');
  return asked
    .map(({ params }) => params as Params<'conflicts.resolve'>)
    .filter(({ dryRun }) => !dryRun);
}

test.each([
  [80, 24],
  [120, 40],
])(
  'the dashboard lists the conflicts of all jobs and shows both sides of the selected one at %i×%i',
  async (columns, rows) => {
    const { screen } = await start(undefined, { columns, rows });
    const text = await screen.waitFor('under another name');
    await expect(text).toMatchFileSnapshot(`snapshots/conflicts-${columns}x${rows}.txt`);
  },
);

const LONG_PATH = '2026/photos of the summer/lake.md';

test.each([
  [60, 16, '26/photos'],
  [80, 24, LONG_PATH],
])(
  'the dashboard shows the path instead of the time, and the effect of each resolution, at %i×%i',
  async (columns, rows, path) => {
    const world = new SeededConflicts({ media: [seededConflict({ path: LONG_PATH })] });
    const { screen } = await start(world, { columns, rows });
    const text = await screen.waitFor('under another name');
    const row = text.split('\n').find((line) => line.includes('❯'));
    expect(row).toContain(path);
    expect(row).not.toContain('10:00');
    expect(text).toMatch(/A (local +)?the file stays; the bucket has its content already/);
    expect(text).toMatch(/B (bucket +)?the object replaces the file/);
    expect(text).toMatch(/K (both +)?the object is saved beside/);
  },
);

test('the dashboard shows the effect and asks for confirmation before a conflict is resolved', async () => {
  const { screen, daemon } = await start();
  await screen.press('B');
  const question = await screen.waitFor("Keep the bucket's object in 1 conflict?");
  expect(question).toContain("the object replaces the file; the file's content is stored");
  expect(question.replaceAll(/[\s│]+/g, ' ')).toContain('content is stored in the bucket first.');
  expect(question).toContain('cannot be removed before 2026-12-21');
  await screen.press('enter');
  expect(daemon.lastOf('conflicts.resolve')).toMatchObject({ dryRun: true });
  await screen.press('B y');
  await screen.waitFor('resolved 1 conflict: keep bucket');
  expect(answersOf(daemon)).toEqual([
    { job: 'media', keep: 'remote', paths: ['2026/report.md'], dryRun: false },
  ]);
  expect(await screen.waitFor('1 of 3')).not.toContain('report.md');
});

test('the dashboard resolves marked conflicts with one request per job and lists unresolved ones with the reason', async () => {
  const { screen, daemon, world } = await start();
  world.waits.set('.profile', 'the file changed again');
  await screen.press('* K');
  const question = await screen.waitFor('Keep both in 4 conflicts?');
  expect(question).toContain('4: the object is saved beside the file');
  await screen.press('y');
  const text = await screen.waitFor('Not resolved yet');
  expect(text).toContain('resolved 3 conflicts: keep both. Still pending: 1 conflict.');
  expect(text).toContain('home: .profile: the file changed again');
  expect(answersOf(daemon)).toMatchObject([
    { job: 'media', paths: ['2026/report.md', 'notes.md', 'pano\nname\u{202e}.tif'] },
    { job: 'home', paths: ['.profile'] },
  ]);
});

test('the dashboard reports a conflict that another client resolved and removes it from the list', async () => {
  const { screen, world, daemon } = await start();
  await screen.press('*');
  world.meanwhile('media', 'notes.md');
  await screen.press('A');
  const question = await screen.waitFor('Keep the local file in 3 conflicts?');
  expect(question).toContain('1 of the chosen conflicts was resolved in the meantime.');
  expect(question).toContain("of the bucket's objects are stored as versions.");
  await screen.press('n esc');
  daemon.emit({ type: 'job.changed', job: (await daemon.answer('status', {})).jobs[0]! });
  await screen.tick();
  await screen.tick();
  expect(await screen.waitFor('1 of 3')).not.toContain('notes.md');
});

test('the dashboard lists resolved conflicts with their resolution on request', async () => {
  const { screen, world } = await start();
  world.meanwhile('media', 'notes.md');
  await screen.press('s');
  const text = await screen.waitFor('with resolved conflicts');
  expect(text).toContain('= local');
  expect(text).toContain('K both');
  await screen.press('j A');
  expect(screen.text()).toContain('the conflict is resolved');
  expect(await screen.waitFor('resolved 2026-11-21 12:00: keep local')).toBeDefined();
});

test('the dashboard compares the two sides of a text file line by line and selects the next difference with keys', async () => {
  const world = new SeededConflicts(FEW());
  const { screen, daemon } = await start(world);
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`);
  const text = (changed: Record<number, string>) =>
    `${lines.map((line, index) => changed[index] ?? line).join('\n')}\n`;
  const [ours, theirs] = [text({ 5: 'ours \u{1b}[31m' }), text({ 30: 'theirs' })];
  daemon.replace('conflicts.sides', () => ({
    conflict: seededConflict(),
    local: { where: 'folder', sizeBytes: ours.length, stream: daemon.offer(ours) },
    remote: { where: 'kept', sizeBytes: theirs.length, stream: daemon.offer(theirs) },
  }));
  await screen.press('=');
  const diff = await screen.waitFor('- ours ␛[31m');
  expect(diff).toContain('+ line 5');
  expect(diff).toContain('… 2 equal lines');
  expect(daemon.lastOf('conflicts.sides')).toMatchObject({ previewBytes: 262_144 });
  await screen.press('] ]');
  expect(await screen.waitFor('+ theirs')).toMatch(/❯\s+31 {9}- line 30/);
  await screen.press('esc');
  await screen.waitFor('[4 Conflicts');
});

test('the dashboard compares the two sides of a binary file byte by byte', async () => {
  const { screen, daemon } = await start();
  const bytes = (at: number) =>
    Uint8Array.from({ length: 64 }, (_, index) => (index === at ? 255 : 0));
  daemon.replace('conflicts.sides', () => ({
    conflict: seededConflict(),
    local: { where: 'folder', sizeBytes: 64, stream: daemon.offer(bytes(63)) },
    remote: { where: 'kept', sizeBytes: 64, stream: daemon.offer(bytes(40)) },
  }));
  await screen.press('=');
  expect(await screen.waitFor('the first difference is at byte 40')).toContain('00000020  00');
});

test('the dashboard loads a thousand conflicts in pages, even if the conflicts of another job cannot be read', async () => {
  const many = Array.from({ length: 1_200 }, (_, index) =>
    seededConflict({ id: `m${index}`, path: `file ${String(index).padStart(4, '0')}` }),
  );
  const world = new SeededConflicts({ gone: [seededConflict()], media: many, home: FEW().home });
  world.failing.add('gone');
  const { screen, daemon } = await start(world);
  expect(await screen.waitFor('not read: gone: open job gone')).toContain('file 0000');
  await screen.press('G');
  expect(await screen.waitFor('1,201 of 1,201')).toContain('.profile');
  const pages = daemon.asked.filter(({ method }) => method === 'conflicts.list');
  expect(pages.length).toBeLessThan(8);
});

test('the dashboard shows the loaded conflicts while the daemon is down but resolves none', async () => {
  const { screen, daemon } = await start();
  daemon.stop();
  await screen.press('A');
  expect(screen.text()).toContain('the daemon is down');
  expect(screen.text()).toContain('report.md');
  expect(answersOf(daemon)).toEqual([]);
});

test('the dashboard selects and saves the conflict policy of a job, and undo restores the previous policy', async () => {
  const { screen, daemon } = await start();
  daemon.replace('jobs.get', ({ name }) => {
    return { name, settings: {}, defaults: { conflict: 'keep-both' }, options: ['conflict'] };
  });
  daemon.replace('jobs.edit', () => ({ diff: [], problems: [] }));
  await screen.press('P');
  const menu = await screen.waitFor('Conflicts of media');
  expect(menu).toContain("1 both: keep the local file; ask about the bucket's version (current)");
  expect(menu).toContain('4 ask: change nothing');
  await screen.press('4');
  await screen.waitFor('media: conflict policy ask');
  expect(daemon.lastOf('jobs.edit')).toMatchObject({ name: 'media', changes: { conflict: 'ask' } });
  await screen.press('u');
  expect(daemon.lastOf('jobs.edit')).toMatchObject({ changes: { conflict: null } });
});

test('a menu wraps long items in a narrow terminal, and a click on each line of an item chooses it', async () => {
  const { screen, daemon } = await start(undefined, { columns: 60, rows: 16 });
  daemon.replace('jobs.get', ({ name }) => {
    return { name, settings: {}, defaults: { conflict: 'keep-both' }, options: ['conflict'] };
  });
  daemon.replace('jobs.edit', () => ({ diff: [], problems: [] }));
  await screen.press('P');
  expect(await screen.waitFor('Conflicts of media')).toContain('version (current)');
  await screen.click('is saved first');
  expect(daemon.lastOf('jobs.edit')).toMatchObject({ changes: { conflict: 'remote' } });
});

test('the dashboard shows the conflict policy "remote" of the configuration as "bucket", and saves it as "remote"', async () => {
  const { screen, daemon } = await start();
  daemon.replace('jobs.get', ({ name }) => {
    return { name, settings: {}, defaults: { conflict: 'keep-both' }, options: ['conflict'] };
  });
  daemon.replace('jobs.edit', () => ({ diff: [], problems: [] }));
  await screen.press('P');
  expect(await screen.waitFor('3 bucket: keep')).not.toContain('remote');
  await screen.press('3');
  await screen.waitFor('media: conflict policy bucket');
  expect(daemon.lastOf('jobs.edit')).toMatchObject({ changes: { conflict: 'remote' } });
});

test('the dashboard lists a file that a conflict resolution replaced as kept, not as a second resolved conflict', async () => {
  const answered = { state: 'resolved', resolution: 'remote', resolvedAt: NOW } as const;
  const world = new SeededConflicts({
    papers: [
      seededConflict({ id: 'j0', path: '0.md' }),
      seededConflict({ id: 'j1', ...answered }),
      seededConflict({ id: 'j2', ...answered, at: NOW, side: 'folder', gaveWayTo: 'j1' }),
    ],
  });
  const { screen } = await start(world);
  await screen.press('s');
  const text = await screen.waitFor('= bucket');
  expect(text.match(/= bucket/g)).toHaveLength(1);
  await screen.press('j j');
  await screen.waitFor('your file until 2026-11-21 12:00: replaced (keep bucket');
});

test('the dashboard shows the number of resolved conflicts while the resolution is running', async () => {
  const { screen, daemon } = await start();
  const status = await daemon.answer('status', {});
  daemon.replace('conflicts.resolve', async ({ job = '', dryRun, paths = [] }) => {
    const counts = { dismiss: 0, cover: 0, replace: 0, beside: paths.length };
    if (!dryRun) await new Promise(() => undefined);
    return { job, matched: paths.length, counts, steps: [], resolved: 0, waiting: [] };
  });
  await screen.press('* K y');
  const [media] = status.jobs;
  if (!media) throw new Error('the seeds have a job');
  const job = { ...media, counts: { ...media.counts, conflicts: 1 } };
  daemon.emit({ type: 'job.changed', job });
  await screen.tick();
  await screen.waitFor('resolving 4 conflicts 2 of 4');
});
