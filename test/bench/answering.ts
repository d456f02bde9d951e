/**
 * Implements the control channel of the bench's server processes. It prints the ports and responds to requests for a
 * report.
 */

import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The resource usage of a server process since its last report. */
export interface ServerReport {
  /** The user and system CPU time of all threads. */
  readonly cpuMs: number;
  /** The 99th percentile of the delay of timers in the event loop. */
  readonly loopDelayP99Ms: number;
  readonly loopDelayMaxMs: number;
  /** The current resident set size. */
  readonly rssMib: number;
}

export type Question =
  | 'report'
  | { readonly loadKeys: { readonly from: number; readonly to: number } };

const TIMER_MS = 10;

/**
 * Prints the ports and responds to messages of the bench. `loadKeys` writes keys directly to the store, on servers
 * that support it.
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
    // The histogram records the time between two timer events, and the time includes the interval
    // of the timer.
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
  // The bench process has ended.
  process.on('disconnect', () => process.exit(0));
  process.stdout.write(`${ports.join(' ')}\n`);
}
