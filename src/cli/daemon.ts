/**
 * `holdfast daemon`, and `holdfast serve` without jobs: in the foreground, until a signal or `holdfast down` stops it.
 * SIGHUP has it reload.
 */

import type { Context } from './context.ts';
import { catchInterrupts } from './interrupts.ts';
import { serviceManager } from './service/notify.ts';
import { stopDaemon } from './stop-daemon.ts';
import { visible } from './text.ts';

export async function daemon(
  context: Context,
  { storeOnly = false }: { readonly storeOnly?: boolean } = {},
): Promise<void> {
  let reload: (() => void) | undefined;
  const interrupts = catchInterrupts(context.io.stderr, () => reload?.());
  const { startDaemon } = await import('../../daemon/start.ts');
  const home = await context.home();
  const manager = await serviceManager(context.io);
  const running = await startDaemon({ home, storeOnly });
  reload = () => running.reload();
  try {
    if (context.json) await context.out.jsonLine({ pid: running.pid });
    else await context.out.lines(`started, pid ${running.pid}; its log: ${visible(home.logFile)}`);
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
