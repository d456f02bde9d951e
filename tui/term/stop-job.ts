/** Ctrl-Z: stops the job that the shell started, so that the shell has the terminal again. */

import type { Clock } from '../../src/base/clock.ts';

/** Another thread may take the signal: the terminal is not drawn on before that has stopped this one. */
const STOPS_WITHIN_MS = 100;

interface Groups {
  /** Process group of this process. */
  readonly own: number;
  /** Foreground process group of the terminal on standard input; -1 where that is not the controlling terminal. */
  readonly foreground: number;
}

/**
 * Whom SIGTSTP goes to, as in kill(2); 0 is the own process group. A job has more processes than this one where npx or a script
 * started it: a shell waits until all of them have stopped. A group that does not have the terminal belongs to another program.
 */
export function stopTarget({ own, foreground }: Groups, pid: number): number {
  return own === foreground ? 0 : pid;
}

/** Resolves once the shell has continued the job. Where no shell could, the system ignores the signal: it resolves soon. */
export async function stopJob(clock: Clock): Promise<void> {
  process.kill(stopTarget(await processGroups(), process.pid), 'SIGTSTP');
  await clock.sleep(STOPS_WITHIN_MS);
}

/** Node has no call for either. Loads the library that calls C only for those who press Ctrl-Z. */
async function processGroups(): Promise<Groups> {
  const { default: koffi } = await import('koffi');
  const c = koffi.load(null);
  const own = c.func('int getpgrp(void)') as () => number;
  const foreground = c.func('int tcgetpgrp(int fd)') as (fd: number) => number;
  return { own: own(), foreground: foreground(0) };
}
