/** Tests of the forms for a new job, a new target and the settings of a job. */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { startJobs } from '../../helpers/tui/jobs-screen.ts';
import type { TestScreen } from '../../helpers/tui/screen.ts';
import type { Answers } from '../../helpers/tui/seeded-daemon.ts';
import { seededJob } from '../../helpers/tui/seeds.ts';
import { choicesOf, jobOptions, optionProblem } from '../../../src/config/job-options.ts';
import { ControlError } from '../../../src/control/control-error.ts';
import { completedFolder } from '../../../tui/acts/complete-path.ts';
import { optionText, readOptionValue } from '../../../src/config/option-value.ts';

test('the dashboard checks the fields of a new job, shows a preview, and creates the job as typed', async () => {
  const { screen, daemon } = await startJobs({
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
  await screen.waitFor('bucket: must be 3 to 63 lower-case letters');
  expect(daemon.lastOf('jobs.add')).toBeUndefined();
  await screen.press('ctrl-u');
  await screen.paste('docs');
  await screen.press('tab tab tab');
  await screen.type('30d');
  await screen.press('tab');
  await screen.type('smart');
  await screen.press('tab');
  await screen.paste('*.tmp, /build/');
  await screen.press('enter');
  expect(await screen.waitFor('+   - name: docs')).toContain('Bucket docs will be created');
  expect(daemon.lastOf('jobs.add')).toBeUndefined();
  await screen.press('y');
  await screen.waitFor('docs: backing up');
  expect(daemon.lastOf('jobs.add')).toEqual({
    folder: '/home/ada/Documents',
    target: 'eu',
    bucket: 'docs',
    exclude: ['*.tmp', '/build/'],
    lock: { mode: 'GOVERNANCE', days: 30 },
    keep: 'smart',
  });
});

test('the dashboard checks the endpoint of a new target before the key', async () => {
  const { screen } = await startJobs();
  await screen.press('N');
  await screen.waitFor('New target');
  await screen.paste('far.example.com/path');
  await screen.press('ctrl-s');
  await screen.waitFor('endpoint: must be http://HOST[:PORT]');
});

const PLANNED = {
  name: 'far',
  existing: false,
  credentialsFile: '/home/ada/.holdfast/credentials/far.json',
  diff: [{ is: 'added' as const, text: '  - name: far' }],
  problems: [],
};

async function typeTarget(screen: TestScreen, secret = 'open sesame'): Promise<void> {
  await screen.waitFor('New target');
  await screen.paste('https://far.example.com');
  await screen.press('tab tab tab');
  await screen.type('AKIA1');
  await screen.press('tab');
  await screen.paste(secret);
}

test('the dashboard shows a preview of a new target before it is added and never shows the secret', async () => {
  const { screen, daemon } = await startJobs({
    answers: {
      'targets.plan': () => PLANNED,
      'targets.add': () => ({ name: 'far', existing: false }),
    },
  });
  await screen.press('N ctrl-s');
  await screen.waitFor('endpoint: is required');
  await typeTarget(screen);
  await screen.press('ctrl-s');
  const question = await screen.waitFor('Add target far?');
  expect(question).toContain('+   - name: far');
  expect(question).toContain('~/.holdfast/credentials/far.json');
  expect(daemon.lastOf('targets.add')).toBeUndefined();
  await screen.press('y');
  await screen.waitFor('target far is added');
  const target = { endpoint: 'https://far.example.com', region: 'us-east-1' };
  expect(daemon.lastOf('targets.plan')).toEqual(target);
  const key = { accessKeyId: 'AKIA1', secretAccessKey: 'open sesame' };
  expect(daemon.lastOf('targets.add')).toEqual({ ...target, ...key });
  expect(screen.written).not.toContain('sesame');
});

test('the dashboard keeps the form of a new target open if the service refuses the key', async () => {
  const { screen } = await startJobs({
    answers: {
      'targets.plan': () => PLANNED,
      'targets.add': () => {
        throw new ControlError('Storage', 'list buckets: the key is not known there');
      },
    },
  });
  await screen.press('N');
  await typeTarget(screen);
  await screen.press('ctrl-s');
  await screen.waitFor('Add target far?');
  await screen.press('y');
  expect(await screen.waitFor('the key is not known there')).toContain('AKIA1');
});

test('the dashboard asks for the target first if a new job uses a new service, and keeps the fields already typed', async () => {
  const { screen, daemon } = await startJobs({
    answers: {
      'targets.plan': () => PLANNED,
      'targets.add': () => {
        const far = { name: 'far', endpoint: 'https://far.example.com' };
        const one = { ...far, region: 'us-east-1', protocol: 's3' as const, jobs: [] };
        daemon.replace('targets.list', () => ({ targets: [one] }));
        return { name: 'far', existing: false };
      },
    },
  });
  await screen.press('n');
  await screen.waitFor('New job');
  await screen.paste('~/Documents');
  await screen.press('down left');
  await screen.waitFor('< another service >');
  await screen.press('ctrl-s');
  await typeTarget(screen);
  await screen.press('ctrl-s');
  await screen.waitFor('Add target far?');
  await screen.press('y');
  const form = await screen.waitFor('< far >');
  expect(form).toContain('~/Documents');
  await screen.press('down right');
  await screen.waitFor('< another service >');
  await screen.press('ctrl-s');
  await screen.waitFor('New target');
  await screen.press('esc');
  expect(await screen.waitFor('< local >')).toContain('~/Documents');
});

const SETTINGS = {
  'jobs.get': () => ({
    name: 'photos',
    settings: { name: 'photos', folder: '~/Photos', bucket: 'photos', exclude: ['*.tmp'] },
    defaults: { conflict: 'keep-both', paused: false },
    options: ['name', 'folder', 'bucket', 'exclude', 'conflict'],
  }),
} satisfies Answers;

const ALL_OPTIONS = {
  'jobs.get': () => ({
    ...SETTINGS['jobs.get'](),
    options: jobOptions().map(({ name }) => name),
  }),
  'jobs.edit': ({ dryRun }) => {
    const diff = [{ is: 'added' as const, text: '    lock:' }];
    return { diff, problems: [], ...(dryRun ? {} : { job: seededJob() }) };
  },
} satisfies Answers;

test('the dashboard shows a preview of changed settings and writes only these', async () => {
  const diff = [{ is: 'added' as const, text: '    conflict: ask' }];
  const { screen, daemon } = await startJobs({
    answers: {
      ...SETTINGS,
      'jobs.edit': ({ dryRun }) => {
        return { diff, problems: [], ...(dryRun ? {} : { job: seededJob() }) };
      },
    },
  });
  await screen.press('e');
  await screen.waitFor('exclude   *.tmp');
  await screen.press('down down down');
  expect(await screen.waitFor('< (both) >')).toContain(
    'which side remains if both changed; default: both',
  );
  await screen.press('right right right');
  await screen.waitFor('< bucket >');
  await screen.press('right ctrl-s');
  await screen.waitFor('+     conflict: ask');
  const changes = { conflict: 'ask' };
  expect(daemon.lastOf('jobs.edit')).toEqual({ name: 'photos', changes, dryRun: true });
  await screen.press('n');
  await screen.waitFor('nothing was saved');
  await screen.press('ctrl-s y');
  await screen.waitFor('its settings are saved');
  expect(daemon.lastOf('jobs.edit')).toEqual({ name: 'photos', changes, dryRun: false });
  await screen.press('u');
  const before = { conflict: null };
  expect(daemon.lastOf('jobs.edit')).toEqual({ name: 'photos', changes: before, dryRun: false });
});

test('the dashboard shows the default and an example of each job option in words', async () => {
  const { screen, daemon } = await startJobs({ answers: ALL_OPTIONS, rows: 40 });
  await screen.press('e');
  expect(await screen.waitFor('Protection')).toMatch(
    /Source and destination .*\n.*folder +~\/Photos/,
  );
  await screen.press('pagedown pagedown');
  await screen.waitFor(/❯ conflict/);
  await screen.press('tab tab tab');
  await screen.waitFor('lock of each version, such as 30d or COMPLIANCE 1y; default: no lock');
  await screen.press('pagedown pagedown');
  await screen.waitFor('maximum download per day for verification, such as 500MB');
  await screen.press('pageup pageup tab tab tab');
  await screen.type('100d');
  await screen.press('ctrl-s');
  await screen.waitFor('Write this');
  const lock = { mode: 'GOVERNANCE', days: 100 };
  expect(daemon.lastOf('jobs.edit')).toEqual({ name: 'photos', changes: { lock }, dryRun: true });
});

test('the dashboard shows most fields of a new job on the smallest terminal', async () => {
  const { screen } = await startJobs({ columns: 60, rows: 16 });
  await screen.press('n');
  expect(await screen.waitFor('New job')).toMatch(/❯ folder[^]*keep/);
});

test('the dashboard refuses to remove a required option of a job', async () => {
  const { screen } = await startJobs({ answers: ALL_OPTIONS });
  await screen.press('e ctrl-u ctrl-s');
  await screen.waitFor('folder: is required');
});

test('the dashboard requires typing the name to set a COMPLIANCE lock on a job', async () => {
  const { screen, daemon } = await startJobs({ answers: ALL_OPTIONS });
  await screen.press('e pagedown pagedown tab tab tab');
  await screen.type('compliance 7d');
  await screen.press('ctrl-s');
  expect(await screen.waitFor('type photos to confirm')).toContain('is locked for 7 days');
  await screen.press('y enter');
  await screen.waitFor('the text does not match');
  expect(daemon.lastOf('jobs.edit')?.dryRun).toBe(true);
});

test('the dashboard keeps the form open and shows the reason if settings are refused', async () => {
  const problems = [{ option: 'bucket', line: 4, message: 'must be lower-case' }];
  const { screen, daemon } = await startJobs({
    answers: { ...SETTINGS, 'jobs.edit': () => ({ diff: [], problems }) },
  });
  await screen.press('e down');
  await screen.type('valid');
  await screen.press('ctrl-s');
  await screen.waitFor('bucket: must be lower-case');
  expect(daemon.asked.filter(({ method }) => method === 'jobs.edit')).toHaveLength(1);
});

test.each([
  ['conflict', 'keep-both', 'keep-both'],
  ['folder', '~/Photos: 2026', '~/Photos: 2026'],
  ['folder', "it's", "it's"],
  ['schedule', '0 2 * * *', '0 2 * * *'],
  ['window', '22:00-06:00', '22:00-06:00'],
  ['heartbeatUrl', 'https://a.example/#1', 'https://a.example/#1'],
  ['bucket', 'a\nb', '"a\\nb"'],
  ['exclude', ['node_modules/', '*.o'], 'node_modules/, *.o'],
  ['exclude', ['a,b', "it's"], "['a,b', 'it''s']"],
  ['lock', { mode: 'GOVERNANCE', days: 30 }, 'GOVERNANCE 30d'],
  [
    'lock',
    { mode: 'COMPLIANCE', days: 7, refreshDays: 1 },
    '{mode: COMPLIANCE, days: 7, refreshDays: 1}',
  ],
  ['keep', 'smart', 'smart'],
  ['keep', { all: '7d', daily: '30d' }, 'all 7d, daily 30d'],
  ['verifyDays', 30, '30d'],
  ['verifyDays', 0, '0'],
  ['rescanMinutes', 90, '90m'],
  ['rescanMinutes', 120, '2h'],
  ['verifyMegabytesPerDay', 500, '500MB'],
  ['paused', true, 'true'],
  ['also', [{ target: 'eu', bucket: 'no' }], "[{target: eu, bucket: 'no'}]"],
])('the form of a job shows the option %s with the value %j as %s', (option, value, text) => {
  expect(optionText(option, value)).toBe(text);
  expect(readOptionValue(option, text)).toEqual(value);
});

test.each([
  ['lock', '30d', { mode: 'GOVERNANCE', days: 30 }],
  ['lock', 'compliance 1y', { mode: 'COMPLIANCE', days: 365 }],
  ['lock', '{mode: GOVERNANCE, days: 30}', { mode: 'GOVERNANCE', days: 30 }],
  ['keep', '30d', { all: '30d' }],
  ['verifyDays', '12w', 84],
  ['verifyDays', '30', 30],
  ['rescanMinutes', '1h 30m', 90],
  ['exclude', "['*.tmp', cache/]", ['*.tmp', 'cache/']],
  ['folder', '', null],
])('the form of a job parses, for the option %s, the text %j to %j', (option, text, value) => {
  expect(readOptionValue(option, text)).toEqual(value);
});

test.each([
  ['lock', 'soon', 'must be a map of keys and values'],
  ['lock', '200y', 'days: must be at most 36500'],
  ['verifyDays', '1h', 'must be a whole number of days'],
  ['bucket', 'No Bucket', 'must be 3 to 63 lower-case letters'],
])(
  'the form of a job refuses, for the option %s, the text %j with a reason',
  (option, text, reason) => {
    expect(optionProblem(option, readOptionValue(option, text))).toContain(reason);
  },
);

test('the dashboard offers the values of a setting with few values as choices, and lets the user type others', () => {
  expect(choicesOf('conflict')).toEqual(['keep-both', 'local', 'remote', 'ask']);
  expect(choicesOf('paused')).toEqual(['true', 'false']);
  expect(choicesOf('exclude')).toBeUndefined();
});

test('the dashboard completes a folder path to the longest common prefix', async () => {
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
