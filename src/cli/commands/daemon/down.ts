/** Implements `holdfast down`. It stops the daemon and waits until its process has ended. */

import { readFileSync } from 'node:fs';

import { errorCode } from '../../../base/errors.ts';
import { isControlError } from '../../../control/control-error.ts';
import type { ControlClient } from '../../../control/client.ts';
import { CommandError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';

/** How long to wait for the daemon to stop. It is twice the time that a clean shutdown may take. */
const PATIENCE_MS = 10_000;
const POLL_MS = 25;

export async function down(context: Context): Promise<void> {
  const pid = await stopRunning(context);
  if (context.json) return context.out.json({ stopped: pid !== undefined, pid });
  await context.out.lines(
    pid === undefined ? 'no daemon is running' : `stopped the daemon, pid ${pid}`,
  );
}

/** Stops the daemon and returns its process ID. Returns undefined if no daemon is running. */
export async function stopRunning(context: Context): Promise<number | undefined> {
  const daemon = await context.connectIfRunning();
  if (daemon) await stop(daemon, context);
  return daemon?.hello.pid;
}

/**
 * Asks the daemon to stop, and waits until its process has ended, because the daemon closes its socket before its
 * store. Throws CommandError `NotStopped` if that takes too long.
 */
async function stop(daemon: ControlClient, { io: { clock } }: Context): Promise<void> {
  const { pid } = daemon.hello;
  await askToStop(daemon);
  for (const until = clock.monotonic() + PATIENCE_MS; clock.monotonic() < until;) {
    if (!isAlive(pid)) return;
    await clock.sleep(POLL_MS);
  }
  throw new CommandError(
    'NotStopped',
    `cannot stop the daemon: pid ${pid} still runs after ${PATIENCE_MS / 1_000} s`,
    `to see why: holdfast log; to end it: kill ${pid}`,
  );
}

async function askToStop(daemon: ControlClient): Promise<void> {
  try {
    await daemon.call('shutdown', {});
  } catch (error) {
    // The daemon may exit before its response has been read.
    if (!isControlError(error, 'Disconnected')) throw error;
  } finally {
    daemon.close();
  }
}

export function isAlive(pid: number): boolean {
  // The daemon may run in this process, which still exists after the daemon has stopped.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/**
 * Returns whether the process has ended, and only its parent has not read its exit code yet. In some containers, no
 * process reads it. Returns false on a system without `/proc`.
 */
function isZombie(pid: number): boolean {
  try {
    return /\) Z [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
