/** `holdfast service`: the daemon, or the store of the whole machine, as a service of the system. */

import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { errorCode } from '../../base/errors.ts';
import { CommandError, EXIT } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import type { Context } from '../context.ts';
import { visible } from '../text.ts';
import { checkPrintable, checkRights, type Choice, chooseManager } from './choose.ts';
import { lingerHint } from './linger.ts';
import { handOverKey } from './hand-over.ts';
import type { Manager, ServiceFile } from './manager.ts';
import { checkIsForAll, checkItStays, ownProgram } from './program-place.ts';
import { mustRun, runTool, streamTool } from './run-tool.ts';

export interface InstallOptions extends Choice {
  readonly print?: boolean;
  readonly fromCheckout?: boolean;
  /** Persons who get a key of the machine's store. */
  readonly for?: readonly string[];
}

export interface ServiceLogsOptions extends Choice {
  readonly follow?: boolean;
  readonly lines: number;
}

/** Beyond `MADE_BY` of the units, what is in the property list. */
const OURS = 'Made by `holdfast service install`';

export async function installService(
  context: Context,
  { print = false, fromCheckout = false, for: people = [], ...choice }: InstallOptions,
): Promise<void> {
  checkPrintable(choice, print);
  if (people.length > 0 && !choice.system) {
    throw new CommandError('Usage', 'install service: --for is for --system: whom it gives a key');
  }
  const program = ownProgram();
  const manager = await chooseManager(context, program, choice);
  if (print) return printFiles(context, manager.files);
  checkRights(choice);
  if (!fromCheckout) checkItStays(program);
  if (choice.system) checkIsForAll(program);
  else await checkNoOtherDaemon(context, manager);
  for (const file of manager.files) await writeOurs(file);
  for (const command of manager.install) await mustRun(context.io, command, LOGS_HINT);
  const keys: string[] = [];
  for (const person of people) keys.push(await handOverKey(context, person));
  if (context.json)
    return context.out.json({ service: manager.name, files: pathsOf(manager), keys });
  await context.out.lines(
    ...pathsOf(manager).map((path) => `wrote ${visible(path)}`),
    `${manager.name} runs, and will at each start`,
    ...keys.map((file) => `key for a person of this machine: ${visible(file)}`),
    ...(choice.system ? [] : lingerHint()),
  );
}

const LOGS_HINT = '`holdfast service logs` and `holdfast log` may say why';

async function printFiles(context: Context, files: readonly ServiceFile[]): Promise<void> {
  if (context.json) return context.out.json({ files });
  await context.out.lines(
    ...files.flatMap(({ path, text }) => [`# ${visible(path)}`, ...text.trimEnd().split('\n'), '']),
  );
}

/** One store has one daemon: the service could not start beside another. */
async function checkNoOtherDaemon(context: Context, manager: Manager): Promise<void> {
  const daemon = await context.connectIfRunning();
  if (!daemon) return;
  const { pid } = daemon.hello;
  daemon.close();
  const { stdout, exitCode } = await runTool(context.io, manager.status);
  if (manager.stateOf(stdout, exitCode).pid === pid) return;
  throw new CommandError(
    'Conflict',
    `install service: a daemon runs already, pid ${pid}`,
    'stop it first: holdfast down',
  );
}

/** A file of somebody else's of that name is left alone. */
async function writeOurs({ path, text }: ServiceFile): Promise<void> {
  const before = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (before !== undefined && !before.includes(OURS)) {
    throw new CommandError(
      'Conflict',
      `write ${path}: it is there, and \`holdfast service install\` did not make it`,
      'move it away first',
    );
  }
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  await chmod(path, 0o644);
}

/** The objects, the configuration and the machine's user stay. */
export async function uninstallService(context: Context, choice: Choice): Promise<void> {
  checkRights(choice);
  const manager = await chooseManager(context, ownProgram(), choice);
  const there = pathsOf(manager).filter((path) => existsSync(path));
  if (there.length > 0) {
    for (const command of manager.beforeRemoval) await mustRun(context.io, command);
    for (const path of there) await rm(path);
    for (const command of manager.afterRemoval) await mustRun(context.io, command);
  }
  if (context.json) return context.out.json({ service: manager.name, removed: there });
  await context.out.lines(
    ...there.map((path) => `removed ${visible(path)}`),
    there.length === 0 ? `${manager.name} is not installed` : 'what is stored stays as it is',
  );
}

export async function controlService(
  context: Context,
  verb: 'start' | 'stop' | 'restart',
  choice: Choice,
): Promise<void> {
  checkRights(choice);
  const manager = await chooseManager(context, ownProgram(), choice);
  await mustRun(context.io, manager[verb], LOGS_HINT);
  if (context.json) return context.out.json({ service: manager.name });
  await context.out.lines(`${manager.name}: ${verb === 'stop' ? 'stopped' : 'runs'}`);
}

export async function serviceStatus(context: Context, choice: Choice): Promise<ExitCode> {
  const manager = await chooseManager(context, ownProgram(), choice);
  const { stdout, exitCode } = await runTool(context.io, manager.status);
  const state = manager.stateOf(stdout, exitCode);
  if (context.json) await context.out.json({ service: manager.name, ...state });
  else {
    const pid = state.pid === undefined ? '' : `, pid ${state.pid}`;
    const again = state.restarts === undefined ? '' : `, started again ${state.restarts} times`;
    await context.out.lines(
      state.installed
        ? `${manager.name}: ${state.state}${pid}${again}${state.enabled ? '' : ', not at the next start'}`
        : `${manager.name}: not installed`,
    );
  }
  return state.running ? EXIT.ok : EXIT.attention;
}

export async function serviceLogs(
  context: Context,
  { follow = false, lines, ...choice }: ServiceLogsOptions,
): Promise<ExitCode> {
  const manager = await chooseManager(context, ownProgram(), choice);
  const exitCode = await streamTool(context.io, manager.logs({ lines, follow }));
  return exitCode === 0 ? EXIT.ok : EXIT.failed;
}

function pathsOf({ files }: Manager): string[] {
  return files.map(({ path }) => path);
}
