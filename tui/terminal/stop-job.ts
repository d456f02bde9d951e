/** Handles Ctrl-Z: stops the shell job of the dashboard, so that the shell gets the terminal back. */

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

import type { Clock } from '../../src/base/clock.ts';

/** Another thread may receive the signal. The dashboard must not draw until the signal has stopped all threads. */
const STOPS_WITHIN_MS = 100;

interface Groups {
  /** Process group of this process. */
  readonly own: number;
  /** Foreground process group of the controlling terminal; -1 if there is none. */
  readonly foreground: number;
}

/**
 * Returns the receiver of SIGTSTP as for kill(2); 0 is the own process group. If npx or a script started the dashboard, the job
 * has several processes, and the shell waits until all of them have stopped. A group that does not have the terminal belongs
 * to another program.
 */
export function stopTarget({ own, foreground }: Groups, pid: number): number {
  return own === foreground ? 0 : pid;
}

/**
 * Resolves when the shell has continued the job. Resolves soon if no shell can do this, because the system
 * then ignores the signal.
 */
export async function stopJob(clock: Clock): Promise<void> {
  process.kill(stopTarget(await processGroups(), process.pid), 'SIGTSTP');
  await clock.sleep(STOPS_WITHIN_MS);
}

/** Node has no functions for process groups. Linux lists them in `/proc`, and other systems through ps(1). */
async function processGroups(): Promise<Groups> {
  if (process.platform === 'linux') return groupsOf(readFileSync('/proc/self/stat', 'utf8'));
  const args = ['-o', 'pgid=,tpgid=', '-p', String(process.pid)];
  const { stdout } = await promisify(execFile)('ps', args);
  const [own = 0, foreground = -1] = stdout.trim().split(/\s+/).map(Number);
  return { own, foreground };
}

/** Reads fields 5 and 8 of proc_pid_stat(5). The program name before them may contain spaces and parentheses. */
export function groupsOf(stat: string): Groups {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [, , own, , , foreground] = fields.map(Number);
  return { own: own ?? 0, foreground: foreground ?? -1 };
}
