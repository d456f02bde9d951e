/** The examples of the help as blocks of a page, one for each command: `HELP_REMARKS` says which are run. */

import { Readable, Writable } from 'node:stream';

import { Command } from 'commander';

import { destructionOf, examplesOf } from '../../src/cli/declare.ts';
import { declareProgram } from '../../src/cli/program.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { HELP_REMARKS, NOT_LISTED } from './help-remarks.ts';
import type { Block } from './pages.ts';

/** `jobs add`, with its command. */
function helpCommands(): readonly (readonly [string, Command])[] {
  const program = new Command('holdfast');
  const sink = () => new Writable({ write: (_chunk, _encoding, done) => done() });
  const io = { stdin: Readable.from([]), stdout: sink(), stderr: sink(), env: {}, cwd: '.' };
  declareProgram(program, { ...io, clock: new FakeClock() }, () => Promise.resolve());
  return program.commands.flatMap((each) => below(each, ''));
}

function below(command: Command, above: string): (readonly [string, Command])[] {
  const path = `${above}${command.name()}`;
  return [[path, command], ...command.commands.flatMap((each) => below(each, `${path} `))];
}

/** In the order of their declaration. */
export function helpBlocks(): Block[] {
  return helpCommands().map(([path, command]) => {
    const remark = HELP_REMARKS[path];
    const { needs = [], before = '' } = remark ?? {};
    const notRun = remark === undefined ? NOT_LISTED : undefined;
    const script = examplesOf(command)
      .map((example) => confirmed(example, command))
      .join('\n');
    const tools = /\bjq\b/.test(script) ? ['jq', ...needs] : needs;
    return { page: `holdfast ${path} --help`, line: 1, script, notRun, needs: tools, before };
  });
}

/** A script answers no question. */
function confirmed(example: string, command: Command): string {
  if (!destructionOf(command) || example.includes('--yes')) return example;
  return example.replace(/(\s*(?:#.*)?)$/, ' --yes$1');
}
