/**
 * Runs command blocks in a new session: a home, a daemon and a folder. No settings of this computer
 * apply in the session.
 */

import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

import { runCommand } from '../clients/command.ts';
import { CLI, makeHome, startDaemonProcess } from '../helpers/daemon-process.ts';
import type { DaemonProcess } from '../helpers/daemon-process.ts';
import { missingLine } from './shown-output.ts';
import type { Block } from './pages.ts';

/**
 * Additional configuration: free ports for the listeners that pages use, and clusters that become
 * active immediately.
 */
const CONFIG = `  website: {port: 0}
clusters:
  port: 0
  seconds: {createCluster: 0, deleteCluster: 0, createNodegroup: 0, deleteNodegroup: 0, batch: 0}
`;

/** Folders in which Debian installs the tools that pages use. */
const SYSTEM_PATH = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];

/** Home folder of the user in the output that pages show. */
const HOME_ON_PAGES = '/home/ann';

/** Ends the script at the first command that fails, even in a pipe. */
const STRICT = 'set -euo pipefail\n';

export interface Session {
  /**
   * Runs a block and returns its output. If the block fails, throws an error that contains the
   * output.
   */
  run(block: Block): Promise<string>;
  close(): Promise<void>;
}

export async function openSession(): Promise<Session> {
  const folder = mkdtempSync(join(tmpdir(), 'hf-docs-'));
  const env = environmentIn(folder);
  makeHome(env.HOLDFAST_HOME, 0, CONFIG);
  const daemon = await startDaemonProcess(env.HOLDFAST_HOME, { env });
  return {
    async run({ page, line, before, script, output }) {
      const merged = output === undefined ? '' : 'exec 2>&1\n';
      const input = Buffer.from(`${STRICT}${before}\n${merged}${script}`);
      const { code, stdout, stderr } = await runCommand('bash', ['-s'], {
        env,
        cwd: env.HOME,
        input,
      });
      const said = `${stdout.toString()}${stderr}`;
      if (code !== 0) throw new Error(`run ${page}:${line}: exit code ${code}\n${said}`);
      const missing = output && missingLine(output, said.replaceAll(env.HOME, HOME_ON_PAGES));
      if (missing !== undefined && missing !== '')
        throw new Error(`${page}:${line}: the output has no line "${missing}":\n${said}`);
      return said;
    },
    async close() {
      // A page may have stopped this daemon and started another daemon.
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
  // Exit code 3 means success with a warning, such as a store on the same disk as the folder.
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
    /** Path of the repository. Programs that a reader would have installed are found there. */
    PROJECT: join(import.meta.dirname, '../..'),
  };
}

/** Returns the tools that the block needs and that are not installed on this computer. */
export function missingTools({ needs }: Block): string[] {
  return needs.filter((name) => !SYSTEM_PATH.some((folder) => existsSync(join(folder, name))));
}
