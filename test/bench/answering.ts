/** What every server process of the bench does beside serving: it tells its ports, and of itself when asked. */

import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Since the last report. */
export interface ServerReport {
  /** User and system time of all threads. */
  readonly cpuMs: number;
  /** How late the event loop came to its timers. */
  readonly loopDelayP99Ms: number;
  readonly loopDelayMaxMs: number;
  /** At this moment. */
  readonly rssMib: number;
}

export type Question =
  | 'report'
  | { readonly loadKeys: { readonly from: number; readonly to: number } };

const TIMER_MS = 10;

/** `loadKeys` puts keys past the wire, where the server can. */
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
    // What is recorded is the time from timer to timer.
    const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - TIMER_MS);
    const told = {
      cpuMs: (user + system) / 1000,
      loopDelayP99Ms: late(delay.percentile(99)),
      loopDelayMaxMs: late(delay.max),
      rssMib: process.memoryUsage.rss() / 2 ** 20,
    };
    delay.reset();
    return told;
  };
  process.on('message', (question: Question) => {
    if (question === 'report') process.send?.(report());
    else {
      const { from, to } = question.loadKeys;
      void loadKeys(from, to).then(() => process.send?.('loaded'));
    }
  });
  // Whoever asked is gone.
  process.on('disconnect', () => process.exit(0));
  process.stdout.write(`${ports.join(' ')}\n`);
}
