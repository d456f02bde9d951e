/** Tests of `holdfast s3 serve`. The command runs the embedded store without jobs. */

import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { Context } from '../../src/cli/context.ts';
import { handOverKey } from '../../src/cli/commands/service/hand-over.ts';
import { runCliProcess } from '../helpers/cli-process.ts';
import { controlFixture } from '../helpers/control-fixture.ts';
import { makeHome, startDaemonProcess } from '../helpers/daemon-process.ts';
import { CapturedSink, runCliHere } from '../helpers/run-cli.ts';
import { PtyScreen } from '../helpers/tui/pty-screen.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

it('`s3 serve` runs no jobs, and creates an access key with which another daemon can back up to it', async () => {
  const folder = temporaryFolder('hf-serve');
  const store = await startDaemonProcess(join(folder, 'store'), { command: 's3 serve' });
  onTestFinished(() => store.kill());
  const notes = join(folder, 'notes');
  mkdirSync(notes);
  writeFileSync(join(notes, 'todo.txt'), 'buy milk');
  await expect(store.client.call('jobs.add', { folder: notes })).rejects.toThrow('runs no jobs');
  expect(await store.client.call('status', {})).toMatchObject({ storeOnly: true, jobs: [] });

  // Gives the key file to a user of this computer. Only root may change the owner of a file.
  const person = userInfo().username;
  const env = { PATH: process.env['PATH'] ?? '' };
  const [stdout, stderr] = [new CapturedSink(), new CapturedSink()];
  const io = { stdin: process.stdin, stdout, stderr, env, cwd: folder, clock: systemClock };
  const place = { home: join(folder, 'store'), keys: join(folder, 'etc/keys') };
  const { file: credentials, endpoint } = await handOverKey(new Context(io, {}), person, place);
  const { mode, uid } = statSync(credentials);
  expect([mode & 0o777, uid]).toEqual([0o400, userInfo().uid]);
  const before = readFileSync(credentials, 'utf8');
  await handOverKey(new Context(io, {}), person, place);
  expect(readFileSync(credentials, 'utf8')).toBe(before);
  await expect(handOverKey(new Context(io, {}), 'no-such-user', place)).rejects.toThrow(
    'no such user',
  );
  const keyInFile = () => JSON.parse(readFileSync(credentials, 'utf8')) as { accessKeyId: string };
  // The store no longer accepts the key in the file, so `s3 serve` replaces the file.
  const removed = keyInFile();
  await store.client.call('keys.remove', removed);
  await handOverKey(new Context(io, {}), person, place);
  const second = keyInFile();
  expect(second.accessKeyId).not.toBe(removed.accessKeyId);
  // `s3 serve` also replaces a key file that contains another secret.
  rmSync(credentials);
  writeFileSync(credentials, JSON.stringify({ ...second, secretAccessKey: 'other' }));
  await handOverKey(new Context(io, {}), person, place);
  const { accessKeyId } = keyInFile();
  expect(accessKeyId).not.toBe(second.accessKeyId);
  const { endpointUrl } = await store.client.call('credentials', { accessKeyId });
  expect(endpoint).toBe(endpointUrl);

  const home = join(folder, 'ann');
  makeHome(home);
  const up = ['--home', home, 'up', notes, '--to', endpointUrl, '--credentials', credentials];
  const mirrored = await runCliHere([...up, '--once']);
  expect(mirrored.stdout).toContain('in sync');
  const { users } = await store.client.call('users.list', {});
  expect(users.find(({ project }) => project === person)?.fullAccess).toBe(false);
});

it('`s3 serve` does not write a key file for a user who is disabled in the store', async () => {
  const person = userInfo().username;
  const key = { accessKeyId: 'ID', user: person, project: person, customer: 'local' };
  const { socketPath } = await controlFixture({
    credentials: async () => ({
      accessKeyId: 'ID',
      secretAccessKey: 'SECRET',
      region: 'us-east-1',
      endpointUrl: 'http://127.0.0.1:9010',
      projectId: person,
    }),
    'keys.list': async () => ({
      keys: [{ ...key, fullAccess: false, disabled: true, createdAt: 0 }],
    }),
  });
  const home = dirname(socketPath);
  const keys = temporaryFolder('hf-keys');
  const text = JSON.stringify({ accessKeyId: 'ID', secretAccessKey: 'SECRET' });
  writeFileSync(join(keys, `${person}.json`), text, { mode: 0o600 });
  const [stdout, stderr] = [new CapturedSink(), new CapturedSink()];
  const env = { PATH: process.env['PATH'] ?? '' };
  const io = { stdin: process.stdin, stdout, stderr, env, cwd: home, clock: systemClock };
  await expect(handOverKey(new Context(io, {}), person, { home, keys })).rejects.toThrow(
    `user ${person} of the store is disabled`,
  );
});

it('`s3 serve` prints the URL of the store, and on a terminal how to get an access key and how to stop', async () => {
  const home = join(temporaryFolder('hf-serve'), 'home');
  makeHome(home);
  const screen = new PtyScreen({
    home,
    columns: 200,
    command: {
      argv: [process.execPath, 'dist/src/cli/main.js', 's3', 'serve', '--home', home],
      cwd: join(import.meta.dirname, '../..'),
    },
  });
  onTestFinished(() => screen.kill('SIGKILL'));
  await screen.waitFor('to stop: Ctrl-C');
  expect(screen.written).toMatch(/started at http:\/\/127\.0\.0\.1:\d+, pid \d+/);
  expect(screen.written).toContain(`holdfast --home ${home} admin credentials`);
  screen.press('ctrl-c');
  expect((await screen.ended).exitCode).toBe(0);
});

it('`s3 serve` refuses a home with jobs, and explains that it runs only the store', async () => {
  const folder = temporaryFolder('hf-serve');
  const home = join(folder, 'home');
  makeHome(home);
  const job = `{name: notes, folder: ${JSON.stringify(folder)}, bucket: notes}`;
  writeFileSync(join(home, 'config.yaml'), `storage: {port: 0}\njobs: [${job}]\n`, { mode: 0o600 });
  const { exitCode, stderr } = await runCliProcess(['--home', home, 's3', 'serve']);
  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringContaining(`\`holdfast --home ${home} s3 serve\` runs the store without jobs`),
  ]);
});
