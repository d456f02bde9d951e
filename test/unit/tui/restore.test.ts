/**
 * Tests of the restore browser: folders at a point in time, dry runs, and restores that continue
 * after a lost connection.
 */

import { stripVTControlCharacters } from 'node:util';

import { afterEach, expect, test } from 'vitest';

import { DAY_MS } from '../../../src/base/durations.ts';
import { ControlError } from '../../../src/control/control-error.ts';
import { openRestoreOfKey } from '../../../tui/screens/restore/open-restore.ts';
import { requestsOf } from '../../../tui/screens/restore/restore-form.ts';
import { stripLines } from '../../../tui/screens/restore/time-strip.ts';
import { Themes } from '../../../tui/theme/themes.ts';
import { earlier, headingText, later } from '../../../tui/screens/restore/time-travel.ts';
import { SeededDaemon } from '../../helpers/tui/seeded-daemon.ts';
import { restoreResult, SeededHistory } from '../../helpers/tui/restore-seeds.ts';
import { NOW, seededJob } from '../../helpers/tui/seeds.ts';
import { TestScreen } from '../../helpers/tui/screen.ts';

const open: TestScreen[] = [];

afterEach(async () => {
  for (const screen of open.splice(0)) await screen.close();
});

async function start(size: { columns?: number; rows?: number } = {}) {
  const world = new SeededHistory();
  const daemon = new SeededDaemon(world.answers());
  world.daemon = daemon;
  const screen = await new TestScreen({ ...size, connect: daemon.connect }).start();
  open.push(screen);
  await screen.press(':');
  await screen.type('restore photos\r');
  await settled(screen);
  return { daemon, screen, world };
}

/**
 * Waits until the screen shows the folder, and the changes below its subfolders, which load later.
 */
async function settled(screen: TestScreen): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await screen.tick();
}

test.each([
  [80, 24],
  [120, 40],
])(
  'the dashboard compares a folder at a point in time with its current state at %i×%i',
  async (columns, rows) => {
    const { screen } = await start({ columns, rows });
    await screen.waitFor('letters/');
    await screen.press('[');
    await settled(screen);
    const text = await screen.waitFor('deleted since');
    await expect(text).toMatchFileSnapshot(`snapshots/restore-${columns}x${rows}.txt`);
  },
);

test('the dashboard selects a time at which the folder changed, or a typed time', async () => {
  const { screen } = await start();
  expect(await screen.waitFor('as it is now')).toContain('time 4 of 4: 3 changes');
  await screen.press('[ [');
  await settled(screen);
  expect(await screen.waitFor('time 2 of 4')).toContain('as of 2026-11-19 12:00:00');
  await screen.press(']');
  await settled(screen);
  expect(await screen.waitFor('time 3 of 4')).toContain('2026-11-20 12:00:00');
  await screen.press('n t');
  await screen.type('2d ago\r');
  await settled(screen);
  expect(await screen.waitFor('time 2 of 4')).toContain('2026-11-19 12:00');
  await screen.press('t');
  await screen.type('soon\r');
  expect(await screen.waitFor('not a valid time')).toContain('as of (14:03, 2h ago');
  await screen.press('esc [ [');
  await settled(screen);
  expect(await screen.waitFor('before the first of 4 times')).toContain('+ 5 created');
});

test('the dashboard moves the time by hours and days, also with a count, but not beyond the present', async () => {
  const { screen } = await start();
  await screen.press('{');
  await settled(screen);
  expect(await screen.waitFor('time 3 of 4')).toMatch(/as of 2026-11-20 12:00:0\d \(1 d ago\)/);
  await screen.type('3,');
  await settled(screen);
  expect(await screen.waitFor(/as of 2026-11-20 09:00:0\d/)).toContain('time 2 of 4');
  await screen.press('. }');
  await settled(screen);
  expect(await screen.waitFor(/as of 2026-11-21 10:00:0\d/)).toContain('time 4 of 4');
  await screen.press('}');
  await settled(screen);
  await screen.waitFor('as it is now');
});

test('the dashboard counts the differences from the present at any depth, for the folder and for each subfolder', async () => {
  const { screen, daemon } = await start();
  await screen.type('2{');
  await settled(screen);
  const text = await screen.waitFor('~ 2 changed');
  expect(text).toMatch(/~letters\/ +16 B +2 files +~1 +17 B/);
  expect(text).toMatch(/ quiet\/ +3 B +1 file +3 B/);
  expect(text).toContain('+ 1 created   ~ 2 changed   - 1 deleted');
  // The screen requests no subfolder separately.
  const paths = daemon.asked.filter(({ method }) => method === 'history.moments');
  expect(new Set(paths.map(({ params }) => JSON.stringify(params))).size).toBe(1);
});

