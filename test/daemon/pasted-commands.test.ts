/** Tests that the commands in messages work when they are pasted, and that lines fit a terminal of 80 columns. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

import { expect, it, onTestFinished } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { runCliProcess } from '../helpers/cli-process.ts';
import { makeHome } from '../helpers/daemon-process.ts';
import { runCli, runCliHere } from '../helpers/run-cli.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** Returns the commands in the text, each up to the end of its sentence. */
const commandsIn = (text: string) => text.match(/(?<![\w./-])holdfast [a-z-][^;`\n]*/g) ?? [];

it('every command that a message names uses the home folder of `--home`', async () => {
  const place = temporaryFolder('hf-pasted');
  const [home, folder] = [join(place, 'home'), join(place, 'docs')];
  mkdirSync(folder);
  writeFileSync(join(folder, 'plan'), 'content');
  makeHome(home);
  const cli = (...argv: string[]) => runCliHere([...argv, '--home', home]);
  onTestFinished(() => cli('down').then(() => undefined));
  // `up --detach` starts this program again as its daemon.
  const up = await runCliProcess(['up', folder, '--detach', '--verbose', '--home', home]);
  await cli('wait');
  const seen = [up, await cli('status'), await cli('job', 'show', 'docs')];
  rmSync(folder, { recursive: true });
  await cli('job', 'run', 'docs');
  seen.push(await cli('status'), await cli('verify', 'docs'), await cli('doctor'));
  seen.push(await cli('admin', 'users', 'list'), await cli('job', 'show', 'other'));
  await cli('down');
  seen.push(await cli('status'), await cli('job', 'queue', 'docs'));
  const commands = seen.flatMap(({ stdout, stderr }) => commandsIn(stdout + stderr));
  expect(up.exitCode).toBe(0);
  expect(commands.length).toBeGreaterThan(12);
  expect(commands.filter((command) => !command.includes(` --home ${home}`))).toEqual([]);
});

it('no line of `init` has more than 80 columns on a terminal of that width', async () => {
  const place = temporaryFolder('hf-columns');
  const [home, folder] = [join(place, 'h'), join(place, 'documents')];
  mkdirSync(folder);
  for (let index = 0; index < 20; index += 1)
    writeFileSync(join(folder, `file-${index}`), 'x'.repeat(5_000 + index));
  makeHome(home);
  const stdin = `${folder}\n1\n\n2\n30\ny\n`;
  const env = { HOLDFAST_HOME: home };
  onTestFinished(() => runCliHere(['down', '--home', home]).then(() => undefined));
  const options = { stdin, columns: 80, clock: systemClock, env };
  const { exitCode, stdout, stderr } = await runCli(['init'], options);
  expect(exitCode).toBe(0);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('20 files, 100 kB: restored unchanged');
  // The folder of a test has a longer path than that of a user.
  const printed = stripVTControlCharacters(stdout + stderr).replaceAll(place, '~');
  expect(printed.split(/[\r\n]/).filter((line) => line.length > 80)).toEqual([]);
});
