/** Ctrl-C and its like: the first asks to stop, a later one forces it. SIGHUP may mean something else. */

import type { Writable } from 'node:stream';

import { systemClock } from '../base/clock.ts';
import type { Clock } from '../base/clock.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** What a shell reports of a program that Ctrl-C ended. */
const FORCED_EXIT_CODE = 130;
/**
 * The terminal sends SIGINT to the whole process group, and npm forwards its own copy to the program that it runs. A SIGINT
 * this soon after the first one is that copy, not a second Ctrl-C.
 */
const FORWARDED_WITHIN_MS = 1000;

export interface Interrupts {
  readonly signal: AbortSignal;
  /** Gives the signals back to Node, whose default ends the process. */
  release(): void;
}

interface InterruptOptions {
  /** What SIGHUP asks for, where it does not ask to stop. */
  readonly onHangup?: (() => void) | undefined;
  readonly clock?: Clock;
}

export function catchInterrupts(stderr: Writable, options: InterruptOptions = {}): Interrupts {
  const { onHangup, clock = systemClock } = options;
  const abort = new AbortController();
  let interruptedAt: number | undefined;
  const onSignal = (name: NodeJS.Signals) => {
    if (name === 'SIGHUP' && onHangup) return onHangup();
    if (name === 'SIGINT') {
      interruptedAt ??= clock.monotonic();
      if (clock.monotonic() - interruptedAt >= FORWARDED_WITHIN_MS) {
        stderr.write('\nholdfast: stopped at once by a second Ctrl-C\n');
        process.exit(FORCED_EXIT_CODE);
      }
    }
    abort.abort();
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return {
    signal: abort.signal,
    release: () => {
      for (const name of SIGNALS) process.off(name, onSignal);
    },
  };
}
