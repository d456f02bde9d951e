/** Tests of the bucket list, the bucket settings, and the ways to open a bucket. */

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, describe, expect, test } from 'vitest';

import { ControlError } from '../../../src/control/control-error.ts';
import { seededStore } from '../../helpers/tui/bucket-seeds.ts';
import { SeededDaemon } from '../../helpers/tui/seeded-daemon.ts';
import type { Answers } from '../../helpers/tui/seeded-daemon.ts';
import { settingAnswers } from '../../helpers/tui/setting-seeds.ts';
import { TestScreen } from '../../helpers/tui/screen.ts';
import { ANSWER_WITHIN_MS } from '../../../tui/data/sources.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const open: TestScreen[] = [];

afterEach(async () => {
  for (const screen of open.splice(0)) await screen.close();
});

async function start(
  more: { size?: { columns: number; rows: number }; answers?: Answers; notesFile?: string } = {},
) {
  const store = seededStore();
  const daemon = new SeededDaemon({ ...store.answers(), ...more.answers });
  const outside = more.notesFile === undefined ? {} : { notesFile: more.notesFile };
  const screen = await new TestScreen({ ...more.size, connect: daemon.connect, outside }).start();
  open.push(screen);
  await screen.press('2');
  await screen.tickUntil('1 of ');
  await screen.tick();
  await screen.tick();
  return { daemon, screen, store };
}

test.each([
  [80, 24],
  [120, 40],
])(
  'the dashboard shows versioning, lock, size and job of each bucket at %i×%i',
  async (columns, rows) => {
    const { screen } = await start({ size: { columns, rows } });
    const text = await screen.waitFor('G 30d');
    await expect(text).toMatchFileSnapshot(`snapshots/buckets-${columns}x${rows}.txt`);
  },
);

test('the dashboard shows a message and opens nothing after Enter on a bucket list that is still loading', async () => {
  const listed = Promise.withResolvers<{ buckets: { name: string; createdAt: number }[] }>();
  const answers = { ...seededStore().answers(), 'buckets.list': () => listed.promise };
  const { connect } = new SeededDaemon(answers);
  const screen = await new TestScreen({ connect }).start();
  open.push(screen);
  await screen.type('2\r');
  await screen.waitFor('Enter is not available: the list is still loading');
  listed.resolve({ buckets: [{ name: 'photos', createdAt: 0 }] });
  await screen.tickUntil('1 of 1');
  await screen.press('enter');
  await screen.waitFor('buckets › photos');
});

test('the dashboard shows the error of an unreachable target and the buckets of the other targets', async () => {
  const { screen } = await start({
    answers: {
      'targets.list': () => ({
        targets: [{ name: 'eu', endpoint: 'https://x', region: 'r', protocol: 'svc', jobs: [] }],
      }),
      'buckets.list': ({ target }) => {
        if (target === 'eu') throw new ControlError('Transport', 'reach eu: no route');
        return { buckets: [{ name: 'mine', createdAt: 0 }] };
      },
    },
  });
  expect(await screen.waitFor('reach eu: no route')).toContain('mine');
});

test('the dashboard shows the name of a target that does not respond without delaying the buckets of other targets', async () => {
  const eu = { name: 'eu', endpoint: 'https://x', region: 'r', protocol: 'svc' as const };
  const { screen } = await start({
    answers: {
      'targets.list': () => ({ targets: [{ ...eu, jobs: [] }] }),
      'buckets.list': ({ target }) =>
        target === 'eu'
          ? new Promise<never>(() => undefined)
          : { buckets: [{ name: 'mine', createdAt: 0 }] },
    },
  });
  expect(await screen.waitFor('waiting for eu')).toContain('mine');
  await screen.tick(ANSWER_WITHIN_MS);
  expect(await screen.tickUntil('! eu: no answer within 15 s')).toContain('mine');
});

