/** Ctrl-C and its like: the first asks to stop, the second forces it. SIGHUP may mean something else. */

import type { Writable } from 'node:stream';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** What a shell reports of a program that Ctrl-C ended. */
const FORCED_EXIT_CODE = 130;

export interface Interrupts {
  readonly signal: AbortSignal;
  /** Gives the signals back to Node, whose default ends the process. */
  release(): void;
}

/** `onHangup`: what SIGHUP asks for, where it does not ask to stop. */
export function catchInterrupts(stderr: Writable, onHangup?: () => void): Interrupts {
  const abort = new AbortController();
  const onSignal = (name: NodeJS.Signals) => {
    if (name === 'SIGHUP' && onHangup) return onHangup();
    if (abort.signal.aborted && name === 'SIGINT') {
      stderr.write('\nholdfast: forced\n');
      process.exit(FORCED_EXIT_CODE);
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
