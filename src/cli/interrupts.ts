/**
 * Handles SIGINT, SIGTERM and SIGHUP. The first signal asks the command to stop. A second Ctrl-C ends the process
 * immediately. A command may handle SIGHUP differently, for example to reload the configuration.
 */

import type { Writable } from 'node:stream';

import { systemClock } from '../base/clock.ts';
import type { Clock } from '../base/clock.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** The exit code that a shell reports for a program that SIGINT ended: 128 + 2. */
const FORCED_EXIT_CODE = 130;
/**
 * Within this time, a further SIGINT counts as a copy of the first one instead of a second Ctrl-C. Copies occur because
 * the terminal sends SIGINT to the whole process group, and npm also forwards its own SIGINT to the program that it
 * runs.
 */
const FORWARDED_WITHIN_MS = 1000;

export interface Interrupts {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
  /** Returns whether the first signal was SIGHUP. A process receives SIGHUP when its terminal closes. */
  isHangup(): boolean;
  /** Removes the signal handlers. By default, Node ends the process on each of these signals. */
  release(): void;
}

interface InterruptOptions {
  /** Called on SIGHUP. If this callback is present, SIGHUP does not abort `signal`. */
  readonly onHangup?: (() => void) | undefined;
  readonly clock?: Clock;
}

/** Installs the signal handlers. They remain until `release` is called. */
export function catchInterrupts(stderr: Writable, options: InterruptOptions = {}): Interrupts {
  const { onHangup, clock = systemClock } = options;
  const abort = new AbortController();
  let interruptedAt: number | undefined;
  let first: NodeJS.Signals | undefined;
  const onSignal = (name: NodeJS.Signals) => {
    if (name === 'SIGHUP' && onHangup) return onHangup();
    if (name === 'SIGINT') {
      interruptedAt ??= clock.monotonic();
      if (clock.monotonic() - interruptedAt >= FORWARDED_WITHIN_MS) {
        stderr.write('\nholdfast: stopped at once by a second Ctrl-C\n');
        process.exit(FORCED_EXIT_CODE);
      }
    }
    first ??= name;
    abort.abort();
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return {
    signal: abort.signal,
    isHangup: () => first === 'SIGHUP',
    release: () => {
      for (const name of SIGNALS) process.off(name, onSignal);
    },
  };
}
