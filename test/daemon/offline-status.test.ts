/**
 * Tests of commands without a daemon. `status` reports how the last daemon ended, and `restore`
 * reads the embedded store directly.
 */

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { startDaemonHere } from '../helpers/daemon-here.ts';
import { startDaemonProcess } from '../helpers/daemon-process.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { runCliHere, jsonOf } from '../helpers/run-cli.ts';

/** Starts a daemon with a job that has backed up one file. */
async function fixture() {
  const folder = temporaryFolder('hf-offline');
  const [home, docs] = [join(folder, 'home'), join(folder, 'docs')];
  mkdirSync(docs);
  writeFileSync(join(docs, 'plan'), 'content');
  const daemon = await startDaemonProcess(home);
  onTestFinished(() => daemon.kill());
  await daemon.client.call('jobs.add', { folder: docs });
  await daemon.client.call('jobs.settled', { name: 'docs' });
  const cli = (...argv: string[]) => runCliHere([...argv, '--home', home]);
  return { folder, home, docs, daemon, cli };
}

it('`status` after a SIGKILL reports the kill, the jobs and their last sync rounds, and exits with code 3', async () => {
  const { docs, daemon, cli } = await fixture();
  const pid = daemon.process.pid;
  await daemon.kill();
  const { exitCode, stdout } = await cli('status');
  expect(exitCode).toBe(3);
  expect(stdout).toMatch(
    /^not running: Holdfast stopped unexpectedly after .+, its last log entry; last round finished at /,
  );
  expect(stdout).toContain(`${docs} → bucket docs (embedded store)`);
  const status: unknown = jsonOf((await cli('status', '--json')).stdout);
  expect(status).toMatchObject({
    running: false,
    daemon: { pid },
    jobs: [{ name: 'docs', folder: docs, lastRoundAt: expect.any(Number) as number }],
  });
});

it('`status` after a normal stop of the daemon reports the time and the reason', async () => {
  const { home, daemon, cli } = await fixture();
  await daemon.stop();
  expect((await cli('status')).stdout).toMatch(
    /^not running: Holdfast stopped at .+ \(requested by the user\)/,
  );
  const record: unknown = JSON.parse(readFileSync(join(home, 'state/daemon.json'), 'utf8'));
  expect(record).toMatchObject({
    reason: 'requested by the user',
    stoppedAt: expect.any(Number) as number,
  });
});

it('each command that needs the daemon reports that the daemon was killed, and where its log is', async () => {
  const { daemon, cli } = await fixture();
  await daemon.kill();
  for (const argv of [
    ['lock', 'list'],
    ['job', 'run', 'docs'],
  ]) {
    const { exitCode, stderr } = await cli(...argv);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^holdfast: Holdfast is not running: it stopped unexpectedly after /);
    expect(stderr).toMatch(/`holdfast .*log` shows its last lines/);
  }
  expect((await cli('log')).stdout).toContain('daemon: started');
  expect((await cli('doctor')).stdout).toContain('it stopped unexpectedly');
});

it('after a restart, `log` shows that the previous daemon was killed, and the log lines of that daemon', async () => {
  const { home, daemon, cli } = await fixture();
  await daemon.kill();
  const next = await startDaemonHere(home);
  onTestFinished(() => next.stop());
  const { stdout } = await cli('log');
  const [before, after] = stdout.split('the previous daemon stopped unexpectedly');
  expect(before).toContain('daemon: started');
  expect(after).toContain('daemon: started');
  expect((await cli('log', '-n', '1')).stdout.trim().split('\n')).toHaveLength(1);
  await next.stop();
  const third = await startDaemonHere(home);
  onTestFinished(() => third.stop());
  expect((await cli('log')).stdout.split('stopped unexpectedly')).toHaveLength(2);
});

it('`status` reports a job whose database is damaged, and changes nothing', async () => {
  const { home, daemon, cli } = await fixture();
  await daemon.stop();
  const file = join(home, 'state/jobs/docs/state.sqlite');
  writeFileSync(file, 'no database');
  const { exitCode, stdout } = await cli('status');
  expect({ exitCode, stdout }).toEqual({
    exitCode: 3,
    stdout: expect.stringContaining('its state cannot be read') as string,
  });
  expect(readFileSync(file, 'utf8')).toBe('no database');
});

it('`restore` from the embedded store works without a daemon, and restores the same files as with a daemon', async () => {
  const { folder, home, daemon, docs, cli } = await fixture();
  const to = (name: string) => join(folder, name);
  expect(await cli('restore', 'docs', '--to', to('through'))).toMatchObject({ exitCode: 0 });
  await daemon.kill();
  const restored = await cli('restore', 'docs', '--to', to('without'));
  expect(restored).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('1 file, 7 B') as string,
  });
  for (const name of ['through', 'without'])
    expect(readFileSync(join(to(name), 'plan'), 'utf8')).toBe('content');
  rmSync(join(docs, 'plan'));
  expect(await cli('restore', 'docs', '--in-place')).toMatchObject({ exitCode: 0 });
  expect(readFileSync(join(docs, 'plan'), 'utf8')).toBe('content');
  writeFileSync(join(docs, 'plan'), 'typed while nothing ran');
  const replaced = await cli('restore', 'docs', '--in-place', '--json');
  expect(jsonOf(replaced.stdout)).toMatchObject({ files: 1, saved: 1, aside: 1, problems: [] });
  expect(readFileSync(join(docs, 'plan'), 'utf8')).toBe('content');
  const next = await startDaemonHere(home);
  onTestFinished(() => next.stop());
  const version = join(docs, 'plan~1');
  expect(await cli('wait', '--timeout', '1m')).toMatchObject({ exitCode: 0 });
  expect(await cli('restore', version, '--to', to('typed'))).toMatchObject({ exitCode: 0 });
  expect(readFileSync(join(to('typed'), 'plan'), 'utf8')).toBe('typed while nothing ran');
  expect(readdirSync(folder).filter((name) => name.includes('before-restore'))).toEqual([]);
  await next.stop();
  const unknown = await cli('restore', 'nothing', '--to', to('none'));
  expect(unknown).toMatchObject({ exitCode: 1, stdout: '' });
  expect(unknown.stderr).toContain('"nothing" is neither a job nor a path');
});
