/** Handles Ctrl-Z: stops the dashboard's process group, so that the shell gets the terminal back. */

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

import type { Clock } from '../../src/base/clock.ts';

/**
 * The dashboard must not draw within this time, because another thread may receive the signal, and it takes a moment to
 * stop all threads.
 */
const STOPS_WITHIN_MS = 100;

interface Groups {
  /** The process group of this process. */
  readonly own: number;
  /** The foreground process group of the controlling terminal. It is -1 without a controlling terminal. */
  readonly foreground: number;
}

/**
 * Returns which process SIGTSTP is sent to, as a pid for kill(2); 0 is the own process group. If npx or a script
 * started the dashboard, the shell waits until all processes in the group have stopped. A group without the terminal
 * belongs to another program and must not be stopped.
 */
export function stopTarget({ own, foreground }: Groups, pid: number): number {
  return own === foreground ? 0 : pid;
}

/**
 * Stops the dashboard, and resolves when the shell has continued it. Resolves soon if no shell can continue it, because
 * the system then ignores the signal.
 */
export async function stopJob(clock: Clock): Promise<void> {
  process.kill(stopTarget(await processGroups(), process.pid), 'SIGTSTP');
  await clock.sleep(STOPS_WITHIN_MS);
}

/**
 * Returns the process groups. Node has no function for this, so they are read from `/proc` on Linux, and from ps(1) on
 * other systems.
 */
async function processGroups(): Promise<Groups> {
  if (process.platform === 'linux') return groupsOf(readFileSync('/proc/self/stat', 'utf8'));
  const args = ['-o', 'pgid=,tpgid=', '-p', String(process.pid)];
  const { stdout } = await promisify(execFile)('ps', args);
  const [own = 0, foreground = -1] = stdout.trim().split(/\s+/).map(Number);
  return { own, foreground };
}

/** Parses fields 5 and 8 of proc_pid_stat(5). The program name precedes them and may contain spaces and parentheses. */
export function groupsOf(stat: string): Groups {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [, , own, , , foreground] = fields.map(Number);
  return { own: own ?? 0, foreground: foreground ?? -1 };
}
