/**
 * Implements the control channel of the benchmark's server processes. It prints the ports and responds to requests for
 * a report.
 */

import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The resources that a server process has used since its last report. */
export interface ServerReport {
  /** The user and system CPU time of all threads, in milliseconds. */
  readonly cpuMs: number;
  /** The 99th percentile of the event loop's timer delays, in milliseconds. */
  readonly loopDelayP99Ms: number;
  readonly loopDelayMaxMs: number;
  /** The current resident set size of the server process. */
  readonly rssMib: number;
}

export type Question =
  | 'report'
  | { readonly loadKeys: { readonly from: number; readonly to: number } };

const TIMER_MS = 10;

/**
 * Prints the server's ports and responds to messages from the benchmark. On servers that support it, `loadKeys` writes
 * keys directly to the store.
 */
export function answerBench(
  ports: readonly number[],
  loadKeys: (from: number, to: number) => Promise<void> = () => Promise.resolve(),
): void {
  const delay = monitorEventLoopDelay({ resolution: TIMER_MS });
  delay.enable();
  let cpu = process.cpuUsage();
  const report = (): ServerReport => {
    const { user, system } = process.cpuUsage(cpu);
    cpu = process.cpuUsage();
    // The histogram records the time between two timer events. This time includes the timer's interval, so the interval
    // is subtracted.
    const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - TIMER_MS);
    const returned = {
      cpuMs: (user + system) / 1000,
      loopDelayP99Ms: late(delay.percentile(99)),
      loopDelayMaxMs: late(delay.max),
      rssMib: process.memoryUsage.rss() / 2 ** 20,
    };
    delay.reset();
    return returned;
  };
  process.on('message', (question: Question) => {
    if (question === 'report') process.send?.(report());
    else {
      const { from, to } = question.loadKeys;
      void loadKeys(from, to).then(() => process.send?.('loaded'));
    }
  });
  // The benchmark process has ended, so the server exits, too.
  process.on('disconnect', () => process.exit(0));
  process.stdout.write(`${ports.join(' ')}\n`);
}
