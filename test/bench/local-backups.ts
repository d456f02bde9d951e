/**
 * Runs and times programs that back up a folder to a store on the same machine: Holdfast with its embedded store, and
 * restic.
 */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { V8_FLAGS } from '../../src/cli/node-options.ts';
import { inheritedEnvironment } from '../clients/lane.ts';
import { CLI, makeRandomTree, type MirrorSize, required } from './mirrors.ts';
import { type CommandRun, installed, makeHome, timeCommand } from './processes.ts';

const JOB = 'embedded';
export const LARGE: MirrorSize = { files: 20, fileBytes: 100 * 1024 ** 2 };

/** A backup program: its environment, and its arguments for each task. */
export interface LocalBackup {
  readonly name: string;
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
  readonly back: (tree: string) => readonly string[];
  readonly restore: (to: string) => readonly string[];
}

/** Returns Holdfast as a backup program, with a separate home in `folder`. */
export function holdfastIn(folder: string): LocalBackup {
  const home = makeHome(join(folder, 'home'));
  const inHome = ['--home', home];
  return {
    name: 'holdfast',
    command: process.execPath,
    env: inheritedEnvironment(),
    back: (tree) => [...V8_FLAGS, CLI, 'up', tree, '--once', '--bucket', JOB, ...inHome],
    // The job has the same name as its folder.
    restore: (to) => [...V8_FLAGS, CLI, 'restore', JOB, '--to', to, ...inHome],
  };
}

/**
 * Returns restic as a backup program, with a new repository in `folder`. Returns undefined if restic is not installed.
 */
export function resticIn(folder: string): LocalBackup | undefined {
  if (!installed('restic')) return undefined;
  const env = {
    ...inheritedEnvironment(),
    RESTIC_REPOSITORY: join(folder, 'repository'),
    RESTIC_CACHE_DIR: join(folder, 'cache'),
    RESTIC_PASSWORD: 'bench',
  };
  if (!existsSync(env.RESTIC_REPOSITORY)) timeCommand('restic', ['init'], env);
  return {
    name: 'restic',
    command: 'restic',
    env,
    back: (tree) => ['backup', '--quiet', tree],
    restore: (to) => ['restore', '--quiet', 'latest', '--target', to],
  };
}

/** Creates a tree of random files in `folder`. Returns the path of the tree. */
export function treeIn(folder: string, size: MirrorSize): string {
  const tree = join(folder, JOB);
  makeRandomTree(tree, size);
  return tree;
}

/**
 * Runs a program. Writes all pending data to the disk first, so that a program does not benefit from data that another
 * program left unsynced.
 */
export function timed({ command, env }: LocalBackup, args: readonly string[]): CommandRun {
  spawnSync('sync');
  return required(timeCommand(command, args, env));
}

/** Returns a label for the tree size, such as `10000 × 4 KiB`. */
export function nameOf({ files, fileBytes }: MirrorSize): string {
  const kib = fileBytes / 1024;
  return `${files} × ${kib < 1024 ? `${kib} KiB` : `${kib / 1024} MiB`}`;
}
