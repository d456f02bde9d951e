/**
 * Kills `holdfast restore` with SIGKILL after a random number of files. Each file under its final name must be
 * complete. A later restore that is not killed must complete the folder and leave no other files in
 * it.
 */

import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { systemClock } from '../../src/base/clock.ts';
import { V8_FLAGS } from '../../src/cli/node-options.ts';
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
  /** Called after each restore, with the number of files in the folder. */
  readonly onRestore?: (restore: number, isComplete: boolean, files: FileCounts) => void;
}

export interface KilledRestoresReport {
  /** Files under their final name whose content differs from that of the original folder. */
  readonly wrong: readonly string[];
  /** Paths that were missing or superfluous after a restore that was not killed. */
  readonly different: readonly string[];
  /** Number of kills. Each hit a restore that had written into the folder. */
  readonly killed: number;
}

export interface FileCounts {
  readonly complete: number;
  readonly temporary: number;
}

const JOB = 'tree';
const LARGE_FILES = 2;
const LARGE_BYTES = 16 * 1024 ** 2;
const POLL_MS = 5;

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
    const isComplete = await runAndKill(restore, { to, steps: random() * 2 * expected.size });
    options.onRestore?.(index + 1, isComplete, countFiles(to));
    wrong.push(...wrongFiles(to, expected));
    if (isComplete) different.push(...endOf(to, expected));
    else killed += 1;
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
 * Runs the restore and kills it after `steps` files in the folder were written or got their final
 * name. A kill after a fixed time would hit only the start of the program on a busy machine. Returns
 * true if the restore ended before that.
 */
async function runAndKill(
  args: readonly string[],
  { to, steps }: { readonly to: string; readonly steps: number },
): Promise<boolean> {
  const before = new Set(filesIn(to));
  const isEarly = () => {
    const { complete, temporary } = countFiles(to);
    return 2 * complete + temporary < steps || filesIn(to).every((path) => before.has(path));
  };
  const child = spawn(process.execPath, [...V8_FLAGS, CLI, ...args], { stdio: 'ignore' });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  while (child.exitCode === null && isEarly()) await systemClock.sleep(POLL_MS);
  child.kill('SIGKILL');
  const [code] = await ended;
  if (code !== null && code !== 0) throw new Error(`holdfast ${args.join(' ')}: exit ${code}`);
  return code === 0;
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

function countFiles(folder: string): FileCounts {
  const files = filesIn(folder);
  const temporary = files.filter((path) => isTemporaryName(basename(path))).length;
  return { complete: files.length - temporary, temporary };
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
