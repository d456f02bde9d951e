/**
 * Runs and times the programs that back up a folder to a store on the same machine: Holdfast's embedded store and
 * restic.
 */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { V8_FLAGS } from '../../src/cli/v8-flags.ts';
import { inheritedEnvironment } from '../clients/lane.ts';
import { CLI, makeRandomTree, type MirrorSize, required } from './mirrors.ts';
import { type CommandRun, installed, makeHome, timeCommand } from './processes.ts';

const JOB = 'embedded';
export const LARGE: MirrorSize = { files: 20, fileBytes: 100 * 1024 ** 2 };

/** A program, its environment, and its arguments for each task. */
export interface LocalBackup {
  readonly name: string;
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
  readonly back: (tree: string) => readonly string[];
  readonly restore: (to: string) => readonly string[];
}

/** Holdfast with its own home in `folder`. */
export function holdfastIn(folder: string): LocalBackup {
  const home = makeHome(join(folder, 'home'));
  const inHome = ['--home', home];
  return {
    name: 'holdfast',
    command: process.execPath,
    env: inheritedEnvironment(),
    back: (tree) => [...V8_FLAGS, CLI, 'up', tree, '--once', '--bucket', JOB, ...inHome],
    // The job is named after its folder.
    restore: (to) => [...V8_FLAGS, CLI, 'restore', JOB, '--to', to, ...inHome],
  };
}

/** restic with a new repository in `folder`. Returns undefined if it is not installed. */
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

/** Creates a tree of random files in `folder`. Returns its path. */
export function treeIn(folder: string, size: MirrorSize): string {
  const tree = join(folder, JOB);
  makeRandomTree(tree, size);
  return tree;
}

/**
 * Runs a program after all pending writes have reached the disk, because the programs sync
 * differently.
 */
export function timed({ command, env }: LocalBackup, args: readonly string[]): CommandRun {
  spawnSync('sync');
  return required(timeCommand(command, args, env));
}

/** Returns a label such as `10000 × 4 KiB`. */
export function nameOf({ files, fileBytes }: MirrorSize): string {
  const kib = fileBytes / 1024;
  return `${files} × ${kib < 1024 ? `${kib} KiB` : `${kib / 1024} MiB`}`;
}
