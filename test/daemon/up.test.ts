/**
 * Tests of `up` as a process: with its own daemon, with a running daemon, and with Ctrl-C in both
 * cases.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import type { JobStatus } from '../../src/control/shapes.ts';
import { runCliProcess, startCliProcess, withoutProgress } from '../helpers/cli-process.ts';
import type { CliProcess } from '../helpers/cli-process.ts';
import { makeHome } from '../helpers/daemon-process.ts';
import { PtyScreen } from '../helpers/tui/pty-screen.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';
import { documentsOf, runCliHere } from '../helpers/run-cli.ts';

const PACKAGE = join(import.meta.dirname, '../..');

function fixture() {
  const folder = temporaryFolder('hf-up');
  const home = join(folder, 'home');
  makeHome(home);
  for (const name of ['one', 'two']) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'file'), name);
  }
  const up = (...argv: string[]) => {
    const running = startCliProcess(['--home', home, 'up', ...argv], { cwd: folder });
    onTestFinished(() => void running.process.kill('SIGKILL'));
    return { ...running, says: wordsOf(running) };
  };
  const jobs = async () => {
    const { stdout } = await runCliHere(['job', 'list', '--json', '--home', home]);
    const { result } = documentsOf(stdout).at(-1) as { result?: { jobs: JobStatus[] } };
    return (result?.jobs ?? []).map(({ name, inSync }) => `${name} ${inSync}`);
  };
  return { folder, home, up, jobs };
}

/** Returns a function that waits until the process has printed the given words. */
function wordsOf({ process }: CliProcess): (words: string) => Promise<string> {
  let said = '';
  process.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return (words) =>
    until(
      () => said,
      (text) => text.includes(words),
    );
}

it('`up` backs up changes until Ctrl-C stops its daemon, and the next `up` resumes the job', async () => {
  const { folder, home, up, jobs } = fixture();
  const first = up('one');
  await first.says(`watching ${join(folder, 'one')}  (Ctrl-C stops)`);
  writeFileSync(join(folder, 'one', 'later'), 'x');
  await first.says('later');
  first.process.kill('SIGINT');
  expect(withoutProgress(await first.ended)).toMatchObject({ exitCode: 0, stderr: '' });
  const status = await runCliHere(['status', '--home', home]);
  expect(status).toMatchObject({ exitCode: 3, stderr: '' });
  expect(status.stdout).toContain('not running: Holdfast stopped at');

  const next = up();
  await next.says('(Ctrl-C stops)');
  expect(await jobs()).toEqual(['one true']);
  next.process.kill('SIGTERM');
  expect(withoutProgress(await next.ended)).toMatchObject({ exitCode: 0, stderr: '' });
});

it('Ctrl-C ends `up` under npm with exit code 0, although npm forwards the SIGINT of the terminal a second time', async () => {
  const { folder, home, jobs } = fixture();
  const screen = new PtyScreen({
    home,
    columns: 200,
    command: { argv: ['npm', 'start', '--', join(folder, 'one'), '--home', home], cwd: PACKAGE },
    env: { npm_config_cache: join(folder, 'npm'), npm_config_update_notifier: 'false' },
  });
  onTestFinished(() => screen.kill('SIGKILL'));
  await screen.waitFor('(Ctrl-C stops)');
  screen.press('ctrl-c');
  expect((await screen.ended).exitCode).toBe(0);
  expect(screen.written).not.toContain('second Ctrl-C');
  expect(await jobs()).toEqual([]);
});

it('`up` adds a job to a running daemon, Ctrl-C ends only the command, and `down` stops the daemon', async () => {
  const { folder, home, up, jobs } = fixture();
  const first = up('one');
  await first.says('(Ctrl-C stops)');
  const second = up('two');
  await second.says(`watching ${join(folder, 'two')}  (Ctrl-C ends this view`);
  second.process.kill('SIGINT');
  expect(withoutProgress(await second.ended)).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await jobs()).toEqual(['one true', 'two true']);

  const down = await runCliHere(['down', '--home', home]);
  expect(down).toMatchObject({ exitCode: 0, stderr: '' });
  expect(withoutProgress(await first.ended)).toMatchObject({ exitCode: 0, stderr: '' });
  expect((await first.ended).stdout).toContain('the daemon was stopped');
  expect((await runCliHere(['down', '--home', home])).stdout).toBe('no daemon is running\n');
});

