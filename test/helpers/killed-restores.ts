/**
 * Kills `holdfast restore` with SIGKILL at random times. Each file under its final name must be
 * complete. A later restore that is not killed must complete the folder and leave no other files in
 * it.
 */

import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { systemClock } from '../../src/base/clock.ts';
import { V8_FLAGS } from '../../src/cli/v8-flags.ts';
import { isTemporaryName } from '../../src/mirror/local/temporary-name.ts';
import { CLI, makeHome } from './daemon-process.ts';
import { checksums, makeTree, randomFrom } from './tree.ts';

export interface KilledRestoresOptions {
  /** Path of an empty folder for the test. */
  readonly folder: string;
  /** Number of restores. Some of them end before they can be killed. */
  readonly restores: number;
  readonly files: number;
  readonly seed: number;
  readonly onRestore?: (restore: number, isComplete: boolean) => void;
}

export interface KilledRestoresReport {
  /** Files under their final name whose content differs from that of the original folder. */
  readonly wrong: readonly string[];
  /** Paths that were missing or superfluous after a restore that was not killed. */
  readonly different: readonly string[];
  readonly killed: number;
}

const JOB = 'tree';
const LARGE_FILES = 2;
const LARGE_BYTES = 16 * 1024 ** 2;
const LONGEST_LIFE_MS = 1_200;

export async function killedRestores(
  options: KilledRestoresOptions,
): Promise<KilledRestoresReport> {
  const random = randomFrom(options.seed);
  const [root, home, to] = [JOB, 'home', 'back'].map((name) => join(options.folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(root);
  makeTree(root, options.files);
  for (let index = 0; index < LARGE_FILES; index += 1)
    writeFileSync(join(root, `large-${index}`), randomBytes(LARGE_BYTES));
  makeHome(home);
  run(['up', root, '--once', '--bucket', JOB, '--home', home]);
  const expected = checksums(root);
  const restore = ['restore', JOB, '--to', to, '--home', home];
  const wrong: string[] = [];
  const different: string[] = [];
  let killed = 0;
  for (let index = 0; index < options.restores; index += 1) {
    const isComplete = await runAndKill(restore, random() * LONGEST_LIFE_MS);
    wrong.push(...wrongFiles(to, expected));
    if (isComplete) different.push(...endOf(to, expected));
    else killed += 1;
    options.onRestore?.(index + 1, isComplete);
  }
  run(restore);
  return { wrong, different: [...different, ...endOf(to, expected)], killed };
}

function run(args: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [...V8_FLAGS, CLI, ...args], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`holdfast ${args.join(' ')}: ${stderr}`);
}

/**
 * Runs the command and kills it after `lifeMs` milliseconds. Returns true if the command ended
 * before that.
 */
async function runAndKill(args: readonly string[], lifeMs: number): Promise<boolean> {
  const child = spawn(process.execPath, [...V8_FLAGS, CLI, ...args], { stdio: 'ignore' });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  await Promise.race([ended, systemClock.sleep(lifeMs)]);
  child.kill('SIGKILL');
  const [code] = await ended;
  if (code !== null && code !== 0) throw new Error(`holdfast ${args.join(' ')}: exit ${code}`);
  return code === 0;
}

function wrongFiles(to: string, expected: ReadonlyMap<string, string>): string[] {
  if (!existsSync(to)) return [];
  const found = [...checksums(to)].filter(([path]) => !isTemporaryName(basename(path)));
  return found.filter(([path, sum]) => expected.get(path) !== sum).map(([path]) => path);
}

/**
 * Compares the restored folder with the expected contents, removes it and returns the differences.
 */
function endOf(to: string, expected: ReadonlyMap<string, string>): string[] {
  const found = checksums(to);
  rmSync(to, { recursive: true });
  return [...new Set([...found.keys(), ...expected.keys()])].filter(
    (path) => found.get(path) !== expected.get(path),
  );
}
