/** Selects the service manager, and whether the service belongs to the user or to the machine. */

import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

import type { Home } from '../../../config/home.ts';
import { CommandError, usageError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { launchd } from './launchd.ts';
import { LABEL, launchdPlist } from './launchd-plist.ts';
import type { Manager } from './manager.ts';
import type { Program } from './program-place.ts';
import { systemd } from './systemd.ts';
import { storeFiles, SYSTEM_CONFIGURATION, userFile } from './systemd-files.ts';
import { STORE_UNIT, USER_UNIT } from './systemd-units.ts';

export type ManagerName = 'systemd' | 'launchd';

export interface Choice {
  readonly system?: boolean;
  /** The service manager for `--print`. Absent for the manager of this system. */
  readonly manager?: ManagerName;
}

/** The environment variables that the service inherits from the user, so that it uses the same directories. */
const PASSED_ON = ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME'];

/**
 * Returns the manager of the service, with the files to install. Throws CommandError `NotImplemented` if `system` is
 * set and the manager is launchd.
 */
export async function chooseManager(
  context: Context,
  program: Program,
  { system = false, manager = usualManager() }: Choice,
): Promise<Manager> {
  if (system) return storeManager(program, manager);
  const home = await context.home();
  const { env } = context.io;
  const environment = Object.fromEntries(
    PASSED_ON.flatMap((name) => (env[name] ? [[name, env[name]]] : [])),
  ) as Record<string, string>;
  if (home.hasOwnConfig) environment['HOLDFAST_CONFIG'] = home.configFile;
  const place = { program, environment, ...(home.root === undefined ? {} : { home: home.root }) };
  if (manager === 'launchd') return agentManager(home, place);
  const folder = join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'systemd/user');
  return systemd({ unit: USER_UNIT, scope: 'user', files: [userFile(folder, place)] });
}

function agentManager(home: Home, place: Omit<Parameters<typeof launchdPlist>[0], 'logFile'>) {
  const logFile = join(dirname(home.logFile), 'service.log');
  const path = join(homedir(), 'Library/LaunchAgents', `${LABEL}.plist`);
  const plist = { path, text: launchdPlist({ ...place, logFile }) };
  return launchd({ uid: process.getuid?.() ?? 0, plist, logFile });
}

function storeManager(program: Program, manager: ManagerName): Manager {
  if (manager === 'launchd') {
    throw new CommandError(
      'NotImplemented',
      'cannot install the service: --system requires systemd',
      'on macOS the daemon runs as your user: holdfast service install',
    );
  }
  return systemd({
    unit: STORE_UNIT,
    scope: 'system',
    files: storeFiles(program),
    // Both tools receive only the file name, so that they find the file in /etc or, if a package contains it, in
    // /usr/lib.
    prepare: [
      ['systemd-sysusers', SYSTEM_CONFIGURATION],
      ['systemd-tmpfiles', '--create', SYSTEM_CONFIGURATION],
    ],
  });
}

function usualManager(): ManagerName {
  return process.platform === 'darwin' ? 'launchd' : 'systemd';
}

/** Throws CommandError `NoRights` if a user other than root tries to change the system service. */
export function checkRights({ system = false }: Choice): void {
  const isRoot = process.getuid?.() === 0;
  if (system && !isRoot) {
    throw new CommandError(
      'NoRights',
      'cannot change the system service: only root may do that',
      'run the command with sudo',
    );
  }
}

/** Throws a usage error if `--manager` is given without `--print`. */
export function checkPrintable(choice: Choice, print: boolean): void {
  if (choice.manager === undefined || print) return;
  throw usageError(
    'cannot use --manager without --print: the service manager is that of this system',
  );
}
