/** Finds the installed clients, and the packages of missing clients. */

import { spawnSync } from 'node:child_process';
import { accessSync, constants, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export type ClientName = 'aws' | 's3cmd' | 'rclone' | 'restic' | 's3fs' | 'curl';

export interface Tool {
  readonly client: ClientName;
  readonly path: string;
  readonly version: string;
  /** Name and version of the tool, such as `aws 2.9.19`. */
  readonly title: string;
}

const PACKAGES: Readonly<Record<ClientName, string>> = {
  aws: 'awscli',
  s3cmd: 's3cmd',
  rclone: 'rclone',
  restic: 'restic',
  s3fs: 's3fs',
  curl: 'curl',
};

export const CLIENTS = Object.keys(PACKAGES) as readonly ClientName[];

/**
 * Returns the installed clients. For aws, it returns every version on the PATH, because the two
 * generations send the same request in different ways.
 */
export function findTools(clients: readonly ClientName[]): Tool[] {
  return clients.flatMap((client) => {
    const tools = new Map<string, Tool>();
    for (const path of onPath(client)) {
      const version = versionOf(path, client);
      if (version !== undefined && !tools.has(version))
        tools.set(version, { client, path, version, title: `${client} ${version}` });
    }
    const found = [...tools.values()];
    return client === 'aws' ? found : found.slice(0, 1);
  });
}

/**
 * Returns the packages to install. Debian's aws is installed in addition to a newer aws, because
 * both generations are tested. curl is always needed to download from the presigned URLs of other
 * clients.
 */
export function missingPackages(clients: readonly ClientName[]): string[] {
  const isDebian = isExecutable('/usr/bin/apt-get');
  return [...new Set<ClientName>([...clients, 'curl'])]
    .filter((name) =>
      name === 'aws' && isDebian ? !isExecutable('/usr/bin/aws') : onPath(name).length === 0,
    )
    .map((name) => PACKAGES[name]);
}

export function aptLine(packages: readonly string[]): string {
  const sudo = process.getuid?.() === 0 ? '' : 'sudo ';
  return `${sudo}apt-get install -y --no-install-recommends ${packages.join(' ')}`;
}

export function install(packages: readonly string[]): void {
  const { status } = spawnSync('sh', ['-c', aptLine(packages)], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`install clients: exit code ${status}`);
}

function versionOf(path: string, client: ClientName): string | undefined {
  const argument = client === 'rclone' || client === 'restic' ? 'version' : '--version';
  const { status, stdout } = spawnSync(path, [argument], { encoding: 'utf8' });
  // The shim of a version manager fails if the selected version is not installed. Such a tool does
  // not count as installed.
  return status === 0 ? /\d+(?:\.\d+)+/.exec(stdout)?.[0] : undefined;
}

/**
 * Returns the paths of a command on the PATH. A file with several paths is returned once, because
 * on Debian /bin is the same folder as /usr/bin.
 */
function onPath(command: string): string[] {
  const names = new Map<string, string>();
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, command);
    if (isExecutable(path) && !names.has(realpathSync(path))) names.set(realpathSync(path), path);
  }
  return [...names.values()];
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
