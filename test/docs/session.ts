/** A person who types what a page says: a home, a daemon and a folder of their own, and nothing of this machine's settings. */

import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

import { runCommand } from '../clients/command.ts';
import { CLI, makeHome, startDaemonProcess } from '../helpers/daemon-process.ts';
import type { DaemonProcess } from '../helpers/daemon-process.ts';
import type { Block } from './pages.ts';

/** Beside the port of the store: what pages speak of, on any free port, and clusters that are there at once. */
const CONFIG = `  website: {port: 0}
clusters:
  port: 0
  seconds: {createCluster: 0, deleteCluster: 0, createNodegroup: 0, deleteNodegroup: 0, batch: 0}
`;

/** Where Debian puts what pages name. */
const SYSTEM_PATH = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];

/** A shell ends at the first command that fails, in a pipe as well. */
const STRICT = 'set -euo pipefail\n';

export interface Session {
  /** All that the block said; throws it where the block failed. */
  run(block: Block): Promise<string>;
  close(): Promise<void>;
}

export async function openSession(): Promise<Session> {
  const folder = mkdtempSync(join(tmpdir(), 'hf-docs-'));
  const env = environmentIn(folder);
  makeHome(env.HOLDFAST_HOME, 0, CONFIG);
  const daemon = await startDaemonProcess(env.HOLDFAST_HOME, { env });
  return {
    async run({ page, line, before, script }) {
      const input = Buffer.from(`${STRICT}${before}\n${script}`);
      const { code, stdout, stderr } = await runCommand('bash', ['-s'], {
        env,
        cwd: env.HOME,
        input,
      });
      const said = `${stdout.toString()}${stderr}`;
      if (code !== 0) throw new Error(`run ${page}:${line}: exit code ${code}\n${said}`);
      return said;
    },
    async close() {
      // A page may have stopped the daemon, and started another one.
      if (daemon.process.exitCode !== null) await runCommand('holdfast', ['down'], { env });
      await end(daemon, folder);
    },
  };
}

async function end(daemon: DaemonProcess, folder: string): Promise<void> {
  if (daemon.process.exitCode === null) await daemon.stop();
  else daemon.client.close();
  rmSync(folder, { recursive: true, force: true });
}

function environmentIn(folder: string) {
  const [home, bin] = [join(folder, 'ann'), join(folder, 'bin')];
  mkdirSync(home);
  mkdirSync(bin);
  const script = (name: string, text: string): void => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  // Exit code 3 is success with something to look at, such as a mirror on the same disk.
  script(
    'holdfast',
    `'${process.execPath}' '${CLI}' "$@" || { code=$?; [ $code = 3 ] || exit $code; }`,
  );
  script('npx', 'exec "$@"');
  return {
    HOME: home,
    HOLDFAST_HOME: join(folder, 'home'),
    PATH: [bin, dirname(process.execPath), ...SYSTEM_PATH].join(delimiter),
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
    USER: 'ann',
    /** For what a reader would have installed. */
    PROJECT: join(import.meta.dirname, '../..'),
  };
}

/** Tools that the block needs and that this machine does not have. */
export function missingTools({ needs }: Block): string[] {
  return needs.filter((name) => !SYSTEM_PATH.some((folder) => existsSync(join(folder, name))));
}
