/** Determines the program that a service runs, and checks that its files have permanent paths. */

import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

import { CommandError } from '../../output/command-error.ts';
import { MAIN_FILE } from '../../main-file.ts';

/** The paths of the Node executable and of the script that it runs. */
export interface Program {
  readonly node: string;
  readonly script: string;
}

/** Returns the program that runs this process. */
export function ownProgram(): Program {
  return { node: process.execPath, script: MAIN_FILE };
}

/** Throws CommandError if the program is in a checkout, where `npm ci` would remove it, or in the npx cache. */
export function checkItStays({ node, script }: Program): void {
  for (const file of [node, script]) {
    const root = projectOf(file);
    if (existsSync(join(root, '.git')) || existsSync(join(root, 'package-lock.json'))) {
      throw new CommandError(
        'NotInstalled',
        `cannot install the service: ${file} is in a checkout, where each \`npm ci\` removes the program`,
        file === node && projectOf(script) !== root
          ? 'to install the service, run Holdfast with a Node that is installed elsewhere; or use --from-checkout'
          : 'to install the program first: npm pack && npm install --global ./holdfast-*.tgz; or use --from-checkout',
      );
    }
    if (!file.includes(`${sep}_npx${sep}`)) continue;
    throw new CommandError(
      'NotInstalled',
      `cannot install the service: ${file} is in the cache of npx, which may be deleted at any time`,
      'to install the program first: npm install --global',
    );
  }
}

/**
 * Throws CommandError if the program is in a user's home directory, because the system service cannot access it.
 */
export function checkIsForAll({ node, script }: Program): void {
  for (const file of [node, script]) {
    if (!/^\/(home|root|run\/user|Users)\//.test(file)) continue;
    throw new CommandError(
      'NotInstalled',
      `cannot install the service: ${file} is in a home directory, which the system service cannot read`,
      'install Node and Holdfast for all users, such as below /usr/local',
    );
  }
}

/** Returns the root of the project that contains the file or has installed it as a dependency. */
function projectOf(file: string): string {
  const [project = ''] = file.split(`${sep}node_modules${sep}`, 1);
  return project === file ? packageRoot(file) : project;
}

function packageRoot(file: string): string {
  const folder = dirname(file);
  if (folder === dirname(folder) || existsSync(join(folder, 'package.json'))) return folder;
  return packageRoot(folder);
}
