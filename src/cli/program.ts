/** The command line as a whole: the global options, and the commands. */

import { Command, CommanderError, Help } from 'commander';

import { defined } from '../base/defined.ts';
import { offerTarget, targetOf } from './arguments/at-target.ts';
import { groupCommands, inOrder } from './command-groups.ts';
import { EXIT } from './output/command-error.ts';
import type { ExitCode } from './output/command-error.ts';
import { Context } from './context.ts';
import type { GlobalOptions } from './context.ts';
import { declareCopyCommands } from './commands/s3/declare-copies.ts';
import { declareAccessCommands } from './commands/s3/declare-access.ts';
import { declareBrowserCommands } from './commands/s3/declare-browsers.ts';
import { declareAlertCommands } from './commands/monitor/declare-alerts.ts';
import { declareClusterCommands } from './commands/cluster/declare-clusters.ts';
import { declareJobLockCommands } from './commands/lock/declare-job-locks.ts';
import { declareConflictCommands } from './commands/conflict/declare-conflicts.ts';
import { destructionOf, hintWithoutDaemon } from './declare.ts';
import { declareDaemonCommands } from './commands/daemon/declare-daemon.ts';
import { declareDescriptionCommands } from './commands/s3/declare-descriptions.ts';
import { declareJobCommands } from './commands/job/declare-jobs.ts';
import { declareKeyCommands } from './commands/admin/declare-keys.ts';
import { declareLifecycleCommands } from './commands/s3/declare-lifecycle.ts';
import { declareLinkCommands } from './commands/s3/declare-links.ts';
import { declareLockCommands } from './commands/s3/declare-locks.ts';
import { declareMonitoringCommands } from './commands/monitor/declare-monitoring.ts';
import { declareEncryptionCommands } from './commands/s3/declare-encryption.ts';
import { declareObjectCommands } from './commands/s3/declare-objects.ts';
import { declareProjectCommands } from './commands/admin/declare-projects.ts';
import { declareRestoreCommands } from './commands/restore/declare-restore.ts';
import { declareHelpCommands } from './completion/declare-help.ts';
import { declareServiceCommands } from './commands/service/declare-service.ts';
import { declareStoreCommands } from './commands/admin/declare-store.ts';
import { declareUserCommands } from './commands/admin/declare-users.ts';
import type { Io } from './output/output.ts';
import { tellFailure } from './tell-failure.ts';
import { knownLine, typedCommand } from './unknown-command.ts';
import { ownVersion } from './version.ts';

/** What a command does; it ends with `EXIT.ok` unless it says otherwise. */
type Work = (context: Context) => Promise<ExitCode | void>;

/** Called by a command's action: runs it with the options that were given anywhere on the line. */
export type Run = (work: Work) => Promise<void>;

/** `argv` without node and script. Never rejects: a failure is told on standard error. */
export async function runProgram(argv: readonly string[], io: Io): Promise<ExitCode> {
  const program = new Command('holdfast');
  let exitCode: ExitCode = EXIT.ok;
  let target: string | undefined;
  let hint: string | undefined;
  const contextNow = () =>
    new Context(io, { ...program.opts<GlobalOptions>(), ...defined({ target }) });
  program.hook('preAction', async (_, command) => {
    target = targetOf(command);
    hint = hintWithoutDaemon(command);
    if (destructionOf(command))
      await (await import('./output/confirm.ts')).confirm(contextNow(), command, argv);
  });
  const run: Run = async (work) => {
    exitCode = (await work(contextNow())) ?? EXIT.ok;
  };
  declareProgram(program, io, run);
  try {
    const typed = knownLine(program, orOverview(program, argv, io));
    await program.parseAsync([...typed], { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander ends the help and the version by an error, too.
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
    return await tellFailure(error, io, {
      ...program.opts<GlobalOptions>(),
      ...defined({ hintWithoutDaemon: hint }),
      command: typedCommand(program, argv),
    });
  }
}

/** Names of before are taken, and not shown. */
function withoutAlias(command: Command, text: string): string {
  const name = command.name();
  return text.replace(`${name}|${command.alias()}`, name);
}

/** Bare `holdfast`, options or not, is the dashboard on a terminal, and the status elsewhere. */
function orOverview(program: Command, argv: readonly string[], io: Io): string[] {
  const { operands, unknown } = program.parseOptions([...argv]);
  if (operands.length + unknown.length > 0) return [...argv];
  const isScreen = io.stdout.isTTY === true && program.opts<GlobalOptions>().json !== true;
  return [...argv, isScreen ? 'dashboard' : 'status'];
}

/** All commands, options and helps; exported for tests of what is written about them. */
export function declareProgram(program: Command, io: Io, run: Run): void {
  program
    .description('Keeps folders backed up to versioned, locked buckets.')
    .usage('[options] [command]')
    .version(ownVersion(), '-V, --version', 'print the version')
    .option('--home <dir>', 'everything of this Holdfast is in DIR (or HOLDFAST_HOME)')
    .option('--json', 'answer in JSON, errors too')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .configureHelp({
      showGlobalOptions: true,
      visibleGlobalOptions: (command) => (command.parent ? program.options.slice(1) : []),
      visibleCommands: ({ parent, commands }) => (parent ? [...commands] : inOrder(commands)),
      // There are many commands: each is to have one line, and its arguments are in its own help.
      subcommandTerm: (command) =>
        command.parent === program
          ? command.name()
          : withoutAlias(command, new Help().subcommandTerm(command)),
      commandUsage: (command) => withoutAlias(command, new Help().commandUsage(command)),
    })
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      // Told by tellFailure, in the form that was asked for.
      outputError: () => undefined,
    })
    .exitOverride()
    .addHelpText('after', FIRST_STEPS);
  declareDaemonCommands(program, run);
  declareJobCommands(program, run);
  declareConflictCommands(program, run);
  declareJobLockCommands(program, run);
  declareRestoreCommands(program, run);
  declareObjectCommands(program, run);
  declareEncryptionCommands(program, run);
  declareCopyCommands(program, run);
  declareDescriptionCommands(program, run);
  declareLinkCommands(program, run);
  declareLockCommands(program, run);
  declareKeyCommands(program, run);
  declareUserCommands(program, run);
  declareProjectCommands(program, run);
  declareAccessCommands(program, run);
  declareMonitoringCommands(program, run);
  declareBrowserCommands(program, run);
  declareLifecycleCommands(program, run);
  declareAlertCommands(program, run);
  declareClusterCommands(program, run);
  declareStoreCommands(program, run);
  declareServiceCommands(program, run);
  declareHelpCommands(program, run, FIRST_STEPS);
  offerTarget(program);
  groupCommands(program);
}

const FIRST_STEPS = `
Examples:
  $ holdfast up ~/Documents          mirror a folder, and keep it mirrored
  $ holdfast status                  what is protected, and what is not
  $ holdfast restore documents --to /tmp/back --at "2h ago"

Exit codes: 0 in order, 1 failed, 2 usage, 3 in order but something needs attention.`;
