/**
 * Measures how long a daemon takes from its start until it responds, and how long a command takes. Compares both with
 * `node -e 0`.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { systemClock } from '../../src/base/clock.ts';
import { V8_FLAGS } from '../../src/cli/node-options.ts';
import { connectControl } from '../../src/control/client.ts';
import { isControlError } from '../../src/control/control-error.ts';
import { seconds } from './load.ts';
import { makeHome, nodeMs } from './processes.ts';
import { median, row } from './row.ts';
import type { Row } from './row.ts';

const CLI = join(import.meta.dirname, '../../dist/src/cli/main.js');
const ROUNDS = 9;
const POLL_MS = 5;
/** After the start, a daemon finishes its background work within this time. */
const AT_REST_MS = 300;
/** The maximum start time of a daemon, as a multiple of the time that `node -e 0` takes. */
const MAX_START = 5;
const MAX_STATUS = 2.5;
const MAX_HELP = 2;

export async function benchStart(folder: string): Promise<Row[]> {
  const home = makeHome(join(folder, 'home-start'));
  const bareMs: number[] = [];
  const startsMs: number[] = [];
  const statusesMs: number[] = [];
  const helpsMs: number[] = [];
  // The first round is not measured, because it creates the store and fills the cache of compiled code.
  for (let round = -1; round < ROUNDS; round += 1) {
    const bare = nodeMs(['-e', '0']);
    const daemon = spawn(process.execPath, [...V8_FLAGS, CLI, 'service', 'run', '--home', home], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const exited = once(daemon, 'exit');
    const ended = exited.then(([code]) => {
      throw new Error(`start daemon: the process ended with exit code ${code}`);
    });
    ended.catch(() => undefined);
    const started = () => Promise.race([answering(join(home, 'control.sock')), ended]);
    const startMs = 1000 * (await seconds(started));
    // The first `status` request is not measured. It makes the daemon load code, and this work competes with the
    // command for the CPU.
    const status = [...V8_FLAGS, CLI, 'status', '--home', home];
    nodeMs(status);
    await systemClock.sleep(AT_REST_MS);
    const statusMs = nodeMs(status);
    const helpMs = nodeMs([...V8_FLAGS, CLI, '--help']);
    daemon.kill('SIGTERM');
    await exited;
    if (round < 0) continue;
    bareMs.push(bare);
    startsMs.push(startMs);
    statusesMs.push(statusMs);
    helpsMs.push(helpMs);
  }
  const beside = { yardstick: 'node -e 0', yardstickFigure: median(bareMs) };
  return [
    row(
      'start to listening, existing store',
      'ms',
      { figure: median(startsMs), ...beside },
      { atMost: MAX_START },
    ),
    row(
      'holdfast status, daemon at rest',
      'ms',
      { figure: median(statusesMs), ...beside },
      { atMost: MAX_STATUS },
    ),
    row('holdfast --help', 'ms', { figure: median(helpsMs), ...beside }, { atMost: MAX_HELP }),
  ];
}

async function answering(socketPath: string): Promise<void> {
  for (;;) {
    try {
      const client = await connectControl({ socketPath, clientName: 'bench' });
      client.close();
      return;
    } catch (error) {
      if (!isControlError(error, 'NotRunning')) throw error;
      await systemClock.sleep(POLL_MS);
    }
  }
}
