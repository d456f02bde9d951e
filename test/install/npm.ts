/** Runs the npm that started this script: it packs the tarball, and downloads from the registry. */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { ROOT } from './figures.ts';

/** Timeout in milliseconds. Without it, npm would retry an unreachable registry for much longer. */
const ANSWER_WITHIN_MS = 180_000;

/** Runs npm by its path, which `npm run` sets in `npm_execpath`. */
export function npm(args: readonly string[], env: NodeJS.ProcessEnv = process.env): string {
  const program = process.env['npm_execpath'];
  if (program === undefined) throw new Error('find npm: run this by `npm run`');
  return execFileSync(process.execPath, [program, ...args], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
    timeout: ANSWER_WITHIN_MS,
  });
}

/** Packs the tarball, and returns its path. */
export function pack(folder: string): string {
  // The script that runs this has already done the work of `prepare`.
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  return join(folder, npm(args).trim());
}

/** Returns the environment variables that this machine needs to reach the registry. */
export function registryEnv(): Record<string, string> {
  const names = ['NODE_EXTRA_CA_CERTS', 'HTTPS_PROXY', 'https_proxy', 'npm_config_registry'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
