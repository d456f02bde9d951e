/** Tests of the forms for a new job, a new target and the settings of a job. */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { startJobs } from '../../helpers/tui/jobs-screen.ts';
import type { TestScreen } from '../../helpers/tui/screen.ts';
import type { Answers } from '../../helpers/tui/seeded-daemon.ts';
import { seededJob } from '../../helpers/tui/seeds.ts';
import { choicesOf } from '../../../src/config/job-options.ts';
import { ControlError } from '../../../src/control/control-error.ts';
import { completedFolder } from '../../../tui/acts/complete-path.ts';
import { readSetting } from '../../../tui/screens/jobs/settings.ts';
import { settingText } from '../../../tui/text/setting-text.ts';

test('the form of a new job checks its fields, previews the change, and creates the job as typed', async () => {
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

test('the endpoint of a new target is checked before its key', async () => {
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

test('a new target is previewed before it is added, and its secret is never shown', async () => {
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

test('if the key of a new target is refused, the form stays open for correction', async () => {
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

test('a job for a new service first asks for the target, and then keeps the fields already typed', async () => {
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

test('changed settings are previewed, and only these are written', async () => {
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

test('if settings are refused, the form stays open and shows the reason', async () => {
  const problems = [{ option: 'bucket', line: 4, message: 'must be lower-case' }];
  const { screen, daemon } = await startJobs({
    answers: { ...SETTINGS, 'jobs.edit': () => ({ diff: [], problems }) },
  });
  await screen.press('e down X ctrl-s');
  await screen.waitFor('bucket: must be lower-case');
  expect(daemon.asked.filter(({ method }) => method === 'jobs.edit')).toHaveLength(1);
});

test.each([
  ['a plain text', 'keep-both', 'keep-both'],
  ['a path', '~/Photos', '~/Photos'],
  ['a pattern', '*.tmp', "'*.tmp'"],
  ['a string of digits', '08:00', "'08:00'"],
  ['a string that YAML reads as another type', 'no', "'no'"],
  ['a quote', "it's", "'it''s'"],
  ['a list', ['node_modules/', '*.o'], "[node_modules/, '*.o']"],
  ['a map', { mode: 'GOVERNANCE', days: 30 }, '{mode: GOVERNANCE, days: 30}'],
  ['a control character', 'a\nb', '"a\\nb"'],
  ['a boolean', true, 'true'],
  ['a setting without a value', undefined, ''],
])('%s is quoted in a setting so that it parses to the same value', (_what, value, text) => {
  expect(settingText(value)).toBe(text);
  expect(readSetting(text).value).toEqual(value);
});

test('a setting with few possible values offers them as choices, and others are typed', () => {
  expect(choicesOf('conflict')).toEqual(['keep-both', 'local', 'remote', 'ask']);
  expect(choicesOf('paused')).toEqual(['true', 'false']);
  expect(choicesOf('exclude')).toBeUndefined();
  expect(readSetting('*.tmp').problem).toContain("'quotes'");
});

test('the path of a folder is completed to the longest common prefix', async () => {
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