describe('creating a bucket in the dashboard', () => {
  test('the dashboard checks the name of a new bucket and selects the new bucket in the list', async () => {
    const { screen, daemon } = await start();
    await screen.press('n');
    await screen.type('Bad_Name');
    await screen.press('ctrl-s');
    expect(await screen.waitFor('3 to 63 characters')).toContain('New bucket');
    await screen.press('ctrl-u');
    await screen.type('letters');
    await screen.press('tab tab tab right ctrl-s');
    await screen.waitFor('created letters');
    expect(daemon.lastOf('buckets.create')).toEqual({
      bucket: 'letters',
      versioning: true,
      objectLock: true,
    });
    await screen.tickUntil('❯ letters');
    await screen.tick(6_000);
    await screen.waitFor('4 of 4');
  });

  test('the dashboard creates a bucket on any target, even one without buckets', async () => {
    const eu = { name: 'eu', endpoint: 'https://x', region: 'r', protocol: 'svc' as const };
    const buckets = [{ name: 'mine', createdAt: 0 }];
    const { screen } = await start({
      answers: {
        'targets.list': () => ({ targets: [{ ...eu, jobs: [] }] }),
        'buckets.list': ({ target }) => ({ buckets: target === 'eu' ? [] : buckets }),
      },
    });
    await screen.waitFor('no buckets at eu: press n to create one');
    await screen.press('n tab right');
    await screen.waitFor('< eu >');
  });

  test('the dashboard refuses to create a bucket with object lock but without versioning', async () => {
    const { screen, daemon } = await start();
    await screen.press('n');
    await screen.type('letters');
    await screen.press('tab tab right tab right ctrl-s');
    await screen.waitFor('object lock needs versioning');
    expect(daemon.lastOf('buckets.create')).toBeUndefined();
  });
});

describe('deleting a bucket in the dashboard', () => {
  test('the dashboard refuses to delete a bucket while a job backs up to it', async () => {
    const { screen } = await start();
    await screen.press('j D');
    await screen.waitFor('job photos mirrors into it');
  });

  test("the dashboard requires typing the name to delete a bucket and shows the store's error", async () => {
    const { screen, store } = await start();
    await screen.press('j j D');
    expect(await screen.waitFor('type scratch to confirm')).toContain('It contains 1 version');
    await screen.type('scratch');
    await screen.press('enter');
    await screen.waitFor('delete bucket scratch: it is not empty');
    expect(store.buckets.has('scratch')).toBe(true);
  });
});

test('the dashboard saves a bucket that was opened by name in a file with mode 0600 and can remove it from the file', async () => {
  const notesFile = join(temporaryFolder(), 'dashboard.json');
  const { screen } = await start({
    notesFile,
    answers: { 'buckets.list': () => ({ buckets: [] }) },
  });
  await screen.press('b');
  await screen.type('scratch');
  await screen.press('enter');
  await screen.tickUntil('plain.txt');
  const saved = JSON.parse(readFileSync(notesFile, 'utf8')) as unknown;
  expect(saved).toEqual({ openedBuckets: [{ target: 'local', bucket: 'scratch' }] });
  expect(statSync(notesFile).mode & 0o777).toBe(0o600);
  await screen.press('h');
  await screen.tickUntil('❯ photos');
  await screen.tickUntil('scratch');
  await screen.press('j x');
  await screen.tickUntil('forgot scratch');
  await screen.tick(6_000);
  await screen.tickUntil('1 of 1');
});

test('the dashboard opens a folder of a bucket from the command palette and completes the names of both', async () => {
  const { screen } = await start();
  await screen.press(':');
  await screen.type('bucket arch');
  await screen.tickUntil('bucket archive');
  await screen.press('tab');
  await screen.type('/2026/0');
  await screen.tickUntil('bucket archive/2026/07/');
  await screen.press('tab enter');
  const text = await screen.waitFor('buckets › archive › 2026/07/');
  expect(text).toContain('thumbs/');
});

