/** Tests of the actions on jobs in the dashboard, and of the questions before them. */

import { expect, test } from 'vitest';

import { JOBS, jobsStatus } from '../../helpers/tui/job-seeds.ts';
import { startJobs } from '../../helpers/tui/jobs-screen.ts';
import { NOW, seededJob, seededStatus } from '../../helpers/tui/seeds.ts';

test('the dashboard pauses a job without a question, and undo resumes the job', async () => {
  const paused = seededJob({ ...JOBS[0], state: 'paused' });
  const { screen, daemon } = await startJobs({
    answers: { 'jobs.pause': () => paused, 'jobs.resume': () => paused },
  });
  await screen.press('p');
  await screen.waitFor('paused photos   u undo');
  expect(daemon.lastOf('jobs.pause')).toEqual({ name: 'photos' });
  await screen.press('u');
  expect(daemon.lastOf('jobs.resume')).toEqual({ name: 'photos' });
  await screen.waitFor('undone: paused photos');
});

test('the dashboard shows no progress of a paused job, and pauses a job with the command ":job NAME stop"', async () => {
  const idle = seededJob();
  const { screen, daemon } = await startJobs({
    answers: {
      status: () => jobsStatus([idle]),
      'jobs.pause': () => ({ ...idle, state: 'paused' }),
    },
    until: 'watching',
  });
  expect(screen.text()).toContain('100 %');
  await screen.type(':job photos stop\r');
  await screen.waitFor('paused photos   u undo');
  expect(daemon.lastOf('jobs.pause')).toEqual({ name: 'photos' });
  daemon.emit({ type: 'job.changed', job: { ...idle, state: 'paused', inSync: false } });
  await screen.tick();
  expect(await screen.waitFor('paused')).not.toContain('100 %');
});

test("the dashboard opens the bucket of a job at the job's prefix with the key b", async () => {
  const job = seededJob({ target: 'eu', prefix: 'laptop/' });
  const { screen, daemon } = await startJobs({
    answers: { status: () => jobsStatus([{ ...job, state: 'mirroring' }]) },
  });
  await screen.press('b');
  await screen.waitFor('[2 Buckets]');
  expect(daemon.lastOf('objects.list') ?? daemon.lastOf('versions.list')).toMatchObject({
    target: 'eu',
    bucket: 'photos',
    prefix: 'laptop/',
  });
});

test('the dashboard pauses all marked jobs together', async () => {
  const { screen, daemon } = await startJobs({
    answers: { 'jobs.pause': () => seededJob(), 'jobs.resume': () => seededJob() },
  });
  await screen.press('space space p');
  await screen.waitFor('paused photos, logs');
  const names = daemon.asked.filter(({ method }) => method === 'jobs.pause');
  expect(names.map(({ params }) => params)).toEqual([{ name: 'photos' }, { name: 'logs' }]);
});

test('the dashboard requires typing the name to remove a job and states that the bucket is kept', async () => {
  const { screen, daemon } = await startJobs({
    answers: { 'jobs.remove': () => ({ notes: ['its claim could not be released'] }) },
  });
  await screen.press('D');
  const asked = await screen.waitFor('Remove job photos?');
  expect(asked).toContain('eu/photos keeps');
  expect(asked.replaceAll(/[\s│]+/g, ' ')).toContain('812 pending');
  await screen.press('x enter');
  await screen.waitFor('the text does not match');
  expect(daemon.lastOf('jobs.remove')).toBeUndefined();
  await screen.press('ctrl-u p h o t o s enter');
  await screen.waitFor('its claim could not be released');
  expect(daemon.lastOf('jobs.remove')).toEqual({ name: 'photos' });
});

test('the dashboard does not apply keys typed for a removed job to the next job', async () => {
  const { screen, daemon } = await startJobs({ answers: { 'jobs.remove': () => ({}) } });
  await screen.press('D');
  await screen.waitFor('Remove job photos?');
  daemon.emit({ type: 'job.removed', name: 'photos' });
  await screen.tick();
  await screen.press('p h o t o s enter');
  expect(daemon.lastOf('jobs.remove')).toEqual({ name: 'photos' });
});

