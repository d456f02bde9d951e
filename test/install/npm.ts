/** The npm that runs the lane: it packs, and fetches what the registry has. */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { ROOT } from './figures.ts';

/** A registry that cannot be reached is asked for much longer otherwise. */
const ANSWER_WITHIN_MS = 180_000;

/** `npm run` names the npm that runs this. */
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

/** The path of the tarball. */
export function pack(folder: string): string {
  // What `prepare` would do was done by the script that runs this.
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  return join(folder, npm(args).trim());
}

/** What this machine's way to the registry needs. */
export function registryEnv(): Record<string, string> {
  const names = ['NODE_EXTRA_CA_CERTS', 'HTTPS_PROXY', 'https_proxy', 'npm_config_registry'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
