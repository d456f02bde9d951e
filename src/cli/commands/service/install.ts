/** Installs a service. It checks that the service can be installed, writes its files and starts it. */

import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { errorCode } from '../../../base/errors.ts';
import { CommandError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { shellWord, visible } from '../../output/text.ts';
import { checkRights, type Choice, chooseManager } from './choose.ts';
import { handOverKey, type HandedOver } from './hand-over.ts';
import { lingerHint } from './linger.ts';
import type { Manager, ServiceFile } from './manager.ts';
import { checkIsForAll, checkItStays, ownProgram } from './program-place.ts';
import { checkReachable, mustControl, runTool } from './run-tool.ts';
import { isPackaged } from './systemd-files.ts';

export interface InstallOptions extends Choice {
  readonly fromCheckout?: boolean;
  /** The users who receive a key for the machine's store. */
  readonly for?: readonly string[];
}

export interface Installed {
  /** The name of the service in the tools of its manager. */
  readonly service: string;
  /** The paths of the written files. Files that a package contains are not included. */
  readonly files: readonly string[];
  readonly keys: readonly HandedOver[];
}

/**
 * A text that identifies files written by Holdfast. `MADE_BY` in the systemd units and the launchd property list
 * contain it.
 */
const OURS = 'Made by `holdfast service install`';

/** Returns the manager of the service. Throws CommandError if the service cannot be installed. Changes nothing. */
export async function checkInstallable(
  context: Context,
  { fromCheckout = false, ...choice }: InstallOptions,
): Promise<Manager> {
  const program = ownProgram();
  const manager = await chooseManager(context, program, choice);
  checkRights(choice);
  if (!fromCheckout) checkItStays(program);
  if (choice.system) checkIsForAll(program);
  await checkReachable(context.io, manager);
  if (!choice.system) await checkNoOtherDaemon(context, manager);
  for (const file of manager.files) await checkIsOurs(file);
  return manager;
}

/** Writes the files of the service, starts or restarts it, and creates keys for the users in `options.for`. */
export async function install(context: Context, options: InstallOptions): Promise<Installed> {
  const manager = await checkInstallable(context, options);
  const files = await writeFiles(manager.files);
  for (const command of manager.install) await mustControl(context.io, manager, command, options);
  const keys: HandedOver[] = [];
  for (const person of options.for ?? []) keys.push(await handOverKey(context, person));
  return { service: manager.name, files, keys };
}

/**
 * Writes the files that no package contains, and removes existing copies of packaged files. Returns the paths of the
 * written files.
 */
export async function writeFiles(files: readonly ServiceFile[]): Promise<string[]> {
  const written: string[] = [];
  for (const file of files) {
    const { path, text } = file;
    if (await isPackaged(file)) {
      await rm(path, { force: true });
      continue;
    }
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    await chmod(path, 0o644);
    written.push(path);
  }
  return written;
}

export function installedLines({ service, files, keys }: Installed, { system }: Choice): string[] {
  return [
    ...files.map((path) => `wrote ${visible(path)}`),
    `${service} runs, and starts with the system`,
    ...keys.flatMap(keyLines),
    ...(system ? [] : lingerHint()),
  ];
}

function keyLines({ person, file, endpoint }: HandedOver): string[] {
  const options = `--to ${endpoint} --protocol svc --credentials ${shellWord(file)}`;
  return [
    `key for ${visible(person)}: ${visible(file)}`,
    `  as ${visible(person)}: holdfast init ${visible(options)}`,
  ];
}

/**
 * Throws CommandError `Conflict` if a daemon is running that is not the service. Two daemons cannot use the same home
 * folder.
 */
async function checkNoOtherDaemon(context: Context, manager: Manager): Promise<void> {
  const daemon = await context.connectIfRunning();
  if (!daemon) return;
  const { pid } = daemon.hello;
  daemon.close();
  const { stdout, exitCode } = await runTool(context.io, manager.status);
  if (manager.stateOf(stdout, exitCode).pid === pid) return;
  throw new CommandError(
    'Conflict',
    `cannot install the service: a daemon is already running, pid ${pid}`,
    'to stop it first: holdfast down',
  );
}

/** Throws CommandError `Conflict` if the path contains a file that Holdfast did not write. */
async function checkIsOurs({ path }: ServiceFile): Promise<void> {
  const before = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (before === undefined || before.includes(OURS)) return;
  throw new CommandError(
    'Conflict',
    `cannot write ${path}: it exists, and \`holdfast service install\` did not create it`,
    `to move it away: mv ${shellWord(path)} ${shellWord(`${path}.old`)}`,
  );
}
