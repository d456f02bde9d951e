/** `holdfast serve`: the store without jobs. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { runCliProcess } from '../helpers/cli-process.ts';
import { makeHome, startDaemonProcess } from '../helpers/daemon-process.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

it('serves, takes no jobs, and gives a person a key that mirrors from another daemon', async () => {
  const folder = temporaryFolder('hf-serve');
  const store = await startDaemonProcess(join(folder, 'store'), { command: 'serve' });
  onTestFinished(() => store.kill());
  const notes = join(folder, 'notes');
  mkdirSync(notes);
  writeFileSync(join(notes, 'todo.txt'), 'buy milk');
  await expect(store.client.call('jobs.add', { folder: notes })).rejects.toThrow('a store alone');

  const person = { user: 'ann', project: 'ann' };
  await store.client.call('projects.add', { project: 'ann', again: false });
  const key = await store.client.call('users.add', { ...person, fullAccess: false, again: false });
  const { accessKeyId } = key;
  const known = await store.client.call('credentials', { accessKeyId });
  const credentials = join(folder, 'ann.json');
  const { secretAccessKey, endpointUrl } = known;
  writeFileSync(credentials, JSON.stringify({ accessKeyId, secretAccessKey }), { mode: 0o400 });

  const home = join(folder, 'ann');
  makeHome(home);
  const up = ['--home', home, 'up', notes, '--to', endpointUrl, '--credentials', credentials];
  const { exitCode, stdout } = await runCliProcess([...up, '--once']);
  expect(stdout).toContain('in sync');
  expect(exitCode).not.toBe(1);
  const objects = await runCliProcess(['--home', join(folder, 'store'), 'users', 'list', '--json']);
  expect(objects.stdout).toContain('"ann"');
});

it('refuses a home with jobs, and says where they belong', async () => {
  const folder = temporaryFolder('hf-serve');
  const home = join(folder, 'home');
  makeHome(home);
  const job = `{name: notes, folder: ${JSON.stringify(folder)}, bucket: notes}`;
  writeFileSync(join(home, 'config.yaml'), `storage: {port: 0}\njobs: [${job}]\n`, { mode: 0o600 });
  const { exitCode, stderr } = await runCliProcess(['--home', home, 'serve']);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('serve runs no jobs')]);
});
