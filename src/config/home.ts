/** Determines the folders of Holdfast: either the XDG folders, or folders inside a single folder. */

import { accessSync, constants, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';

import { ownedByOther } from '../base/controlled-by-others.ts';
import { failureReason } from '../base/disk-error.ts';
import { errorCode } from '../base/errors.ts';
import { ConfigError } from './config-error.ts';

export interface Home {
  /** The folder that contains all folders of Holdfast. Present if `--home` or `HOLDFAST_HOME` is set. */
  readonly root?: string;
  /** Whether `--config` or `HOLDFAST_CONFIG` specifies the configuration file. */
  readonly hasOwnConfig?: true;
  readonly configFile: string;
  /** The folder of the embedded store and the identities. */
  readonly dataDir: string;
  /** The folder with the state of jobs and the runtime files of the daemon. */
  readonly stateDir: string;
  readonly credentialsDir: string;
  readonly logFile: string;
  readonly socketPath: string;
  /** Whether settings for tests are accepted (`HOLDFAST_TEST_MODE=1`). */
  readonly isTestMode: boolean;
  /** The top-level folders that contain all of Holdfast's files. No job may back them up. */
  readonly ownFolders: readonly string[];
}

/**
 * The maximum path length. `sun_path` has 108 bytes on Linux and 104 on macOS, including the terminating NUL. A socket
 * with a longer path cannot be bound.
 */
const MAX_SOCKET_PATH_BYTES = process.platform === 'darwin' ? 103 : 107;

/**
 * Determines the folders without reading or creating any file. Throws `ConfigError` if the socket's path would be too
 * long.
 */
export function resolveHome(where: {
  readonly homeFlag?: string | undefined;
  readonly configFlag?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}): Home {
  const root = where.homeFlag ?? where.env['HOLDFAST_HOME'];
  const folders = root ? belowRoot(resolve(where.cwd, root)) : ofSystem(where.env);
  const home = { ...folders, isTestMode: where.env['HOLDFAST_TEST_MODE'] === '1' };
  checkSocketPath(home.socketPath);
  const file = where.configFlag ?? where.env['HOLDFAST_CONFIG'];
  return file ? { ...home, configFile: resolve(where.cwd, file), hasOwnConfig: true } : home;
}

/** Returns the command-line options that make another process use the same home folder. */
export function homeArguments({ root, hasOwnConfig, configFile }: Home): string[] {
  return [
    ...(root === undefined ? [] : ['--home', root]),
    ...(hasOwnConfig ? ['--config', configFile] : []),
  ];
}

/** Returns the folder of the embedded store. */
export function storeFolder({ dataDir }: Pick<Home, 'dataDir'>): string {
  return join(dataDir, 'store');
}

type Folders = Omit<Home, 'isTestMode'>;

function belowRoot(root: string): Folders {
  const stateDir = join(root, 'state');
  return {
    root,
    configFile: join(root, 'config.yaml'),
    dataDir: join(root, 'data'),
    credentialsDir: join(root, 'credentials'),
    socketPath: join(root, 'control.sock'),
    ownFolders: [root],
    ...stateFiles(stateDir, stateDir),
  };
}

type Environment = Readonly<Record<string, string | undefined>>;

function ofSystem(env: Environment): Folders {
  const { config, data, state, log } =
    process.platform === 'darwin' ? libraryFolders() : xdgFolders(env);
  const socket = xdgFolder(env, 'XDG_RUNTIME_DIR') ?? state;
  return {
    configFile: join(config, 'config.yaml'),
    dataDir: data,
    credentialsDir: join(data, 'credentials'),
    socketPath: join(socket, 'control.sock'),
    ownFolders: [...new Set([config, data, state, log, socket])],
    ...stateFiles(state, log),
  };
}

function xdgFolders(env: Environment) {
  const below = (...names: readonly string[]) => join(homedir(), ...names, 'holdfast');
  const state = xdgFolder(env, 'XDG_STATE_HOME') ?? below('.local', 'state');
  return {
    config: xdgFolder(env, 'XDG_CONFIG_HOME') ?? below('.config'),
    data: xdgFolder(env, 'XDG_DATA_HOME') ?? below('.local', 'share'),
    state,
    log: state,
  };
}

/**
 * Returns Holdfast's folder inside the XDG folder that an environment variable names. Ignores relative paths, as the
 * XDG specification requires.
 */
function xdgFolder(env: Environment, name: string): string | undefined {
  const folder = env[name] ?? '';
  return isAbsolute(folder) ? join(folder, 'holdfast') : undefined;
}

function libraryFolders() {
  const below = (name: string) => join(homedir(), 'Library', name, 'holdfast');
  const data = below('Application Support');
  return { config: below('Preferences'), data, state: join(data, 'state'), log: below('Logs') };
}

function stateFiles(stateDir: string, logDir: string) {
  return {
    stateDir,
    logFile: join(logDir, 'holdfast.log'),
  };
}

function checkSocketPath(socketPath: string): void {
  const sizeBytes = Buffer.byteLength(socketPath);
  if (sizeBytes <= MAX_SOCKET_PATH_BYTES) return;
  const message =
    `the path has ${sizeBytes} bytes, and the maximum is ${MAX_SOCKET_PATH_BYTES}; ` +
    'choose a shorter folder with --home DIR or HOLDFAST_HOME';
  throw new ConfigError(socketPath, [{ message }], { verb: 'cannot open control socket' });
}

/**
 * Returns the folder of Holdfast that is or contains `folder`, even through a symbolic link. Returns undefined if
 * there is none.
 */
export function ownFolderOf({ ownFolders }: Pick<Home, 'ownFolders'>, folder: string) {
  const real = realOf(folder);
  return ownFolders.find((own) => isWithin(folder, own) || isWithin(real, realOf(own)));
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Resolves symbolic links. Returns the path itself if it cannot be resolved. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return path;
  }
}

/**
 * Creates missing folders with mode 0700, and checks that each folder is writable. An existing folder keeps its mode,
 * but must not be owned or writable by another user. Throws `ConfigError`.
 */
export function prepareHome(home: Home): void {
  const files = [home.configFile, home.socketPath, home.logFile];
  const folders = [home.dataDir, home.stateDir, home.credentialsDir, ...files.map(dirname)];
  if (home.root !== undefined) folders.unshift(home.root);
  for (const folder of new Set(folders)) prepareFolder(folder);
}

function prepareFolder(folder: string): void {
  try {
    makeFolder(folder);
    // The trailing `/.` makes the check fail if the path is a file.
    accessSync(`${folder}/.`, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const message = `${failureReason(error)}; choose another folder with --home DIR or HOLDFAST_HOME`;
    throw new ConfigError(folder, [{ message }], { verb: 'cannot prepare folder', cause: error });
  }
  const isOpen = (statSync(folder).mode & 0o022) !== 0;
  const message =
    ownedByOther(folder, { statSync }) ??
    (isOpen ? `other users may write to it; run: chmod go-w '${folder}'` : undefined);
  if (message === undefined) return;
  throw new ConfigError(folder, [{ message }], { verb: 'cannot prepare folder' });
}

/**
 * Creates a folder and its parents. It does not use `recursive`, because that option never returns if the kernel
 * rejects a folder with ENOENT, as in /proc.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process has created the folder in the meantime.
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}
