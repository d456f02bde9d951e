/** Measures the time until a started daemon answers, and the duration of a command, compared with `node -e 0`. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { systemClock } from '../../src/base/clock.ts';
import { connectControl } from '../../src/control/client.ts';
import { isControlError } from '../../src/control/control-error.ts';
import { seconds } from './load.ts';
import { makeHome, timeCommand } from './processes.ts';
import { limited, median, row } from './row.ts';
import type { Row } from './row.ts';

const CLI = join(import.meta.dirname, '../../dist/src/cli/main.js');
const ROUNDS = 5;
const POLL_MS = 5;
const MAX_START_MS = 200;
const MAX_STATUS_MS = 100;

export async function benchStart(folder: string): Promise<Row[]> {
  const home = makeHome(join(folder, 'home-start'));
  const bareMs = medianMs(['-e', '0']);
  const startsMs: number[] = [];
  let statusMs = Number.NaN;
  for (let round = 0; round < ROUNDS; round += 1) {
    const daemon = spawn(process.execPath, [CLI, 'daemon', '--home', home], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const exited = once(daemon, 'exit');
    const ended = exited.then(([code]) => {
      throw new Error(`start daemon: it ended with ${code}`);
    });
    const started = () => Promise.race([answering(join(home, 'control.sock')), ended]);
    startsMs.push(1000 * (await seconds(started)));
    ended.catch(() => undefined);
    if (round === ROUNDS - 1) statusMs = medianMs([CLI, 'status', '--home', home]);
    daemon.kill('SIGTERM');
    await exited;
  }
  return [
    limited('start to listening, existing store', 'ms', median(startsMs), MAX_START_MS),
    limited('holdfast status', 'ms', statusMs, MAX_STATUS_MS),
    row('holdfast status', 'ms', {
      figure: statusMs,
      yardstick: 'node -e 0',
      yardstickFigure: bareMs,
    }),
  ];
}

function medianMs(args: readonly string[]): number {
  const runs = Array.from({ length: ROUNDS }, () => timeCommand(process.execPath, args));
  return 1000 * median(runs.map((run) => run?.seconds ?? Number.NaN));
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
