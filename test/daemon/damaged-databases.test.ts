/**
 * Tests of databases with damaged pages. Commands must report the damage, and the repair command
 * that they suggest must work.
 */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { hastyClock } from '../helpers/hasty-clock.ts';
import { startDaemonHere } from '../helpers/daemon-here.ts';
import { startDaemonProcess } from '../helpers/daemon-process.ts';
import { leavesOf, overwritePages } from '../helpers/damaged-database.ts';
import { runCliHere } from '../helpers/run-cli.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

const FILES = 200;
const nameOf = (index: number) => `file-${String(index).padStart(4, '0')}`;
const contentOf = (index: number) => `${index} `.repeat(200);

/** Backs up a folder with one job, and stops the daemon. Returns the path of the home. */
async function mirroredHome() {
  const folder = temporaryFolder('hf-damaged');
  const [home, source] = [join(folder, 'home'), join(folder, 'source')];
  mkdirSync(source);
  for (let index = 0; index < FILES; index++)
    writeFileSync(join(source, nameOf(index)), contentOf(index));
  const run = (...argv: string[]) => runCliHere([...argv, '--home', home]);
  const daemon = await startDaemonHere(home);
  onTestFinished(() => daemon.stop());
  await daemon.client.call('jobs.add', { folder: source, bucket: 'box', name: 'job' });
  expect((await run('wait')).exitCode).toBe(0);
  await daemon.stop();
  return { folder, home, run, metadata: join(home, 'data/store/store.sqlite') };
}

async function start(home: string) {
  // The first check of the pages is due five seconds after the start.
  const daemon = await startDaemonHere(home, hastyClock(1_000));
  onTestFinished(() => daemon.stop());
  return daemon;
}

it('each command reports damaged pages in the database of the store, and the suggested repair fixes them', async () => {
  const { folder, home, run, metadata } = await mirroredHome();
  const pages = [
    ...leavesOf(metadata, 'blob').slice(10, 14),
    ...leavesOf(metadata, 'version').slice(5, 7),
  ];
  overwritePages(metadata, pages);
  const daemon = await start(home);
  const store = async () => (await daemon.client.call('status', {})).store;
  await until(store, ({ state }) => state !== 'in order');
  for (const argv of [['status'], ['wait'], ['doctor']]) {
    const { exitCode, stdout } = await run(...argv);
    expect([argv, exitCode]).toEqual([argv, argv[0] === 'doctor' ? 1 : 3]);
    expect(stdout).toContain('store repair');
  }
  const to = join(folder, 'restored');
  const restored = await run('restore', 'job', '--to', to);
  expect([restored.exitCode, restored.stderr]).toEqual([3, '']);
  for (const name of readdirSync(to))
    expect(readFileSync(join(to, name), 'utf8')).toBe(contentOf(Number(name.slice(5))));
  expect(readdirSync(to).length).toBeGreaterThan(FILES / 2);
  const early = await run('admin', 'store', 'repair', '--yes');
  expect(early.exitCode).not.toBe(0);
  const here = `holdfast --home ${home}`;
  expect(early.stderr).toContain(`${here} down && ${here} admin store repair && ${here} up`);
  await daemon.stop();

  const repair = await run('admin', 'store', 'repair', '--yes');
  expect(repair.exitCode).toBe(3);
  expect(repair.stdout).toContain('store.sqlite: 6 damaged pages');
  expect(repair.stdout).toContain('object-lost: box/file-');
  await start(home);
  await run('wait');
  const again = join(folder, 'again');
  await run('restore', 'job', '--to', again);
  // The job has uploaded each object again whose row or bytes were lost.
  for (let index = 0; index < FILES; index++)
    expect(readFileSync(join(again, nameOf(index)), 'utf8')).toBe(contentOf(index));
});

it('a job rebuilds its damaged state file, and `status` reports this', async () => {
  const { home, run } = await mirroredHome();
  overwritePages(join(home, 'state/jobs/job/state.sqlite'), [1]);
  await start(home);
  expect((await run('wait')).exitCode).toBe(0);
  expect((await run('test')).exitCode).toBe(0);
  const { stdout, exitCode } = await run('status');
  expect(stdout).toContain('the state of this job was damaged');
  expect(exitCode).toBe(0);
});

it('the daemon suggests a repair command for a store database without its first page, and the repair loses nothing', async () => {
  const { folder, home, run, metadata } = await mirroredHome();
  overwritePages(metadata, [1]);
  await expect(startDaemonProcess(home)).rejects.toThrow(
    `holdfast --home ${home} admin store repair`,
  );
  expect((await run('admin', 'store', 'repair', '--yes')).exitCode).toBe(0);
  await start(home);
  const to = join(folder, 'restored');
  expect((await run('restore', 'job', '--to', to)).exitCode).toBe(0);
  expect(readdirSync(to)).toHaveLength(FILES);
});
