/** The built program as a process of its own: what it prints, and how it ends. */

import { spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { once } from 'node:events';

import { CLI } from './daemon-process.ts';
import type { CliResult } from './run-cli.ts';

type ProcessOptions = Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'>;

export interface CliProcess {
  readonly process: ChildProcess;
  readonly ended: Promise<CliResult>;
}

/** `env` is added to this process's own, without what could lead to another home. */
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
  // A test that fails kills it without waiting: that is not one failure more.
  ended.catch(() => undefined);
  return { process: child, ended };
}

export function runCliProcess(
  argv: readonly string[],
  options?: ProcessOptions,
): Promise<CliResult> {
  return startCliProcess(argv, options).ended;
}

/** As the command prints it every five seconds, see `Progress`. */
const PROGRESS_LINE = /^[a-z ]+: (?:[\d,]+(?: of [\d,]+)? files, )?[\d.,]+ [kMGT]?B\b.*\n/gm;

/** What a command wrote, without the progress that it shows on a machine that is too busy to end it within seconds. */
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
