/** Whether the command line knows a command, its arguments, its options and their values; nothing is done. */

import { Readable, Writable } from 'node:stream';

import { Command, CommanderError } from 'commander';

import { confirm } from '../../src/cli/confirm.ts';
import { Context } from '../../src/cli/context.ts';
import type { Io } from '../../src/cli/output.ts';
import { declareProgram } from '../../src/cli/program.ts';
import { FakeClock } from '../helpers/fake-clock.ts';

interface Reader {
  /** A script, which cannot answer a question. */
  readonly isScript?: boolean;
}

/** What is wrong with `holdfast WORDS`; undefined when nothing is. */
export async function mistakeIn(
  words: readonly string[],
  { isScript = false }: Reader = {},
): Promise<string | undefined> {
  const program = new Command('holdfast');
  if (isScript)
    program.hook('preAction', (_, command) =>
      confirm(new Context(silentIo(), { home: '/nonexistent' }), command, words),
    );
  declareProgram(program, silentIo(), () => Promise.resolve());
  try {
    await program.parseAsync([...words], { from: 'user' });
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return undefined;
    return error instanceof Error ? error.message : String(error);
  }
}

function silentIo(): Io {
  const sink = () => new Writable({ write: (_chunk, _encoding, done) => done() });
  return {
    stdin: Readable.from([]),
    stdout: sink(),
    stderr: sink(),
    env: {},
    cwd: '.',
    clock: new FakeClock(),
  };
}
