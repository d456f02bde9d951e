/** Runs the npm program that started this script. */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

/** Timeout in milliseconds. Without it, npm would retry an unreachable registry for much longer. */
const ANSWER_WITHIN_MS = 180_000;

interface NpmOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs npm and returns its output. `npm run` sets the path of npm in `npm_execpath`. */
export function npm(
  args: readonly string[],
  { cwd = ROOT, env = process.env }: NpmOptions = {},
): string {
  const program = process.env['npm_execpath'];
  if (program === undefined) throw new Error('cannot find npm: run this script with `npm run`');
  return execFileSync(process.execPath, [program, ...args], {
    cwd,
    env,
    encoding: 'utf8',
    timeout: ANSWER_WITHIN_MS,
    maxBuffer: 64_000_000,
  });
}

/**
 * Packs the tarball of a package folder into `folder`, and returns the path of the tarball. `npm
 * run build` must have created `dist`.
 */
export function pack(folder: string, packageFolder: string = ROOT): string {
  const args = [
    'pack',
    packageFolder,
    '--ignore-scripts',
    '--silent',
    '--pack-destination',
    folder,
  ];
  return join(folder, npm(args).trim());
}
