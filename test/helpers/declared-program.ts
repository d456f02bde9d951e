/** Declares all commands of the `holdfast` program without running a command. */

import { Readable, Writable } from 'node:stream';

import { Command } from 'commander';

import { declareProgram } from '../../src/cli/program.ts';
import { FakeClock } from './fake-clock.ts';

/**
 * Returns the program with all its commands. Running a command of this program does nothing and
 * prints nothing.
 */
export async function declaredProgram(): Promise<Command> {
  const program = new Command('holdfast');
  const sink = () => new Writable({ write: (_chunk, _encoding, done) => done() });
  const io = { stdin: Readable.from([]), stdout: sink(), stderr: sink(), env: {}, cwd: '.' };
  await declareProgram(program, { ...io, clock: new FakeClock() }, () => Promise.resolve());
  return program;
}