test('the dashboard requests each visible subfolder separately if a folder has too many versions to count', async () => {
  const { screen, daemon } = await start();
  daemon.replace('history.moments', ({ limit }) => {
    const all = [
      { at: NOW - 7_200_000, changes: 3 },
      { at: NOW - 86_400_000, changes: 1 },
    ];
    return { job: 'photos', moments: all.slice(0, limit), isComplete: false, undated: 0 };
  });
  await screen.press('r {');
  await settled(screen);
  expect(await screen.waitFor('changed since')).toMatch(/letters\/ .*changed since/);
  expect(daemon.asked.filter(({ method }) => method === 'history.sums')).toHaveLength(1);
});

const MONTH = {
  moments: [
    { at: 30 * DAY_MS, changes: 1 },
    { at: 29.5 * DAY_MS, changes: 9 },
    { at: 0, changes: 3 },
  ],
  isComplete: true,
  undated: 0,
};

test.each([
  ['all changes', 0, 30 * DAY_MS, ['1970-01-01 ▃─────────█ now', 22]],
  ['1 week', 3, undefined, ['1970-01-25 ────────█▁─ now', 24]],
  ['1 week, before', 3, 8 * DAY_MS, ['1970-01-04 ─────────── 1970-01-11', 19]],
] as const)(
  'the dashboard draws equal periods of the change chart at equal distances: %s',
  (_, span, at, [bars, mark]) => {
    const width = bars.length + 2;
    const now = 31 * DAY_MS;
    const look = new Themes({ depth: 'mono', background: 'dark', charset: 'unicode' }, 'mono').look;
    const [line = '', below = ''] = stripLines(MONTH, { at, now, span, width }, look);
    expect(stripVTControlCharacters(line)).toBe(` ${bars}`);
    expect(stripVTControlCharacters(below).indexOf('↑')).toBe(mark);
  },
);