test('the dashboard states the number and size of old versions in the question before they are pruned', async () => {
  const none = {
    versions: 0,
    bytes: 0,
    markers: 0,
    retained: 3,
    needed: 0,
    others: 0,
    undated: 0,
    failed: 0,
  };
  let report = none;
  const { screen, daemon } = await startJobs({ answers: { 'jobs.keep': () => report } });
  await screen.press('K');
  await screen.waitFor('photos has no version that its keep rules would remove');
  expect(daemon.lastOf('jobs.keep')).toEqual({ name: 'photos', dryRun: true });
  report = { ...none, versions: 41, bytes: 2e9 };
  await screen.press('K');
  await screen.waitFor('41 versions are older than the keep rules allow: frees 2 GB');
  expect(screen.text()).toContain('3 versions stay until their lock ends.');
  expect(daemon.lastOf('jobs.keep')).toEqual({ name: 'photos', dryRun: true });
  await screen.press('p h o t o s enter');
  await screen.waitFor('41 versions removed, 2 GB freed');
  expect(daemon.lastOf('jobs.keep')).toEqual({ name: 'photos', dryRun: false });
});

test('the dashboard shows the bucket of every job of the embedded store in the same form', async () => {
  const jobs = [
    seededJob({ name: 'short', folder: '/a', bucket: 'b' }),
    seededJob({ name: 'long', folder: `/home/ada/${'deep/'.repeat(20)}`, bucket: 'long' }),
  ];
  const { screen } = await startJobs({
    until: 'short',
    answers: { status: () => ({ ...seededStatus(), jobs }) },
  });
  const text = await screen.waitFor('→ long');
  expect(text).toContain('/a → b ');
});

test('the dashboard opens a job and starts a sync round from the command palette', async () => {
  const { screen, daemon } = await startJobs({ answers: { 'jobs.run': () => seededJob() } });
  await screen.press(':');
  await screen.type('job home run');
  await screen.press('enter');
  await screen.waitFor('home: a full round has begun');
  expect(screen.text()).toContain('jobs › home');
  expect(daemon.lastOf('jobs.run')).toEqual({ name: 'home' });
  await screen.press(':');
  await screen.type('job nothere');
  await screen.press('enter');
  await screen.waitFor('unknown job "nothere": the jobs are photos');
});

test('the dashboard shows why a job is held and the keys that resolve it', async () => {
  const { screen } = await startJobs();
  await screen.press('j j j w');
  const text = await screen.waitFor('Why is media held?');
  expect(text).toContain('1,204 changes held');
  expect(text).toContain('a␛[31m.mkv');
  expect(text).toContain('z to reject');
});

