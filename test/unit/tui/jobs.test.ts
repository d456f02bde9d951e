/** Jobs: their list, one of them, and all that can be done with them. */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, expect, test } from 'vitest';

import { FakeClock } from '../../helpers/fake-clock.ts';
import { DIGEST, jobAnswers, JOBS, jobsStatus } from '../../helpers/tui/job-seeds.ts';
import { SeededDaemon } from '../../helpers/tui/seeded-daemon.ts';
import type { Answers } from '../../helpers/tui/seeded-daemon.ts';
import { TestScreen } from '../../helpers/tui/screen.ts';
import { NOW, seededJob } from '../../helpers/tui/seeds.ts';
import { JobScreen } from '../../../tui/screens/jobs/job-screen.ts';
import { ReviewScreen } from '../../../tui/screens/jobs/review-screen.ts';
import { completedFolder } from '../../../tui/screens/jobs/complete-folder.ts';
import type { Ui } from '../../../tui/app/ui.ts';
import { choicesOf, readSetting } from '../../../tui/screens/jobs/settings.ts';
import { settingText } from '../../../tui/text/setting-text.ts';

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
  await screen.press('3');
  await screen.waitFor('mirroring');
  return { daemon, screen };
}

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
])('jobs and one job look so at %i×%i', async (columns, rows) => {
  const { screen, daemon } = await start({ columns, rows });
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
});

test('each list of a job is reached by Tab', async () => {
  const { screen } = await start();
  await screen.press('enter tab');
  expect(await screen.waitFor('locks end')).toContain('old.mkv');
  await screen.press('tab');
  await screen.waitFor('full, bucket');
  await screen.press('tab');
  await screen.waitFor('restorable');
});

test('the queue of a hundred thousand problems is read in pages, by reason', async () => {
  const { screen, daemon } = await start();
  await screen.press('enter');
  await screen.waitFor('1 of 1 000+');
  expect(screen.text()).toContain('raw/00000␊‹U+202E›gpj.exe');
  await screen.type('G');
  await screen.waitFor('100 003 of 100 003');
  await screen.press('f');
  await screen.waitFor('[error 100 000]');
  await screen.press('f');
  await screen.waitFor('notes.md');
  expect(daemon.lastOf('jobs.queue')).toEqual({ name: 'photos', reason: 'conflict', limit: 1_000 });
  await screen.press('enter');
  await screen.waitFor('[4 Conflicts]');
});

test('a job is paused at once, and resumed by undo', async () => {
  const paused = seededJob({ ...JOBS[0], state: 'paused' });
  const { screen, daemon } = await start({
    answers: { 'jobs.pause': () => paused, 'jobs.resume': () => paused },
  });
  await screen.press('p');
  await screen.waitFor('paused photos   u undo');
  expect(daemon.lastOf('jobs.pause')).toEqual({ name: 'photos' });
  await screen.press('u');
  expect(daemon.lastOf('jobs.resume')).toEqual({ name: 'photos' });
});

test('marked jobs are paused together', async () => {
  const { screen, daemon } = await start({
    answers: { 'jobs.pause': () => seededJob(), 'jobs.resume': () => seededJob() },
  });
  await screen.press('space space p');
  await screen.waitFor('paused photos, logs');
  const names = daemon.asked.filter(({ method }) => method === 'jobs.pause');
  expect(names.map(({ params }) => params)).toEqual([{ name: 'photos' }, { name: 'logs' }]);
});

test('a job goes only when its name is typed, and its bucket is said to stay', async () => {
  const { screen, daemon } = await start({
    answers: { 'jobs.remove': () => ({ notes: ['its claim could not be released'] }) },
  });
  await screen.press('D');
  const asked = await screen.waitFor('Remove job photos?');
  expect(asked).toContain('eu/photos keeps');
  expect(asked.replaceAll(/[\s│]+/g, ' ')).toContain('812 changes not yet in the bucket');
  await screen.press('x enter');
  await screen.waitFor('that is not it');
  expect(daemon.lastOf('jobs.remove')).toBeUndefined();
  await screen.press('ctrl-u p h o t o s enter');
  await screen.waitFor('its claim could not be released');
  expect(daemon.lastOf('jobs.remove')).toEqual({ name: 'photos' });
});