describe('the settings of a bucket', () => {
  test.each([
    [80, 24],
    [120, 40],
  ])('the dashboard shows each bucket setting on one line at %i×%i', async (columns, rows) => {
    const { screen } = await start({ size: { columns, rows }, answers: settingAnswers });
    await screen.press('e');
    const text = await screen.waitFor('team=core');
    await expect(text).toMatchFileSnapshot(`snapshots/bucket-settings-${columns}x${rows}.txt`);
  });

  test('the dashboard requires typing the bucket name to set a default retention in COMPLIANCE mode', async () => {
    const { screen, daemon } = await start({ answers: settingAnswers });
    await screen.press('e j enter right tab ctrl-u');
    await screen.type('40000d');
    await screen.press('ctrl-s');
    await screen.waitFor('at most 36500d');
    await screen.press('ctrl-u');
    await screen.type('7y');
    await screen.press('ctrl-s');
    await screen.waitFor('type archive to confirm');
    await screen.press('esc');
    expect(daemon.lastOf('locks.set')).toBeUndefined();
    await screen.press('ctrl-s');
    await screen.waitFor('type archive to confirm');
    await screen.tick(350);
    await screen.type('archive');
    await screen.press('enter');
    await screen.waitFor('default lock: COMPLIANCE 7y');
    expect(daemon.lastOf('locks.set')).toEqual({
      bucket: 'archive',
      defaultRetention: { mode: 'COMPLIANCE', years: 7 },
    });
  });

  test('the dashboard shows the problem of an invalid policy and does not save the policy', async () => {
    const { screen, daemon } = await start({ answers: settingAnswers });
    await screen.press('e j j j enter');
    await screen.waitFor('❯ 2 write it in your editor');
    await screen.press('3');
    await screen.paste('{"Statement":\n []}');
    await screen.press('ctrl-s');
    await screen.waitFor('policy: statement 1: no such action');
    expect(daemon.lastOf('policy.set')).toBeUndefined();
  });

  test('the form of a quota shows its limits with units or grouped digits, and saves the same numbers', async () => {
    const { screen, daemon } = await start({ answers: settingAnswers });
    const limits = { bytes: 1e12, objects: 1e6 };
    const quota = { ...limits, set: limits, usage: { objects: 10, sizeBytes: 4_100 } };
    daemon.replace('quotas.getBucket', () => quota);
    daemon.replace('quotas.setBucket', () => quota);
    await screen.press('e j j j j j j j j enter');
    expect(await screen.waitFor('Quota')).toMatch(/size +1 TB [^]*objects +1,000,000 /);
    await screen.press('ctrl-s');
    await screen.waitFor('the quota is saved');
    expect(daemon.lastOf('quotas.setBucket')).toMatchObject({ bytes: 1e12, objects: 1e6 });
  });

  test('the dashboard does not save a policy that the user left unchanged in the editor', async () => {
    const { screen, daemon } = await start({ answers: settingAnswers });
    await screen.press('e j j j enter 2');
    await screen.waitFor('Policy: nothing was changed');
    expect(daemon.lastOf('policy.set')).toBeUndefined();
  });

  test('the dashboard explains why a lifecycle rule with extended parameters cannot be edited', async () => {
    const { screen, daemon } = await start({ answers: settingAnswers });
    await screen.press('e j j j j enter');
    const text = await screen.waitFor('logs/');
    await expect(text).toMatchFileSnapshot('snapshots/lifecycle-80x24.txt');
    await screen.press('j e');
    await screen.waitFor('e is not available: the rule has extended parameters');
    await screen.press('k e');
    await screen.waitFor(/enabled +< yes >/);
    await screen.press('esc p');
    await screen.waitFor('rule old is off');
    expect(daemon.lastOf('lifecycle.set')?.rules[0]).toMatchObject({ id: 'old', enabled: false });
    await screen.press('w');
    expect(await screen.waitFor('logs/a␛[2J')).toContain('locked');
  });
});
