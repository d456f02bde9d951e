/**
 * Tests of `startDaemon` in a separate process, and of the options that the installed command
 * passes to Node.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { DAEMON_ASSIGNMENTS, DASHBOARD_V8_FLAGS, V8_FLAGS } from '../../src/cli/node-options.ts';
import { makeHome } from '../helpers/daemon-process.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { parsedJson } from '../helpers/run-cli.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Runs a program that starts a daemon in a separate process. Returns the JSON that the program prints. */
function run(home: string, program: string): unknown {
  const code = `
    import { resolveHome } from ${JSON.stringify(join(ROOT, 'src/config/home.ts'))};
    import { startDaemon } from ${JSON.stringify(join(ROOT, 'daemon/main.ts'))};
    const home = resolveHome({ homeFlag: ${JSON.stringify(home)}, env: {}, cwd: "/" });
    const say = (what) => console.log(JSON.stringify(what));
    ${program}`;
  const node = [...process.execArgv, '--input-type=module', '--eval', code];
  const { stdout, stderr, status } = spawnSync(process.execPath, node, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`run daemon: exit code ${status}: ${stderr}`);
  return parsedJson(stdout);
}

test('startDaemon with the option storeOnly refuses a home with jobs', () => {
  const home = temporaryFolder('hf-start');
  makeHome(home, 0, `jobs:\n  - folder: ${home}\n`);
  const returned = run(
    home,
    `const refused = await startDaemon({ home, storeOnly: true }).then(() => '', ({ message }) => message);
     say({ refused });`,
  );
  expect(returned).toEqual({ refused: expect.stringMatching(/job/) });
});

test('startDaemon closes everything after a failure, so that a second start with a valid configuration succeeds', () => {
  const home = temporaryFolder('hf-start');
  makeHome(home);
  const whole = 'storage:\n  port: 0\n';
  writeFileSync(join(home, 'config.yaml'), 'storage: [');
  const returned = run(
    home,
    `import { writeFileSync } from 'node:fs';
     const refused = await startDaemon({ home }).then(() => '', ({ name }) => name);
     writeFileSync(home.configFile, ${JSON.stringify(whole)});
     const daemon = await startDaemon({ home });
     await daemon.stop('the test is over');
     say({ refused, pid: daemon.pid === process.pid });`,
  );
  expect(returned).toEqual({ refused: 'ConfigError', pid: true });
});

test('the installed command passes the V8 options and the memory settings to Node, even through a symbolic link', () => {
  const folder = temporaryFolder('hf-launcher');
  const node = '#!/bin/sh\nprintf "%s\\n" "MALLOC_ARENA_MAX=$MALLOC_ARENA_MAX" "$@"\n';
  writeFileSync(join(folder, 'node'), node, { mode: 0o755 });
  symlinkSync(join(ROOT, 'dist/src/cli/main.js'), join(folder, 'absolute'));
  symlinkSync('absolute', join(folder, 'relative'));
  const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}` };
  const program = join(folder, 'relative');
  const run = (args: readonly string[]) =>
    execFileSync(program, args, { env, encoding: 'utf8' }).trimEnd().split('\n');
  const args = ['put', 'a b', '*'];
  expect(run(args)).toEqual([...DAEMON_ASSIGNMENTS, ...V8_FLAGS, program, ...args]);
  expect(run([])).toEqual(['MALLOC_ARENA_MAX=', ...DASHBOARD_V8_FLAGS, program]);
  expect(run(['dashboard'])).toEqual([
    'MALLOC_ARENA_MAX=',
    ...DASHBOARD_V8_FLAGS,
    program,
    'dashboard',
  ]);
});