test('the dashboard resolves a relative path below the folder of its job', async () => {
  const { screen, daemon } = await startJobs({
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
  // A name without a slash would refer to the whole job.
  const path = '/home/ada/Photos/2026/a.jpg';
  expect(daemon.lastOf('jobs.why')).toEqual({ job: path, path });
});

test('the dashboard lists the findings of a verification as they arrive, followed by the totals', async () => {
  const { screen, daemon } = await startJobs();
  const finding = {
    is: 'finding',
    path: 'a\u{202e}.jpg',
    code: 'missing',
    message: 'is not there',
  };
  const counts = {
    entries: 3,
    bytes: 30,
    changedMeanwhile: 0,
    readBack: 1,
    readBackBytes: 10,
    toBeLocked: 0,
  };
  const done = { is: 'done', ...counts, findings: 1 };
  daemon.replace('proof.verify', () => ({ stream: daemon.offer([finding, done]) }));
  await screen.press('v');
  await screen.type('a lot');
  await screen.press('enter');
  await screen.waitFor('write a size such as 500MB');
  expect(daemon.lastOf('proof.verify')).toBeUndefined();
  await screen.press('ctrl-u');
  await screen.type('10GB');
  await screen.press('enter');
  await screen.waitFor('missing: is not there');
  expect(screen.text()).toContain('a‹U+202E›.jpg');
  await screen.waitFor('photos: 3 paths, 30 B; 1 difference; 10 B read back');
  expect(daemon.lastOf('proof.verify')).toEqual({ name: 'photos', readBackBytes: 10e9 });
});

test('the dashboard keeps the new state of a job if a pending response contains the earlier state', async () => {
  const { screen, daemon } = await startJobs();
  const answer = Promise.withResolvers<ReturnType<typeof jobsStatus>>();
  daemon.replace('status', () => answer.promise);
  await screen.press('r');
  daemon.emit({ type: 'job.changed', job: seededJob({ ...JOBS[1], state: 'watching' }) });
  answer.resolve(jobsStatus(JOBS));
  await screen.tick();
  expect(JOBS[1]).toMatchObject({ name: 'logs', state: 'scanning' });
  expect(screen.text()).toMatch(/logs .* watching/);
});

test('the dashboard shows the share of reread content as soon as a verification has read content back', async () => {
  const { screen, daemon } = await startJobs({ columns: 120, rows: 40 });
  const proof = { ...JOBS[0]!.proof!, verifiedShare: 0.001 };
  daemon.replace('status', () => jobsStatus([seededJob({ ...JOBS[0], proof })]));
  const counts = { entries: 3, bytes: 30, findings: 0, changedMeanwhile: 0, toBeLocked: 0 };
  const done = { is: 'done', ...counts, readBack: 1, readBackBytes: 5 };
  daemon.replace('proof.verify', () => ({ stream: daemon.offer([done]) }));
  await screen.press('v enter');
  await screen.waitFor('5 B read back');
  expect(screen.text()).toMatch(/read again +less than 1 %, all in 30 days/);
});

test('the dashboard shows only a message after a verification without findings', async () => {
  const { screen, daemon } = await startJobs();
  const counts = {
    entries: 3,
    bytes: 30,
    changedMeanwhile: 0,
    readBack: 0,
    readBackBytes: 0,
    toBeLocked: 0,
  };
  const done = { is: 'done', ...counts, findings: 0 };
  daemon.replace('proof.verify', () => ({ stream: daemon.offer([done]) }));
  await screen.press('v enter');
  await screen.waitFor('no differences');
  expect(screen.text()).toContain('[3 Jobs]');
});

test.each([
  ['1', 'media'],
  ['3', 'photos'],
])(
  'the dashboard starts a restore test on screen %s only after the user confirmed it',
  async (tab, name) => {
    const report = { at: NOW, files: 3, bytes: 30, failures: [] };
    const { screen, daemon } = await startJobs({ answers: { 'proof.drill': () => report } });
    await screen.press(`${tab} d`);
    await screen.waitFor(`Run a restore test of ${name} now?`);
    expect(daemon.lastOf('proof.drill')).toBeUndefined();
    await screen.press('n d y');
    await screen.waitFor(`${name}: restored 3 files, 30 B without a difference`);
    expect(daemon.lastOf('proof.drill')).toEqual({ name });
  },
);

test('the dashboard lists the files that a restore test could not restore', async () => {
  const { screen } = await startJobs({
    answers: {
      'proof.drill': () => {
        const failures = [{ path: 'a.jpg', reason: 'its bytes differ' }];
        return { at: NOW, files: 3, bytes: 30, failures };
      },
    },
  });
  await screen.press('d y');
  await screen.waitFor('could not restore 1 file');
  expect(screen.text()).toContain('its bytes differ');
});

test('the dashboard accepts the folder of a job only if the job reports the folder as missing or changed', async () => {
  const missing = seededJob({ state: 'root missing', reason: 'the folder is gone' });
  const { screen, daemon } = await startJobs({
    answers: {
      status: () => jobsStatus([...JOBS, { ...missing, name: 'lost' }]),
      'jobs.acceptRoot': () => seededJob(),
    },
  });
  await screen.press('A');
  await screen.waitFor('its folder is not missing');
  await screen.press('G A y');
  await screen.waitFor('the folder is accepted');
  expect(daemon.lastOf('jobs.acceptRoot')).toEqual({ name: 'lost' });
});
