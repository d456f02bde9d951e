/**
 * Checks the command, arguments, options and option values of a command line without running the
 * command.
 */

import { Readable, Writable } from 'node:stream';

import { Command, CommanderError } from 'commander';

import { confirm } from '../../src/cli/output/confirm.ts';
import { Context, type GlobalOptions } from '../../src/cli/context.ts';
import type { Io } from '../../src/cli/output/output.ts';
import { declareFor } from '../../src/cli/command-modules.ts';
import { declareGlobals } from '../../src/cli/program.ts';
import { isControlError } from '../../src/control/control-error.ts';
import { FakeClock } from '../helpers/fake-clock.ts';

interface Reader {
  /** True if the command line is part of a script, which cannot answer questions. */
  readonly isScript?: boolean;
}

/**
 * Returns the error in the command line `holdfast WORDS`, or undefined if the command line is
 * valid.
 */
export async function mistakeIn(
  words: readonly string[],
  { isScript = false }: Reader = {},
): Promise<string | undefined> {
  const program = new Command('holdfast');
  if (isScript)
    program.hook('preAction', (_, command) =>
      confirm(
        new Context(silentIo(), { ...program.opts<GlobalOptions>(), home: '/nonexistent' }),
        command,
        words,
      ),
    );
  declareGlobals(program, silentIo());
  try {
    const [word] = program.parseOptions([...words]).operands;
    await declareFor(program, word, () => Promise.resolve());
    await program.parseAsync([...words], { from: 'user' });
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return undefined;
    // Whether this command asks for confirmation depends on the store, so the check ignores it.
    if (isControlError(error, 'NotRunning')) return undefined;
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
