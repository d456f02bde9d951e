/**
 * Starts the daemon as a child process with a control client. Tests can stop or kill the process.
 */

import { spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { systemClock } from '../../src/base/clock.ts';
import { connectControl } from '../../src/control/client.ts';
import type { ControlClient } from '../../src/control/client.ts';
import { isControlError } from '../../src/control/control-error.ts';
import { DAEMON_ENVIRONMENT, V8_FLAGS } from '../../src/cli/node-options.ts';

export const CLI = join(import.meta.dirname, '../../dist/src/cli/main.js');

export interface DaemonProcess {
  readonly process: ChildProcess;
  readonly client: ControlClient;
  /** Sends SIGKILL to the daemon and waits until its process has ended. */
  kill(): Promise<void>;
  /** Sends SIGTERM to the daemon and returns its exit code. */
  stop(): Promise<number | null>;
}

/**
 * Creates a home with a configuration file, to which it adds the YAML text `more`. Port 0 lets the
 * system choose a free port, so that tests can run in parallel.
 */
export function makeHome(home: string, port = 0, more = ''): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeFileSync(join(home, 'config.yaml'), `storage:\n  port: ${port}\n${more}`, { mode: 0o600 });
}

/**
 * Environment and command of the daemon: `service run`, or `s3 serve` for the embedded store
 * without jobs.
 */
type DaemonOptions = Pick<SpawnOptions, 'env'> & {
  readonly command?: 'service run' | 's3 serve';
};

/**
 * Starts the daemon and waits until its control socket responds. A home without a configuration
 * file gets one with port 0.
 */
export async function startDaemonProcess(
  home: string,
  { command = 'service run', ...options }: DaemonOptions = {},
): Promise<DaemonProcess> {
  if (!existsSync(join(home, 'config.yaml'))) makeHome(home);
  const child = spawn(process.execPath, [...V8_FLAGS, CLI, ...command.split(' '), '--home', home], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...options,
    env: { ...(options.env ?? process.env), ...DAEMON_ENVIRONMENT },
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const client = await connectWhenUp(join(home, 'control.sock'), () => {
    if (child.exitCode !== null) throw new Error(`start the daemon: the process ended: ${said}`);
  });
  return {
    process: child,
    client,
    async kill() {
      child.kill('SIGKILL');
      await exited;
      client.close();
    },
    async stop() {
      child.kill('SIGTERM');
      const [code] = await exited;
      client.close();
      return code;
    },
  };
}

async function connectWhenUp(socketPath: string, check: () => void): Promise<ControlClient> {
  for (;;) {
    check();
    try {
      // A failed connection costs much more CPU time than this check.
      if (existsSync(socketPath)) return await connectControl({ socketPath, clientName: 'test' });
    } catch (error) {
      if (!isControlError(error, 'NotRunning', 'Disconnected')) throw error;
    }
    await systemClock.sleep(10);
  }
}
