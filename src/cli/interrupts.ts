/** Ctrl-C and its like: the first asks to stop, the second forces it. */

import type { Writable } from 'node:stream';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** What a shell reports of a program that Ctrl-C ended. */
const FORCED_EXIT_CODE = 130;

export interface Interrupts {
  readonly signal: AbortSignal;
  /** Gives the signals back to Node, whose default ends the process. */
  release(): void;
}

export function catchInterrupts(stderr: Writable): Interrupts {
  const abort = new AbortController();
  const onSignal = (name: NodeJS.Signals) => {
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
