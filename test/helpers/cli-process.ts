/** Runs the built `holdfast` program as a child process, and returns its output and exit code. */

import { spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { once } from 'node:events';

import { CLI } from './daemon-process.ts';
import type { CliResult } from './run-cli.ts';

type ProcessOptions = Pick<SpawnOptions, 'cwd' | 'env'>;

export interface CliProcess {
  readonly process: ChildProcess;
  readonly ended: Promise<CliResult>;
}

/**
 * Starts the program with the environment of this process, without HOLDFAST_HOME and with the
 * variables of `env`.
 */
export function startCliProcess(
  argv: readonly string[],
  { env, ...options }: ProcessOptions = {},
): CliProcess {
  const { HOLDFAST_HOME: _, ...inherited } = process.env;
  const child = spawn(process.execPath, [CLI, ...argv], {
    ...options,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = resultOf(child);
  // Prevents an unhandled rejection: a failing test may kill the process without awaiting `ended`.
  ended.catch(() => undefined);
  return { process: child, ended };
}

export function runCliProcess(
  argv: readonly string[],
  options?: ProcessOptions,
): Promise<CliResult> {
  return startCliProcess(argv, options).ended;
}

/** Progress line that a long command prints to stderr every ten seconds (see `Progress`). */
const PROGRESS_LINE =
  /^(?:checking|copying|counting|downloading|mirroring|removing|restoring|testing|uploading|verifying)\b.*?: (?:starting|scanning|\d).*\n/gm;

/**
 * Returns the result without progress lines. Progress lines appear only if a command takes several
 * seconds on a slow machine.
 */
export function withoutProgress(result: CliResult): CliResult {
  return { ...result, stderr: result.stderr.replaceAll(PROGRESS_LINE, '') };
}

async function resultOf(child: ChildProcess): Promise<CliResult> {
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [exitCode, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (exitCode === null) throw new Error(`run holdfast: ended by ${signal}: ${stderr}`);
  return { exitCode, stdout, stderr };
}
