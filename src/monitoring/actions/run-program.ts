/** A program of this machine, without a shell, for as long as it may take; of its output only the beginning is kept. */

import { spawn, type ChildProcess } from 'node:child_process';

import type { Clock } from '../../base/clock.ts';
import { errorCode } from '../../base/errors.ts';
import { findProgram } from '../../config/find-program.ts';

export interface Program {
  /** The program, found in PATH unless it has a slash, and its arguments. */
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readonly timeoutMs: number;
}

export interface Ended {
  /** Absent when the program could not be started: then `missing` says whether there is none. */
  readonly exitCode?: number;
  readonly how: 'exited' | 'missing' | 'not startable' | 'refused' | 'killed' | 'timed out';
  /** The beginning of both its outputs; or why it was refused, since another user can replace it. */
  readonly output: string;
}

const MAX_OUTPUT_BYTES = 4 * 1024;

/** From the request to end to the end by force. */
const KILL_AFTER_MS = 5_000;

/** For what is in the pipes when the program has ended. */
const OUTPUT_GRACE_MS = 500;

/** Rejects with the signal's reason when aborted, once the program has ended. */
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
  // A group of its own, so that what it has started ends with it.
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

/** With the program and its outputs; what it left behind may hold those open, and is not waited for. */
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

/** First it is asked to end, then made to. */
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
    // What it started and did not wait for.
    if (this.begun) this.#signalGroup('SIGKILL');
  }

  #signalGroup(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch (error) {
      // All of it has ended meanwhile, which macOS calls EPERM while nobody has asked how.
      if (!['ESRCH', 'EPERM'].includes(errorCode(error) ?? '')) throw error;
    }
  }
}