test('the dashboard enters and leaves folders, and marks a folder without changes below it', async () => {
  const { screen } = await start();
  await screen.press('[');
  await settled(screen);
  const text = await screen.waitFor('letters/');
  expect(text).toMatch(/~letters\/ .* ~1 /);
  expect(text).toMatch(/ quiet\/ +3 B +1 file +3 B/);
  await screen.press('enter');
  await settled(screen);
  expect(await screen.waitFor('ann.txt')).toContain('restore › photos › letters/');
  await screen.press('esc');
  await settled(screen);
  expect(await screen.waitFor('notes.md')).toMatch(/❯~letters\//);
});

test('the dashboard compares a file at a point in time with the current file', async () => {
  const { screen } = await start();
  await screen.press('[ [');
  await settled(screen);
  await screen.press('/');
  await screen.type('notes\r');
  await screen.press('enter');
  await settled(screen);
  const text = await screen.waitFor('+ three');
  expect(text).toContain('- two');
});

test('the dashboard shows all lines of a difference that fit, and on request only those near a change', async () => {
  const { screen, daemon } = await start({ columns: 120, rows: 40 });
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
  const [before, after] = [lines.join('\n'), lines.with(10, 'another').join('\n')];
  const info = await daemon.answer('objects.get', { bucket: 'photos', key: 'notes.md' });
  const first = String(NOW - 3 * DAY_MS);
  daemon.replace('objects.get', ({ versionId }) => ({
    ...info,
    stream: daemon.offer(versionId === first ? before : after),
  }));
  await screen.press('[ [ / n o t e s enter enter');
  await settled(screen);
  const text = await screen.waitFor('+ another');
  expect(text).toMatch(/line 0 /);
  expect(text).not.toContain('equal lines');
  await screen.press('w');
  expect(await screen.waitFor('7 equal lines')).not.toMatch(/line 0 /);
});

test('the dashboard shows beside a file its states then and now, and what changed since', async () => {
  const { screen } = await start({ columns: 120, rows: 40 });
  await screen.press('[ [ / n o t e s enter');
  await settled(screen);
  const text = await screen.tickUntil('+ three');
  expect(text).toContain('then     8 B, 2026-11-18 12:00:00');
  expect(text).toContain('now      10 B, 2026-11-20 12:00:00');
  expect(text).toContain('Changes since then');
  expect(text).toContain('- two');
});

test('the dashboard shows beside a deleted file its content at that time', async () => {
  const { screen } = await start({ columns: 120, rows: 40 });
  await screen.press('[ / p l a n enter');
  await settled(screen);
  const text = await screen.tickUntil('the plan');
  expect(text).toContain('now      does not exist');
  expect(text).toContain('since    deleted');
  expect(text).toContain('Content then');
});

test('the dashboard lists beside a folder the files below it that differ from now', async () => {
  const { screen, daemon } = await start({ columns: 120, rows: 40 });
  await screen.press('[');
  await settled(screen);
  const text = await screen.tickUntil('~ ann.txt');
  expect(text).toContain('then   2 files, 16 B');
  expect(daemon.lastOf('history.compare')).toMatchObject({ path: '/home/ada/Photos/letters' });
  // A folder without differences causes no request.
  const asked = daemon.asked.length;
  await screen.press('j');
  for (let turn = 0; turn < 4; turn += 1) await screen.tick();
  expect(screen.text()).toContain('now    1 file, 3 B');
  expect(daemon.asked.slice(asked).map(({ method }) => method)).not.toContain('history.compare');
});

test('the dashboard refuses to restore an object if no job backs up to its key', async () => {
  const { screen } = await start();
  await screen.press(':');
  await screen.type('restore nothing\r');
  expect(await screen.waitFor('the job does not exist')).toBeDefined();
  const place = { target: 'local', bucket: 'elsewhere', key: 'a/b' };
  expect(() => openRestoreOfKey(screen.ui, place)).toThrow('no job backs up to it');
  openRestoreOfKey(screen.ui, { target: 'local', bucket: 'photos', key: 'letters/ann.txt' });
  expect(screen.ui.router.top.crumbs).toEqual(['restore', 'photos', 'letters/']);
});

test('the dashboard loads only the first 20,000 entries of a very large folder and reports that', async () => {
  const { screen, daemon } = await start();
  const pages = { past: 0, now: 0 };
  daemon.replace('history.folder', ({ at, after, limit }) => {
    const from = after === undefined ? 0 : Number(after.keyMarker);
    pages[at > NOW + 60_000 ? 'now' : 'past'] += 1;
    const entries = Array.from({ length: limit }, (_, index) => {
      return { path: `f${from + index}`, sizeBytes: 1, lastModifiedAt: 1, versionId: '1' };
    });
    return { job: 'photos', entries, next: { keyMarker: String(from + limit) } };
  });
  await screen.press('[');
  for (let turn = 0; turn < 20; turn += 1) await screen.settle();
  await settled(screen);
  const text = await screen.waitFor('only the first entries are shown');
  expect(text).toContain('1 of 20,000');
  expect(pages).toEqual({ past: 20, now: 20 });
  await screen.press('*');
  await screen.waitFor('20,000 marked');
  await screen.press('R');
  await screen.waitFor('mark at most 100 entries');
});

test('the dashboard lists the differences between two points in time', async () => {
  const { screen, daemon } = await start();
  await screen.press('D');
  await screen.type('2026-11-19\r');
  await settled(screen);
  const text = await screen.waitFor('bob.txt');
  expect(text).toContain('+ 2 created   ~ 2 changed');
  expect(text).toContain('restore › photos › differences');
  expect(daemon.lastOf('history.compare')).toEqual({ job: 'photos', from: Date.UTC(2026, 10, 19) });
});

test('the dashboard loads the list of differences again if a restart of the daemon interrupted it', async () => {
  const { screen, daemon, world } = await start();
  daemon.replace('history.compare', () => {
    throw new ControlError('Disconnected', 'the daemon ended the connection');
  });
  await screen.press('D');
  await screen.type('2026-11-19\r');
  await settled(screen);
  await screen.waitFor('the daemon ended the connection');
  daemon.stop();
  daemon.replace('history.compare', world.answers()['history.compare']!);
  daemon.down = undefined;
  await screen.press('r');
  await screen.waitFor('bob.txt');
});

/** Opens the dry run of an in-place restore of the whole folder, as of the time before the last change. */
async function toPlan(screen: TestScreen) {
  await screen.press('[');
  await settled(screen);
  await screen.press('F right');
  await screen.waitFor('< in place >');
  await screen.press('ctrl-s');
  await settled(screen);
  return screen.waitFor('would restore to');
}

test('the dashboard refuses a restore that would write nothing, and gives the reason', async () => {
  const { screen, daemon } = await start();
  daemon.replace('restore.plan', () => ({
    to: '/home/ada/Photos',
    stream: daemon.offer([{ path: 'a.txt', is: 'keep', sizeBytes: 8 }]),
  }));
  const plan = await toPlan(screen);
  expect(plan.split('\n').at(-1)).not.toContain('R restore');
  await screen.press('R');
  const reason = 'R is not available: all files exist already: nothing to write';
  expect(await screen.waitFor(reason)).not.toContain('Restore?');
});

test('the dashboard does not show a failed dry run as running', async () => {
  const { screen, daemon } = await start();
  daemon.replace('restore.plan', () => {
    throw new ControlError('NotFound', 'nothing to restore');
  });
  await screen.press('F right');
  await screen.waitFor('< in place >');
  await screen.press('ctrl-s');
  await settled(screen);
  const text = await screen.waitFor('nothing to restore');
  expect(text).toContain('the dry run failed');
  expect(text).not.toContain('comparing');
});

test('the dashboard shows one size per file, and no later time, while a folder is shown as it is now', async () => {
  const { screen } = await start();
  const text = await screen.waitFor('as it is now');
  expect(text).toMatch(/NAME +SIZE +MODIFIED/);
  expect(text).not.toMatch(/THEN|SINCE|NOW|later/);
  await screen.press(']');
  await screen.waitFor('] is not available: this is the latest time');
});

test('the dashboard shows the number of changes at a time in full at 60×16', async () => {
  const { screen } = await start({ columns: 60, rows: 16 });
  await screen.waitFor('letters/');
  await screen.press('[ [');
  await settled(screen);
  expect(await screen.waitFor('time 2 of 4')).toMatch(/time 2 of 4: \d changes? *$/m);
});

test('the dashboard shows the target and the time of a restore in full on a narrow terminal', async () => {
  const { screen } = await start({ columns: 60, rows: 24 });
  const plan = await toPlan(screen);
  expect(plan.replaceAll(/\s+/gu, ' ')).toContain('as of 2026-11-20 12:00:00 2 files');
});

test('the dashboard shows a preview, a confirmation, the progress and the problems of a restore', async () => {
  const { screen, daemon, world } = await start();
  const plan = await toPlan(screen);
  expect(plan).toContain('2 files, 16 B at most; 1 exists already');
  expect(plan).toContain('1 file would be replaced');
  expect(plan).not.toContain('created since');
  expect(daemon.lastOf('restore.plan')).toEqual({ job: 'photos', at: NOW - 24 * 3_600_000 });
  expect(daemon.lastOf('restore.run')).toBeUndefined();
  await screen.press('R y');
  const running = await screen.waitFor('restoring');
  expect(running).toContain('photos, as of 2026-11-20 12:00:00');
  expect(running).toMatch(/q back {2,}restoring/);
  expect(running).not.toMatch(/\/ filter|move/);
  const { id = '' } = daemon.lastOf('restore.run') ?? {};
  expect(daemon.lastOf('restore.run')).toMatchObject({ job: 'photos', stays: true });
  daemon.emit({ type: 'restore.progress', id, files: 1, bytes: 12, totalFiles: 3, totalBytes: 24 });
  await screen.tick();
  expect(await screen.waitFor('restoring 50 %')).toContain('1 of 3 files, 12 B of 24 B');
  const problems = [{ path: 'a\u{202e}b', code: 'refused', message: 'its path contains ..' }];
  world.running.get(id)?.resolve(restoreResult({ problems, problemCount: 1 }));
  await settled(screen);
  const result = await screen.waitFor('! 1 problem');
  expect(result).toContain('set aside: 1, into /home/ada/Photos.before-restore');
  expect(result).toContain('a‹U+202E›b');
  expect(result).toContain('its path contains ..');
});

test('the digit of the tab does not show the result of a restore again that the user has seen', async () => {
  const { screen, daemon, world } = await start();
  await toPlan(screen);
  await screen.press('R y 2 3');
  expect(await screen.waitFor('restore › run')).toContain('restoring');
  const { id = '' } = daemon.lastOf('restore.run') ?? {};
  await screen.press('2');
  world.running.get(id)?.resolve(restoreResult());
  await settled(screen);
  await screen.press('3');
  expect(await screen.waitFor('restore › run')).toContain('no problems');
  await screen.press('2 3');
  expect(await screen.waitFor('restore › photos')).not.toContain('no problems');
});

test('the dashboard asks before quitting during a restore and states that the restore continues in the daemon', async () => {
  const { screen } = await start();
  await toPlan(screen);
  await screen.press('R y');
  await screen.waitFor('restoring');
  await screen.press('q q q');
  await screen.waitFor('Quit while this is running?');
  const left = 'restoring: the restore continues in the daemon; `:restores` shows it again';
  expect(screen.text()).toContain(left.slice(0, 50));
  await screen.press('n');
  expect(screen.hasQuit).toBe(false);
  await screen.press('q');
  await screen.waitFor('Quit while this is running?');
  await screen.press('y');
  expect(screen.hasQuit).toBe(true);
  expect(screen.ui.leftBehind).toEqual([left]);
});

/** Stops the daemon, which closes the connection and ends the pending request. */
function lose(
  daemon: SeededDaemon,
  pending: { readonly reject: (error: Error) => void } | undefined,
): void {
  daemon.stop();
  pending?.reject(new ControlError('Disconnected', 'restore: the connection ended'));
}

test('the dashboard shows a running restore again after the connection to the daemon was lost', async () => {
  const { screen, daemon, world } = await start();
  await toPlan(screen);
  await screen.press('R y');
  await screen.waitFor('restoring');
  const { id = '' } = daemon.lastOf('restore.run') ?? {};
  lose(daemon, world.running.get(id));
  await settled(screen);
  await screen.waitFor('the connection is lost: the restore continues');
  daemon.down = undefined;
  const again = Promise.withResolvers<ReturnType<typeof restoreResult>>();
  world.running.set(id, again);
  await screen.tick(9_000);
  await settled(screen);
  expect(await screen.waitFor('1 of 3 files')).toContain('restoring');
  again.resolve(restoreResult());
  await settled(screen);
  expect(await screen.waitFor('no problems')).toContain('restored');
});

test('the dashboard shows how to start a restore again that a restarted daemon does not know', async () => {
  const { screen, daemon, world } = await start();
  await toPlan(screen);
  await screen.press('R y');
  await screen.waitFor('restoring');
  const { id = '' } = daemon.lastOf('restore.run') ?? {};
  lose(daemon, world.running.get(id));
  world.running.clear();
  world.runs = [];
  await settled(screen);
  await screen.waitFor('the connection is lost');
  daemon.down = undefined;
  await screen.tick(9_000);
  await settled(screen);
  expect(await screen.waitFor('not restored')).toContain('the daemon was restarted');
  await screen.press('R');
  await settled(screen);
  expect(world.running.size).toBe(1);
});

test('the dashboard lists restores that other clients started and can stop them', async () => {
  const { screen, daemon, world } = await start();
  world.runs = [
    {
      id: 'theirs',
      job: 'photos',
      path: 'letters',
      to: '/back',
      state: 'running',
      startedAt: NOW,
      files: 7,
      bytes: 70,
      totalFiles: 9,
      totalBytes: 90,
    },
  ];
  world.running.set('theirs', Promise.withResolvers());
  await screen.press('W');
  await settled(screen);
  expect(await screen.waitFor('photos/letters to /back')).toContain('running');
  await screen.press('enter');
  await settled(screen);
  await screen.waitFor('7 of 9 files');
  await screen.press('x y');
  expect(daemon.lastOf('restores.stop')).toEqual({ id: 'theirs' });
});

test('the dashboard does not show a file as changed if another version has the same content', async () => {
  const { screen, daemon } = await start();
  const entry = { path: 'back.txt', sizeBytes: 8, lastModifiedAt: 0 };
  daemon.replace('history.folder', ({ at }) => ({
    job: 'photos',
    entries: [
      { ...entry, versionId: at < NOW ? 'v1' : 'v2', etag: 'e' },
      { ...entry, path: 'other.txt', versionId: at < NOW ? 'v1' : 'v2', etag: `e${at}` },
    ],
  }));
  const file = { before: { files: 1, bytes: 8 }, after: { files: 1, bytes: 8 } };
  const counts = { added: 0, changed: 1, removed: 0, uncertain: 0 };
  daemon.replace('history.sums', () => ({
    job: 'photos',
    stream: daemon.offer([{ path: 'other.txt', ...file, ...counts }]),
  }));
  await screen.press('[');
  await settled(screen);
  const text = await screen.waitFor('~ 1 changed');
  expect(text).toMatch(/back\.txt .*same content/);
  expect(text).toMatch(/~ other\.txt .*changed since/);
});

test('the dashboard shows the effect of an undo on the bucket and the folder before it starts', async () => {
  const { screen, daemon } = await start();
  await screen.press('[');
  await settled(screen);
  await screen.press('/');
  await screen.type('notes\r');
  await screen.press('U');
  const question = await screen.waitFor('Undo ~/Photos/notes.md?');
  expect(question).toContain('In the bucket, 1 older version becomes');
  expect(question).toContain('The file is restored to ~/Photos.');
  await screen.press('y');
  await settled(screen);
  expect(await screen.waitFor('1 older version made current again')).toContain('no problems');
  const path = '/home/ada/Photos/notes.md';
  expect(daemon.lastOf('history.undo')).toMatchObject({ job: path, path, stays: true });
});

test.each([
  ['no file', []],
  ['only current versions', [{ path: 'a', sizeBytes: 8, lastModifiedAt: 0, versionId: 'v' }]],
])(
  'the dashboard asks no question about an undo of %s, and states that nothing was deleted',
  async (_, steps) => {
    const { screen, daemon } = await start();
    daemon.replace('history.planUndo', () => ({
      to: '/home/ada/Photos',
      total: steps.length,
      undated: [],
      undatedCount: 0,
      steps: steps.map((step) => ({ ...step, isCurrent: true })),
    }));
    await screen.press('[');
    await settled(screen);
    await screen.press('U');
    const text = await screen.waitFor('undo: nothing was deleted or changed');
    expect(text).not.toContain('becomes current again');
  },
);

test('the dashboard shows before an undo of a moved file that its present name would be removed', async () => {
  const { screen, daemon } = await start();
  const facts = { sizeBytes: 8, lastModifiedAt: 0, versionId: 'v' };
  daemon.replace('history.planUndo', () => ({
    to: '/home/ada/Photos',
    total: 1,
    undated: [],
    undatedCount: 0,
    steps: [{ path: 'old.md', ...facts, isCurrent: false, movedTo: 'notes.md' }],
  }));
  await screen.press('[');
  await settled(screen);
  await screen.press('/');
  await screen.type('notes\r');
  await screen.press('U');
  const question = await screen.waitFor('Undo ~/Photos/notes.md?');
  expect(question).toMatch(/by a copy; no[^]*version is deleted/);
  expect(question).toContain('notes.md would be removed, because the file was moved to it');
});

const JOB = seededJob();
const PLACES = { beside: '/home/ada/Photos.restored-X', folder: '/home/ada' };
const ONE = [{ path: 'a/b/', isFolder: true }];
const TWO = [
  { path: 'a/b/', isFolder: true },
  { path: 'a/c.txt', isFolder: false },
];

test.each([
  [ONE, { where: 'in place', exact: 'yes' }, [{ exact: true }]],
  [ONE, { where: 'beside', exact: 'no' }, [{ to: '/home/ada/Photos.restored-X/a/b' }]],
  [ONE, { where: 'elsewhere', to: 'back' }, [{ to: '/home/ada/back' }]],
  [TWO, { where: 'elsewhere', to: '/b' }, [{ to: '/b/b' }, { to: '/b' }]],
  [
    TWO,
    { where: 'beside' },
    [{ to: '/home/ada/Photos.restored-X/a/b' }, { to: '/home/ada/Photos.restored-X/a' }],
  ],
])('the dashboard restores %j with the options %j to %j', (rows, values, expected) => {
  const requests = requestsOf({ job: JOB, at: undefined, rows }, values, PLACES);
  const shown = requests.map(({ job: _job, path: _path, ...rest }) => rest);
  expect(shown).toEqual(expected);
  expect(requests[0]).toMatchObject({ path: '/home/ada/Photos/a/b' });
});

test('the first change has no earlier time, and the time after the last change is the present', () => {
  const known = {
    moments: [
      { at: 300, changes: 1 },
      { at: 200, changes: 2 },
    ],
    isComplete: true,
    undated: 0,
  };
  expect(earlier(known, undefined)).toBe(200);
  expect(earlier(known, 200)).toBe(199);
  expect(earlier(known, 199)).toBeUndefined();
  expect(later(known, 199)).toBe(200);
  expect(later(known, 250)).toBe(300);
  expect(later(known, 300)).toBe('now');
  expect(headingText(known, { at: 250, now: 60_250 })).toBe(
    'as of 1970-01-01 00:00:00 (1 min ago)   time 1 of 2: 2 changes',
  );
});
