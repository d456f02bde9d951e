/** `holdfast log`: the end of the daemon's log, and with `-f` what comes. */

import type { ControlClient } from '../control/client.ts';
import type { Context } from './context.ts';
import { catchInterrupts } from './interrupts.ts';
import { logText } from './log-text.ts';
import { Queue } from './queue.ts';

export interface LogOptions {
  readonly follow?: boolean;
  readonly lines: number;
}

type Print = (line: string) => Promise<void>;

export function log(context: Context, { follow, lines }: LogOptions): Promise<void> {
  const print: Print = (line) =>
    context.out.lines(context.json ? line : logText(line, context.out.paint));
  return context.withDaemon(async (daemon) => {
    if (follow) return followLog(daemon, { context, lines, print });
    const tail = await daemon.call('log.tail', { lines });
    for (const line of tail.lines) await print(line);
  });
}

async function followLog(
  daemon: ControlClient,
  { context, lines, print }: { context: Context; lines: number; print: Print },
): Promise<void> {
  const coming = new Queue<string>();
  daemon.onEvent(({ event }) => {
    if (event.type === 'log') coming.push(event.line);
  });
  daemon.onClose(() => coming.end());
  // Subscribed before the tail is read: nothing is lost in between, and what comes twice is known.
  await daemon.subscribe();
  const tail = await daemon.call('log.tail', { lines });
  for (const line of tail.lines) await print(line);
  const known = new Set(tail.lines);
  const interrupts = catchInterrupts(context.io.stderr);
  interrupts.signal.addEventListener('abort', () => coming.end(), { once: true });
  try {
    for await (const line of coming) if (!known.delete(line)) await print(line);
  } finally {
    interrupts.release();
  }
}
