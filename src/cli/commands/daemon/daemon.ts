/**
 * Implements `holdfast service run` and, for a store without jobs, `holdfast s3 serve`. Both run in the foreground
 * until a signal or `holdfast down` stops them. SIGHUP reloads the configuration.
 */

import { defined } from '../../../base/defined.ts';
import type { Context } from '../../context.ts';
import { catchInterrupts } from '../../interrupts.ts';
import { serviceManager } from '../service/notify.ts';
import { stopDaemon } from './stop-daemon.ts';
import { visible } from '../../output/text.ts';

export interface DaemonOptions {
  readonly storeOnly?: boolean;
  readonly port?: number;
}

export async function daemon(
  context: Context,
  { storeOnly = false, port }: DaemonOptions = {},
): Promise<void> {
  // If SIGHUP arrives during the start, the configuration is reloaded when the start is complete.
  let isReloadDue = false;
  let reload = () => {
    isReloadDue = true;
  };
  const interrupts = catchInterrupts(context.io.stderr, { onHangup: () => reload() });
  const { startDaemon } = await import('../../../../daemon/main.ts');
  const home = await context.home();
  const manager = await serviceManager(context.io);
  const running = await startDaemon({ home, storeOnly, ...defined({ port }) });
  reload = () => running.reload();
  if (isReloadDue) reload();
  try {
    if (context.json) await context.out.jsonEvent({ pid: running.pid });
    else {
      const log = `its log: ${visible(home.logFile)}`;
      await context.out.lines(`started at ${running.url}, pid ${running.pid}; ${log}`);
      if (context.io.stdout.isTTY === true) await context.out.prose(...TERMINAL_LINES);
    }
    manager.ready();
    const interrupted = new Promise<void>((resolve) => {
      if (interrupts.signal.aborted) resolve();
      interrupts.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.race([running.stopped, interrupted]);
  } finally {
    manager.stopping();
    await stopDaemon(running, context);
    interrupts.release();
  }
}

const TERMINAL_LINES = [
  'for the URL and a key, in another terminal: holdfast admin credentials',
  'to stop: Ctrl-C',
];