test('a question that is answered when its job is gone is not about the next job', async () => {
  const { screen, daemon } = await start({ answers: { 'jobs.remove': () => ({}) } });
  await screen.press('D');
  await screen.waitFor('Remove job photos?');
  daemon.emit({ type: 'job.removed', name: 'photos' });
  await screen.tick();
  await screen.press('p h o t o s enter');
  expect(daemon.lastOf('jobs.remove')).toEqual({ name: 'photos' });
});

test('what is held is approved by the digest that was seen', async () => {
  const { screen, daemon } = await start({
    answers: { 'jobs.approve': () => ({ deletes: 1_500, overwrites: 0 }) },
  });
  await screen.press('a');
  await screen.waitFor('review what is held, and approve it: nothing is held');
  await screen.press('j j j a');
  await screen.waitFor('films/0000.mkv');
  await screen.press('a enter');
  expect(daemon.lastOf('jobs.approve')).toBeUndefined();
  await screen.press('a');
  await screen.waitFor('1 500 changes will be done');
  await screen.press('y');
  expect(daemon.lastOf('jobs.approve')).toEqual({ name: 'media', digest: DIGEST });
  await screen.waitFor('approved 1 500 deletes');
});

test.each([
  [80, 24],
  [120, 40],
])('what is held looks so at %i×%i, signs of an attack first', async (columns, rows) => {
  const review = jobAnswers['jobs.review'];
  const { screen } = await start({
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
});

test('what is held anew since it was read cannot be approved unseen', async () => {
  let digest = DIGEST;
  const review = jobAnswers['jobs.review'];
  const { screen, daemon } = await start({
    answers: { 'jobs.review': async (params) => ({ ...(await review!(params)), digest }) },
  });
  await screen.press('j j j a');
  await screen.waitFor('films/0000.mkv');
  digest = 'another';
  await screen.press('G');
  await screen.waitFor('what is held has changed meanwhile');
  await screen.press('a');
  await screen.waitFor('what is held has changed: r reads it again');
  expect(daemon.lastOf('jobs.approve')).toBeUndefined();
});

test('held changes are rejected after their number was said', async () => {
  const { screen, daemon } = await start({
    answers: { 'jobs.reject': () => ({ deletes: 1_500, overwrites: 0 }) },
  });
  await screen.press('j j j z');
  await screen.waitFor('1 500 held: the objects stay');
  await screen.press('y');
  await screen.waitFor('rejected 1 500 deletes');
  expect(daemon.lastOf('jobs.reject')).toEqual({ name: 'media' });
});

test('old versions are counted before their removal is asked for', async () => {
  const none = { versions: 0, bytes: 0, markers: 0, retained: 3, needed: 0, others: 0, failed: 0 };
  let report = none;
  const { screen, daemon } = await start({ answers: { 'jobs.keep': () => report } });
  await screen.press('K');
  await screen.waitFor('photos has no version beyond what it keeps');
  expect(daemon.lastOf('jobs.keep')).toEqual({ name: 'photos', dryRun: true });
  report = { ...none, versions: 41, bytes: 2e9 };
  await screen.press('K');
  await screen.waitFor('41 versions beyond what the job keeps: 2.0 GB freed');
  expect(daemon.lastOf('jobs.keep')).toEqual({ name: 'photos', dryRun: true });
  await screen.press('p h o t o s enter');
  await screen.waitFor('41 versions removed, 2.0 GB freed');
  expect(daemon.lastOf('jobs.keep')).toEqual({ name: 'photos', dryRun: false });
});

test('a new job is checked while it is typed, and made as it was typed', async () => {
  const { screen, daemon } = await start({
    answers: {
      'jobs.plan': ({ bucket = '' }) => ({
        name: 'docs',
        bucket,
        bucketExists: false,
        existing: false,
        notes: [],
        diff: [{ is: 'added', text: '  - name: docs' }],
        problems: [],
      }),
      'jobs.add': () => ({ job: seededJob({ name: 'docs' }), existing: false, notes: ['a note'] }),
    },
  });
  await screen.press('n');
  await screen.waitFor('New job');
  await screen.paste('~/Documents');
  await screen.press('down right down');
  await screen.paste('No Bucket');
  await screen.press('ctrl-s');
  await screen.waitFor('3 to 63 lower-case letters');
  expect(daemon.lastOf('jobs.add')).toBeUndefined();
  await screen.press('ctrl-u');
  await screen.paste('docs');
  await screen.press('tab tab tab');
  await screen.paste('*.tmp, /build/');
  await screen.press('enter');
  expect(await screen.waitFor('+   - name: docs')).toContain('Bucket docs is made');
  expect(daemon.lastOf('jobs.add')).toBeUndefined();
  await screen.press('y');
  await screen.waitFor('docs: mirroring');
  expect(daemon.lastOf('jobs.add')).toEqual({
    folder: '/home/ada/Documents',
    target: 'eu',
    bucket: 'docs',
    exclude: ['*.tmp', '/build/'],
  });
});

const SETTINGS = {
  'jobs.get': () => ({
    name: 'photos',
    settings: { name: 'photos', folder: '~/Photos', bucket: 'photos', exclude: ['*.tmp'] },
    defaults: { conflict: 'keep-both', paused: false },
    options: ['name', 'folder', 'bucket', 'exclude', 'conflict'],
  }),
} satisfies Answers;

test('settings are written after their lines were shown, and only those that changed', async () => {
  const diff = [{ is: 'added' as const, text: '    conflict: ask' }];
  const { screen, daemon } = await start({
    answers: {
      ...SETTINGS,
      'jobs.edit': ({ dryRun }) => {
        return { diff, problems: [], ...(dryRun ? {} : { job: seededJob() }) };
      },
    },
  });
  await screen.press('e');
  await screen.waitFor("exclude   ['*.tmp']");
  await screen.press('down down down right right right right ctrl-s');
  await screen.waitFor('+     conflict: ask');
  const changes = { conflict: 'ask' };
  expect(daemon.lastOf('jobs.edit')).toEqual({ name: 'photos', changes, dryRun: true });
  await screen.press('n');
  await screen.waitFor('nothing was written');
  await screen.press('ctrl-s y');
  await screen.waitFor('its settings are written');
  expect(daemon.lastOf('jobs.edit')).toEqual({ name: 'photos', changes, dryRun: false });
  await screen.press('u');
  const before = { conflict: null };
  expect(daemon.lastOf('jobs.edit')).toEqual({ name: 'photos', changes: before, dryRun: false });
});

test('settings that are refused stay in the form, with the reason', async () => {
  const problems = [{ option: 'bucket', line: 4, message: 'must be lower-case' }];
  const { screen, daemon } = await start({
    answers: { ...SETTINGS, 'jobs.edit': () => ({ diff: [], problems }) },
  });
  await screen.press('e down X ctrl-s');
  await screen.waitFor('bucket: must be lower-case');
  expect(daemon.asked.filter(({ method }) => method === 'jobs.edit')).toHaveLength(1);
});

test('a job is found and told to run by the palette', async () => {
  const { screen, daemon } = await start({ answers: { 'jobs.run': () => seededJob() } });
  await screen.press(':');
  await screen.type('job home run');
  await screen.press('enter');
  await screen.waitFor('home: a full round has begun');
  expect(screen.text()).toContain('jobs › home');
  expect(daemon.lastOf('jobs.run')).toEqual({ name: 'home' });
  await screen.press(':');
  await screen.type('job nothere');
  await screen.press('enter');
  await screen.waitFor('there is none of that name');
});

test('why a job waits is said with the way out', async () => {
  const { screen } = await start();
  await screen.press('j j j w');
  const text = await screen.waitFor('Why is media held?');
  expect(text).toContain('1 204 changes held');
  expect(text).toContain('a␛[31m.mkv');
  expect(text).toContain('z rejects it');
});

test('a path is asked about below the folder of its job', async () => {
  const { screen, daemon } = await start({
    answers: {
      'jobs.why': ({ job = '', path = '' }) => {
        const ends = 'nothing ends it before its date';
        const retention = { mode: 'COMPLIANCE' as const, retainUntil: NOW };
        return { job, path, isHead: true, retention, legalHold: false, released: false, ends };
      },
    },
  });
  await screen.press('W');
  await screen.paste('2026/a.jpg');
  await screen.press('enter');
  await screen.waitFor('COMPLIANCE until 2026-11-21 12:00');
  // The name of a job would be taken for all of it.
  const path = '/home/ada/Photos/2026/a.jpg';
  expect(daemon.lastOf('jobs.why')).toEqual({ job: path, path });
});

test('what a drill did not bring back is listed', async () => {
  const { screen } = await start({
    answers: {
      'proof.drill': () => {
        const failures = [{ path: 'a.jpg', reason: 'its bytes differ' }];
        return { at: NOW, files: 3, bytes: 30, failures };
      },
    },
  });
  await screen.press('d');
  await screen.waitFor('1 file of 3 did not come back');
  expect(screen.text()).toContain('its bytes differ');
});

test('a folder is only accepted where it is in doubt', async () => {
  const missing = seededJob({ state: 'root missing', reason: 'the folder is gone' });
  const { screen, daemon } = await start({
    answers: {
      status: () => jobsStatus([...JOBS, { ...missing, name: 'lost' }]),
      'jobs.acceptRoot': () => seededJob(),
    },
  });
  await screen.press('A');
  await screen.waitFor('its folder is in no doubt');
  await screen.press('G A y');
  await screen.waitFor('the folder is accepted');
  expect(daemon.lastOf('jobs.acceptRoot')).toEqual({ name: 'lost' });
});

test.each([
  ['the queue', (ui: Ui) => new JobScreen(ui, 'photos'), 'j', 'permission denied'],
  ['its rounds', (ui: Ui) => new JobScreen(ui, 'photos'), 'tab tab', 'full, bucket'],
  ['what is held', (ui: Ui) => new ReviewScreen(ui, 'media'), 'j', 'films/0000.mkv'],
])('%s, opened without a daemon, is read when one is there', async (_what, make, keys, shown) => {
  const { screen, daemon } = await start();
  daemon.stop();
  await screen.waitFor('daemon down');
  screen.ui.router.open(make(screen.ui));
  await screen.press(keys);
  expect(screen.text()).not.toContain(shown);
  daemon.down = undefined;
  await screen.press('r');
  await screen.waitFor(shown);
});

test('a job that is gone says so', async () => {
  const { screen, daemon } = await start();
  await screen.press('enter');
  daemon.emit({ type: 'job.removed', name: 'photos' });
  await screen.tick();
  await screen.waitFor('there is no job photos any more');
  await screen.press('p');
  await screen.waitFor('no job is chosen');
});

test.each([
  ['a plain text', 'keep-both', 'keep-both'],
  ['a path', '~/Photos', '~/Photos'],
  ['a pattern', '*.tmp', "'*.tmp'"],
  ['a number in letters', '08:00', "'08:00'"],
  ['what YAML takes for another thing', 'no', "'no'"],
  ['a quote', "it's", "'it''s'"],
  ['a list', ['node_modules/', '*.o'], "[node_modules/, '*.o']"],
  ['a map', { mode: 'GOVERNANCE', days: 30 }, '{mode: GOVERNANCE, days: 30}'],
  ['a control', 'a\nb', '"a\\nb"'],
  ['a boolean', true, 'true'],
  ['nothing', undefined, ''],
])('%s is written so that it is read as itself', (_what, value, text) => {
  expect(settingText(value)).toBe(text);
  expect(readSetting(text).value).toEqual(value);
});

test('settings with few values are chosen, others typed', () => {
  expect(choicesOf('conflict')).toEqual(['keep-both', 'local', 'remote', 'ask']);
  expect(choicesOf('paused')).toEqual(['true', 'false']);
  expect(choicesOf('exclude')).toBeUndefined();
  expect(readSetting('*.tmp').problem).toContain("'quotes'");
});

test('a folder is completed as far as its neighbours agree', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-complete-'));
  try {
    for (const name of ['photos', 'phones', 'music', '.hidden']) mkdirSync(join(folder, name));
    const complete = (text: string) => completedFolder(text, { folder, userHome: folder });
    expect(await complete('p')).toBe('pho');
    expect(await complete('pho')).toBeUndefined();
    expect(await complete('phot')).toBe('photos/');
    expect(await complete('~/m')).toBe('~/music/');
    expect(await complete(`${folder}/.h`)).toBe(`${folder}/.hidden/`);
    expect(await complete('nothing/at/all')).toBeUndefined();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
