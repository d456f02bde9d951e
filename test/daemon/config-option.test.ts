/**
 * Tests of `--config FILE` with a daemon that uses another configuration file. Also tests hints
 * that must repeat the option.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { startDaemon } from '../../daemon/main.ts';
import { resolveHome } from '../../src/config/home.ts';
import { runCli } from '../helpers/run-cli.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

async function daemonWithConfig() {
  const root = temporaryFolder('hf-config-option');
  const [own, other] = [join(root, 'config.yaml'), join(root, 'other.yaml')];
  mkdirSync(join(root, 'docs'));
  for (const file of [own, other]) writeFileSync(file, 'storage: {port: 0}\n', { mode: 0o600 });
  const daemon = await startDaemon({ home: resolveHome({ homeFlag: root, env: {}, cwd: '/' }) });
  onTestFinished(() => daemon.stop('the test is over'));
  const run = (...argv: string[]) => runCli(['--home', root, ...argv], { cwd: root });
  return { root, own, other, run };
}

it('a command that only reads warns that the daemon uses another configuration file than --config', async () => {
  const { own, other, run } = await daemonWithConfig();
  const returned = await run('job', 'list', '--config', other);
  expect(returned.exitCode).toBe(0);
  expect(returned.stderr).toContain(`note: the daemon uses ${own}, not ${other}\n`);
  expect((await run('job', 'list', '--config', own)).stderr).not.toContain('note:');
  expect((await run('job', 'list', '--config', other, '--json')).stderr).toBe('');
});

it.each([
  ['job', 'add', './docs'],
  ['target', 'remove', 'offsite', '--yes'],
  ['config', 'reload'],
])(
  '`%s %s` fails if the daemon would change another configuration file than --config names',
  async (...argv) => {
    const { own, other, run } = await daemonWithConfig();
    const { exitCode, stderr } = await run(...argv, '--config', other);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      new RegExp(`^holdfast: cannot change ${other}: the daemon uses ${own}\n`),
    );
    expect((await run('job', 'list')).stdout).toBe('');
  },
);

it('the commands in hints contain the --home and --config options of the failed command', async () => {
  const root = temporaryFolder('hf-config-option');
  const options = ['--home', root, '--config', 'my config.yaml'];
  const { stderr } = await runCli([...options, 's3', 'ls'], { cwd: root });
  expect(stderr).toContain(`to start it: holdfast --home ${root} --config 'my config.yaml' up;`);
});
