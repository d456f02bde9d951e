/** Tests of `holdfast` without a command on a terminal, in a home without any job. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { startDaemonHere } from '../helpers/daemon-here.ts';
import { runCliHere } from '../helpers/run-cli.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { PtyScreen } from '../helpers/tui/pty-screen.ts';

function welcomed(env: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder('hf-welcome');
  const home = join(folder, 'home');
  mkdirSync(home, { mode: 0o700 });
  const screen = new PtyScreen({ home, rows: 40, env: { TMPDIR: folder, ...env } });
  onTestFinished(() => screen.kill('SIGKILL'));
  return { folder, home, screen };
}

it('in an empty home, `holdfast` lists possible first steps and reports no failure', async () => {
  const { home, screen } = welcomed();
  const text = await screen.waitFor('What would you like to do');
  expect(text).toContain('1  back up a folder');
  expect(text).not.toMatch(/down|not known|retry/);
  screen.type('7\r');
  await screen.waitFor('"7" is not in the list');
  expect(screen.text().match(/look around/g)).toHaveLength(1);
  screen.type('4\r');
  expect((await screen.ended).exitCode).toBe(0);
  expect(readdirSync(home)).toEqual([]);
});

it('the demonstration opens the dashboard with sample files, and leaves no files on the disk', async () => {
  const { folder, home, screen } = welcomed();
  await screen.waitFor('What would you like to do');
  screen.type('3\r');
  await screen.waitFor(/documents +\S+ → documents/);
  screen.type('q');
  expect((await screen.ended).exitCode).toBe(0);
  expect([readdirSync(home), readdirSync(folder)]).toEqual([[], ['home']]);
});

it('a new computer restores the files of another computer from their bucket', async () => {
  const userHome = temporaryFolder('hf-welcome-user');
  const { folder, screen } = welcomed({ HOME: userHome });
  const other = await startDaemonHere(join(folder, 'other'));
  onTestFinished(() => other.stop());
  const papers = join(folder, 'papers');
  mkdirSync(papers);
  writeFileSync(join(papers, 'a.txt'), 'kept');
  const up = ['up', papers, '--once', '--home', join(folder, 'other')];
  expect((await runCliHere(up)).exitCode).toBe(0);
  const { accessKeyId, secretAccessKey, endpointUrl } = await other.client.call('credentials', {});
  await screen.waitFor('What would you like to do');
  screen.type('2\r');
  await screen.waitFor('Bucket:');
  screen.type(`${endpointUrl}\r`);
  await screen.waitFor('does not name a bucket');
  screen.type(`${endpointUrl}/papers\r`);
  await screen.waitFor('Access key ID:');
  screen.type(`${accessKeyId}\r`);
  await screen.waitFor('Secret access key (not shown):');
  screen.type(`${secretAccessKey}\r`);
  await screen.waitFor('To folder [./papers]:');
  screen.type('~/back\r');
  expect((await screen.ended).exitCode).toBe(0);
  expect(readFileSync(join(userHome, 'back', 'a.txt'), 'utf8')).toBe('kept');
  expect(screen.written).not.toContain(secretAccessKey);
});
