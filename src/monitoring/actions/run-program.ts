/** Runs a program without a shell and with a time limit, and returns the beginning of its output. */

import { spawn, type ChildProcess } from 'node:child_process';

import type { Clock } from '../../base/clock.ts';
import { errorCode } from '../../base/errors.ts';
import { findProgram } from '../../config/find-program.ts';

export interface Program {
  /** The program and its arguments. A program name without a slash is looked up in PATH. */
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readonly timeoutMs: number;
}

export interface Ended {
  /** The exit code. Absent if the program did not start, was killed, or exceeded its time limit. */
  readonly exitCode?: number;
  readonly how: 'exited' | 'missing' | 'not startable' | 'refused' | 'killed' | 'timed out';
  /** The beginning of standard output and standard error, or the reason why the program did not start. */
  readonly output: string;
}

const MAX_OUTPUT_BYTES = 4 * 1024;

/** The time between SIGTERM and SIGKILL. */
const KILL_AFTER_MS = 5_000;

/** How long to wait for the rest of the output after the program has exited. */
const OUTPUT_GRACE_MS = 500;

/**
 * Runs a program and resolves when it has exited. If aborted, stops the program and then rejects with the
 * signal's reason.
 */
export async function runProgram(
  program: Program,
  clock: Clock,
  signal: AbortSignal,
): Promise<Ended> {
  signal.throwIfAborted();
  const [name = '', ...args] = program.argv;
  const { folder, environment } = program;
  const { path, refusal } = findProgram(name, { folder, path: environment['PATH'] });
  if (refusal !== undefined) return { how: 'refused', output: refusal };
  // The program runs in a separate process group, so that a timeout also stops its child processes.
  const child = spawn(path, args, {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    shell: false,
  });
  const output = firstBytes(child);
  const stop = new Stopping(child, clock);
  const cancelTimeout = clock.after(program.timeoutMs, () => stop.begin());
  const onAbort = () => stop.begin();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const { exitCode, error } = await ending(child, clock);
    signal.throwIfAborted();
    if (error)
      return {
        how: errorCode(error) === 'ENOENT' ? 'missing' : 'not startable',
        output: error.message,
      };
    if (stop.begun) return { how: 'timed out', output: output() };
    return exitCode === null
      ? { how: 'killed', output: output() }
      : { how: 'exited', exitCode, output: output() };
  } finally {
    signal.removeEventListener('abort', onAbort);
    cancelTimeout();
    stop.over();
  }
}

/**
 * Resolves when the program has exited and its output is closed, or when it could not be started. Child processes may
 * keep the output open, so the wait for its end is limited.
 */
function ending(
  child: ChildProcess,
  clock: Clock,
): Promise<{ exitCode: number | null; error?: Error }> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ exitCode: null, error }));
    child.once('close', (exitCode) => resolve({ exitCode }));
    child.once('exit', (exitCode) => clock.after(OUTPUT_GRACE_MS, () => resolve({ exitCode })));
  });
}

function firstBytes(child: ChildProcess): () => string {
  const kept: Buffer[] = [];
  let keptBytes = 0;
  const keep = (chunk: Buffer) => {
    const room = MAX_OUTPUT_BYTES - keptBytes;
    if (room <= 0) return;
    kept.push(chunk.subarray(0, room));
    keptBytes += Math.min(room, chunk.length);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  return () => Buffer.concat(kept).toString();
}

/** Stops a process group with SIGTERM. Sends SIGKILL if the process group does not end in time. */
class Stopping {
  readonly #child: ChildProcess;
  readonly #clock: Clock;
  #cancelKill: (() => void) | undefined;
  begun = false;

  constructor(child: ChildProcess, clock: Clock) {
    this.#child = child;
    this.#clock = clock;
  }

  begin(): void {
    if (this.begun) return;
    this.begun = true;
    this.#signalGroup('SIGTERM');
    this.#cancelKill = this.#clock.after(KILL_AFTER_MS, () => this.#signalGroup('SIGKILL'));
  }

  over(): void {
    this.#cancelKill?.();
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    // The program has exited, but its child processes may still be running.
    if (this.begun) this.#signalGroup('SIGKILL');
  }

  #signalGroup(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch (error) {
      // The process group has ended. macOS reports EPERM instead of ESRCH until the parent has read the exit
      // status.
      if (!['ESRCH', 'EPERM'].includes(errorCode(error) ?? '')) throw error;
    }
  }
}