it('`up --detach` starts a daemon that outlives the command, and the next `up` adds a job to that daemon', async () => {
  const { folder, home, jobs } = fixture();
  onTestFinished(() => runCliHere(['down', '--home', home]).then(() => undefined));
  const up = (...argv: string[]) => runCliProcess(['--home', home, 'up', ...argv], { cwd: folder });
  const first = await up('one', '--detach', '--verbose');
  expect(first).toMatchObject({ exitCode: 0 });
  const pid = /the daemon runs in the background, pid (\d+);/.exec(first.stderr)?.[1];
  const second = await up('two', '-d', '--verbose');
  expect(second.stderr).toContain(`pid ${pid};`);
  expect((await up('two', '-d')).stderr).toContain('the daemon runs in the background; ');
  expect((await runCliHere(['wait', '--home', home])).exitCode).toBe(0);
  expect(await jobs()).toEqual(['one true', 'two true']);
  expect(await up('one', '--detach', '--once')).toMatchObject({ exitCode: 2 });
});

it('`up --detach` reports an invalid config.yaml with line and column', async () => {
  const { folder, home } = fixture();
  writeFileSync(join(home, 'config.yaml'), 'cluster: {port: 0}\n');
  const up = await runCliProcess(['--home', home, 'up', '--detach'], { cwd: folder });
  expect(up).toMatchObject({ exitCode: 1 });
  expect(up.stderr).toContain('config.yaml:1:1: cluster: unknown key; did you mean clusters?');
});

it('`up --detach` fails and names the next step if another job owns the destination of a job', async () => {
  const { folder, home } = fixture();
  const cli = (...argv: string[]) => {
    // `up --detach` starts this program again as its daemon.
    const run = argv[0] === 'up' ? runCliProcess : runCliHere;
    return run([...argv, '--home', home], { cwd: folder });
  };
  onTestFinished(() => cli('down').then(() => undefined));
  expect((await cli('up', '--detach')).exitCode).toBe(0);
  const claim = join(folder, 'claim');
  writeFileSync(claim, JSON.stringify({ job: 'theirs', host: 'attic', root: '/theirs' }));
  await cli('s3', 'mb', 'work');
  await cli('s3', 'put', claim, 'work/.holdfast/claim');
  const owned =
    /job work {2}failed: .* belongs to job theirs of folder \/theirs of another installation, last started 20/;
  const added = await cli('up', 'one', '--bucket', 'work', '--detach');
  expect(added).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(owned) as string });
  expect(added.stdout).toContain(`\`holdfast --home ${home} job take-over work\``);
  expect(added.stdout).toContain(
    `to remove the job again: holdfast --home ${home} job remove work`,
  );
  expect(added.stdout).not.toContain('kept against mistakes');
  await cli('down');
  const again = await cli('up', '--detach');
  expect(again).toMatchObject({ exitCode: 1 });
  expect(again.stdout).toMatch(/^job work .*: failed: .*belongs to job theirs/m);
});

it('when the terminal of `up` was closed, `status` reports this and names the command that runs in the background', async () => {
  const { home, up } = fixture();
  const first = up('one');
  await first.says('(Ctrl-C stops)');
  first.process.kill('SIGHUP');
  expect((await first.ended).exitCode).toBe(0);
  const { stdout } = await runCliHere(['status', '--home', home]);
  expect(stdout).toMatch(/not running: Holdfast stopped at .* \(its terminal was closed\)/);
  expect(stdout).toContain(`holdfast --home ${home} up --detach`);
});

it('`up` prints the process ID and the addresses of the daemon only with --verbose', async () => {
  const { folder, home } = fixture();
  const up = (...argv: string[]) =>
    runCliHere(['--home', home, 'up', 'one', '--once', ...argv], { cwd: folder });
  expect((await up()).stdout).not.toContain('pid');
  expect((await up('--verbose')).stdout).toMatch(/started, pid \d+\nhome {5}\S+\nstorage/);
});
