/** Parses the command line: declares the global options and all commands, and runs the typed command. */

import { Command, CommanderError, Help } from 'commander';

import { defined } from '../base/defined.ts';
import { targetOf } from './arguments/at-target.ts';
import { FIRST_STEPS, isMain, moreCommands } from './command-groups.ts';
import { declareAll, declareFor } from './command-modules.ts';
import { EXIT, type ExitCode } from './output/command-error.ts';
import { Context, ioWith } from './context.ts';
import type { GlobalOptions } from './context.ts';
import { destructionOf, hintWithoutDaemon } from './declare.ts';
import { loadHelp } from './late-help.ts';
import type { Io } from './output/output.ts';
import { reportFailure } from './report-failure.ts';
import { knownLine, typedCommand } from './unknown-command.ts';
import { ownVersion } from './version.ts';

/** The work of a command. It resolves to the exit code of the command, or to undefined for `EXIT.ok`. */
type Work = (context: Context) => Promise<ExitCode | void>;

/**
 * Runs the work of a command with the global options, which may be anywhere on the command line. Each action calls it.
 */
export type Run = (work: Work) => Promise<void>;

/**
 * Runs the command line and returns its exit code. `argv` does not contain the paths of Node and of the script. Never
 * rejects. It reports errors on standard error, or with `--json` on standard output.
 */
export async function runProgram(argv: readonly string[], io: Io): Promise<ExitCode> {
  const program = new Command('holdfast');
  let exitCode: ExitCode = EXIT.ok;
  let target: string | undefined;
  let hint: string | undefined;
  let typed: Command | undefined;
  /** The text that commander prints: the help or the version. */
  let printed = '';
  const contextNow = (options: GlobalOptions = {}) =>
    new Context(io, { ...program.opts<GlobalOptions>(), ...options, ...defined({ target }) });
  const finish = async ({ out }: Context) => {
    if (printed !== '') await out.lines(printed.replace(/\n$/, ''));
    await out.finish();
  };
  program.hook('preAction', async (_, command) => {
    typed = command;
    target = targetOf(command);
    hint = hintWithoutDaemon(command);
    if (destructionOf(command))
      await (await import('./output/confirm.ts')).confirm(contextNow(), command, argv);
  });
  const run: Run = async (work) => {
    const context = contextNow();
    exitCode = (await work(context)) ?? EXIT.ok;
    await finish(context);
  };
  declareGlobals(program, io, (text) => (printed += text));
  try {
    try {
      const line = orOverview(program, argv, io);
      await declareFor(program, program.parseOptions([...line]).operands[0], run);
      const known = knownLine(program, line);
      await loadHelp(program, known);
      await program.parseAsync([...known], { from: 'user' });
    } catch (error) {
      // Commander also throws after it has printed the help or the version. In that case, parsing ends before `--json`.
      if (!(error instanceof CommanderError) || error.exitCode !== 0) throw error;
      await finish(contextNow({ json: argv.includes('--json') }));
    }
    return exitCode;
  } catch (error) {
    const options = program.opts<GlobalOptions>();
    return await reportFailure(error, ioWith(io, options), {
      ...options,
      ...defined({ hintWithoutDaemon: hint }),
      line: typedCommand(program, argv),
      ...defined({ command: typed }),
    });
  }
}

/**
 * Returns `argv`. If it contains only global options, adds a command: `dashboard` on a terminal without `--json`, and
 * `status` otherwise.
 */
function orOverview(program: Command, argv: readonly string[], io: Io): string[] {
  const { operands, unknown } = program.parseOptions([...argv]);
  if (operands.length + unknown.length > 0) return [...argv];
  const isScreen = io.stdout.isTTY === true && program.opts<GlobalOptions>().json !== true;
  return [...argv, isScreen ? 'dashboard' : 'status'];
}

/**
 * Declares the global options, all commands and their help. Exported for the tests of the help and the documentation.
 */
export async function declareProgram(program: Command, io: Io, run: Run): Promise<void> {
  declareGlobals(program, io);
  await declareAll(program, run);
}

/** Declares the global options and the help. `print` receives the help and the version. Also exported for the tests. */
export function declareGlobals(
  program: Command,
  io: Io,
  print: (text: string) => void = (text) => io.stdout.write(text),
): void {
  program
    .description('Keeps folders backed up to versioned, locked buckets.')
    .usage('[options] [command]')
    .version(ownVersion(), '-V, --version', 'print the version')
    .option('--home <dir>', 'everything of this Holdfast is in DIR (or HOLDFAST_HOME)')
    .option('--config <file>', 'read FILE instead of config.yaml (or HOLDFAST_CONFIG)')
    .option('--json', 'answer in JSON, errors too')
    .option('-q, --quiet', 'print results and errors only')
    .option('-v, --verbose', 'report the requests to the daemon and their times')
    .option('-y, --yes', 'do not ask for confirmation')
    .option('--no-color', 'print no colours (or NO_COLOR)')
    .option('--no-progress', 'show no progress (or HOLDFAST_NO_PROGRESS)')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .configureHelp({
      showGlobalOptions: true,
      visibleOptions: (command) =>
        new Help().visibleOptions(command).filter(({ long = '' }) => !UNLISTED.has(long)),
      visibleGlobalOptions: (command) => (command.parent ? program.options.slice(1) : []),
      visibleCommands: ({ parent, commands }) =>
        commands.filter((each) => parent || isMain(each.name())),
      // Because there are many commands, each has only one line in the help. The help of a command shows its arguments.
      subcommandTerm: (command) =>
        command.parent === program ? command.name() : new Help().subcommandTerm(command),
    })
    .configureOutput({
      writeOut: print,
      // With `--json`, the error that reportFailure writes is the whole output.
      writeErr: (text) => {
        if (program.opts<GlobalOptions>().json !== true) io.stderr.write(text);
      },
      // reportFailure reports the error as text or as JSON.
      outputError: () => undefined,
    })
    .exitOverride()
    .addHelpText('after', `\n${moreCommands()}\n${FIRST_STEPS}`);
}

/** Global options that only the help of the commands lists, so that the help of the program fits on a screen. */
const UNLISTED = new Set(['--version', '--config', '--no-color', '--no-progress']);
