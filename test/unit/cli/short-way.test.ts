/** Tests that the fast parser of command lines gives the same results as commander. */

import { Readable, Writable } from 'node:stream';

import { Command } from 'commander';
import { describe, expect, test } from 'vitest';

import { declareProgram } from '../../../src/cli/program.ts';
import { shortWay } from '../../../src/cli/short-way.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';

describe('the fast parser', () => {
  test.each([
    ['dashboard'],
    ['status'],
    ['status --json'],
    ['--json status'],
    ['--home /a dashboard'],
    ['dashboard --home /a'],
    ['--home=/a=b status'],
    ['--home /a --json --home /b status'],
    ['--home status status'],
    ['--home /a service run'],
    ['service --json run --home=/a'],
    ['--home /a s3 serve'],
    ['--home /a --config=b.yaml service run'],
    ['status --config /b'],
  ])('the fast parser reads %s as commander does', async (line) => {
    const argv = line.split(' ');
    expect(shortWay(argv, true)).toEqual(await readByCommander(argv));
  });

  test.each([
    ['', true, 'dashboard'],
    ['', false, 'status'],
    ['--json', true, 'status'],
    ['--home /a', true, 'dashboard'],
    ['--home /a --json', false, 'status'],
  ])(
    'the fast parser reads the bare line %j (terminal: %s) as the command %s',
    (line, isTerminal, command) => {
      expect(shortWay(line.split(' ').filter(Boolean), isTerminal)?.command).toBe(command);
    },
  );

  test.each([
    '--help',
    '-h',
    '-V',
    '--version',
    'help',
    'ls',
    'status x',
    'status status',
    'status dashboard',
    'service serve',
    'service run x',
    's3 serve --help',
    'constructor',
    'dashboard --plain',
    'status --help',
    '--jso status',
    '--json=yes status',
    '--home',
    '--home= status',
    '--home --json status',
    '-- status',
    'stat',
    '--plain',
  ])('the fast parser leaves %s to commander', (line) => {
    expect(shortWay(line.split(' '), true)).toBeUndefined();
  });
});

async function readByCommander(argv: readonly string[]) {
  const program = new Command('holdfast');
  let command = '';
  program.hook('preAction', (_, named) => {
    const topic = named.parent === program ? '' : `${named.parent?.name()} `;
    command = `${topic}${named.name()}`;
  });
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const io = { stdin: Readable.from([]), stdout: nowhere, stderr: nowhere, env: {}, cwd: '/' };
  declareProgram(program, { ...io, clock: new FakeClock() }, async () => undefined);
  await program.parseAsync([...argv], { from: 'user' });
  // Defaults of commander, which change nothing.
  const { color: _color, progress: _progress, ...options } = program.opts();
  return { command, options };
}
