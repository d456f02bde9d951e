/**
 * Tests of a job whose folder is missing or damaged. The commands in the hints must restore the
 * files, and must not delete or replace the objects in the bucket.
 */

import { existsSync, readFileSync, renameSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { startDaemonHere } from '../helpers/daemon-here.ts';
import { runCli } from '../helpers/run-cli.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { makeTree } from '../helpers/tree.ts';

async function mirrored() {
  const folder = temporaryFolder('hf-lost');
  const [home, root] = [join(folder, 'home'), join(folder, 'notes')];
  mkdirSync(root);
  makeTree(root, 20);
  writeFileSync(join(root, 'plan'), 'the plan');
  const cli = (line: string) =>
    runCli([...line.split(' '), '--home', home], { clock: systemClock, cwd: folder });
  const daemon = await startDaemonHere(home);
  onTestFinished(() => daemon.stop());
  expect((await cli(`job add ${root}`)).exitCode).toBe(0);
  expect((await cli('wait')).exitCode).toBe(0);
  return { home, root, cli, daemon };
}

it('the first command that `status` suggests for a missing folder restores the files', async () => {
  const { root, cli, daemon } = await mirrored();
  await daemon.client.call('jobs.pause', { name: 'notes' });
  renameSync(root, `${root}.lost`);
  await daemon.client.call('jobs.resume', { name: 'notes' });
  const { stdout } = await cli('wait');
  const said = stdout + (await cli('status')).stdout;
  expect(said).toContain('nothing is deleted in the bucket; mount its disk, or restore it');
  const [, restore = ''] = /`holdfast (--home \S+ restore notes --in-place)`/.exec(said) ?? [];
  expect((await cli(restore)).exitCode).toBe(0);
  expect(readFileSync(join(root, 'plan'), 'utf8')).toBe('the plan');
  await daemon.client.call('jobs.run', { name: 'notes' });
  expect((await cli('wait')).exitCode).toBe(0);
  const { objects } = await daemon.client.call('objects.list', { bucket: 'notes', prefix: 'plan' });
  expect(objects).toHaveLength(1);
});

it('the daemon continues to run when the disk of its store is removed, and `status` reports the missing store', async () => {
  const { home, root, cli } = await mirrored();
  const store = join(home, 'data/store');
  renameSync(store, `${store}.removed`);
  writeFileSync(join(root, 'plan'), 'another plan');
  await cli('wait --timeout 5s');
  const { stdout, exitCode } = await cli('status');
  expect(stdout).toContain(
    `! cannot read the folder of the store ${store}: the folder does not exist; mount its disk`,
  );
  expect(exitCode).toBe(3);
});

it.each([
  ['restore notes --in-place --dry-run', true],
  ['undo notes/plan', true],
  ['diff 2026-11-01', true],
  ['status', false],
])(
  '`%s` without a daemon fails, and its hint says to pause the job first: %j',
  async (line, pauses) => {
    const { stderr, exitCode } = await runCli([...line.split(' '), '--home', temporaryFolder()]);
    expect(exitCode).toBe(1);
    expect(stderr.includes('job pause JOB &&')).toBe(pauses);
  },
);

it('a job that is paused while no daemon runs does not mirror a damaged folder after the next start', async () => {
  const { home, root, cli, daemon } = await mirrored();
  await daemon.stop();
  rmSync(join(root, 'plan'));
  const paused = await cli('job pause notes');
  expect(paused).toMatchObject({ exitCode: 0, stderr: '' });
  expect(paused.stdout).toContain('paused job notes: it mirrors nothing until it is resumed');
  expect((await cli('job pause nothing')).exitCode).toBe(1);

  const next = await startDaemonHere(home);
  onTestFinished(() => next.stop());
  expect((await cli('restore notes --in-place')).exitCode).toBe(0);
  expect(readFileSync(join(root, 'plan'), 'utf8')).toBe('the plan');
  const { versions } = await next.client.call('versions.list', { bucket: 'notes', prefix: 'plan' });
  expect(versions).toHaveLength(1);

  await next.stop();
  expect((await cli('job resume notes')).stdout).toContain('it continues when the daemon starts');
  expect(readFileSync(join(home, 'config.yaml'), 'utf8')).not.toContain('paused: true');
  expect(existsSync(join(root, 'plan'))).toBe(true);
});
