/** Implements `holdfast service`. It runs the daemon or the machine's store as a service. */

import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';

import { CommandError, EXIT, usageError } from '../../output/command-error.ts';
import type { ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { visible } from '../../output/text.ts';
import { checkPrintable, checkRights, type Choice, chooseManager } from './choose.ts';
import { install, installedLines, type InstallOptions } from './install.ts';
import type { Manager, ServiceFile } from './manager.ts';
import { ownProgram } from './program-place.ts';
import { checkReachable, mustControl, mustRun, runTool, streamTool } from './run-tool.ts';

export interface ServiceLogsOptions extends Choice {
  readonly follow?: boolean;
  readonly lines: number;
}

export interface ServiceInstallOptions extends InstallOptions {
  /** Whether to print the files instead of writing them. */
  readonly print?: boolean;
}

/** Installs and starts the service, or prints its files. */
export async function installService(
  context: Context,
  { print = false, ...options }: ServiceInstallOptions,
): Promise<void> {
  checkPrintable(options, print);
  if (options.for && !options.system) {
    throw new CommandError('Usage', 'cannot use --for without --system');
  }
  if (print) {
    return printFiles(context, (await chooseManager(context, ownProgram(), options)).files);
  }
  const installed = await install(context, options);
  if (context.json) return context.out.json(installed);
  await context.out.lines(...installedLines(installed, options));
}

async function printFiles(context: Context, files: readonly ServiceFile[]): Promise<void> {
  if (context.json) return context.out.json({ files });
  await context.out.lines(
    ...files.flatMap(({ path, text }) => [`# ${visible(path)}`, ...text.trimEnd().split('\n'), '']),
  );
}

/** Stops the service and removes its files. Keeps the objects, the configuration and the system user of the store. */
export async function uninstallService(context: Context, choice: Choice): Promise<void> {
  checkRights(choice);
  const manager = await chooseManager(context, ownProgram(), choice);
  const there = manager.files.map(({ path }) => path).filter((path) => existsSync(path));
  const isInUse = there.length > 0 || (await isPackagedUnitInUse(context, manager));
  if (isInUse) {
    for (const command of manager.beforeRemoval) await mustRun(context.io, command);
    for (const path of there) await rm(path);
    for (const command of manager.afterRemoval) await mustRun(context.io, command);
  }
  if (context.json) return context.out.json({ service: manager.name, removed: there });
  await context.out.lines(
    ...there.map((path) => `removed ${visible(path)}`),
    isInUse
      ? `${manager.name} is stopped and disabled; all stored data was kept`
      : `${manager.name} is not installed`,
  );
}

async function isPackagedUnitInUse({ io }: Context, manager: Manager): Promise<boolean> {
  const isPossible = manager.files.some(({ packagedPath = '' }) => existsSync(packagedPath));
  if (!isPossible) return false;
  const { stdout, exitCode } = await runTool(io, manager.status);
  return manager.stateOf(stdout, exitCode).installed;
}

export async function controlService(
  context: Context,
  verb: 'start' | 'stop' | 'restart',
  choice: Choice,
): Promise<void> {
  checkRights(choice);
  const manager = await chooseManager(context, ownProgram(), choice);
  await mustControl(context.io, manager, manager[verb], choice);
  if (context.json) return context.out.json({ service: manager.name });
  await context.out.lines(`${manager.name}: ${verb === 'stop' ? 'stopped' : 'runs'}`);
}

/** Prints the state of the service. Returns `EXIT.attention` if the service is not running. */
export async function serviceStatus(context: Context, choice: Choice): Promise<ExitCode> {
  const manager = await chooseManager(context, ownProgram(), choice);
  await checkReachable(context.io, manager);
  const { stdout, exitCode } = await runTool(context.io, manager.status);
  const state = manager.stateOf(stdout, exitCode);
  if (context.json) await context.out.json({ service: manager.name, ...state });
  else {
    const pid = state.pid === undefined ? '' : `, pid ${state.pid}`;
    const again = state.restarts === undefined ? '' : `, restarted ${state.restarts} times`;
    await context.out.lines(
      state.installed
        ? `${manager.name}: ${state.state}${pid}${again}${state.enabled ? '' : ', does not start with the system'}`
        : `${manager.name}: not installed`,
    );
  }
  return state.running ? EXIT.ok : EXIT.attention;
}

export async function serviceLogs(
  context: Context,
  { follow = false, lines, ...choice }: ServiceLogsOptions,
): Promise<ExitCode> {
  if (context.json)
    throw usageError(
      'cannot use --json with service logs, which prints the lines of the service manager',
      'to get the log of the daemon as JSON: holdfast log --json',
    );
  const manager = await chooseManager(context, ownProgram(), choice);
  const exitCode = await streamTool(context.io, manager.logs({ lines, follow }));
  return exitCode === 0 ? EXIT.ok : EXIT.failed;
}
