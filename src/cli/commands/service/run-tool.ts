/** Runs the system tools that `holdfast service` needs. */

import { execFile, spawn } from 'node:child_process';

import { errorCode } from '../../../base/errors.ts';
import { CommandError } from '../../output/command-error.ts';
import type { Io } from '../../output/output.ts';
import type { Choice } from './choose.ts';
import type { Command, Manager } from './manager.ts';

export interface ToolResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The maximum size of the output. No tool prints as much. */
const MAX_OUTPUT_BYTES = 1_048_576;

/** Runs a tool and returns its exit code and output. Rejects with CommandError if the tool does not exist. */
export function runTool({ env }: Io, [program, ...args]: Command): Promise<ToolResult> {
  return new Promise((resolve, reject) => {
    const options = { env, maxBuffer: MAX_OUTPUT_BYTES };
    execFile(program, args, options, (error, stdout, stderr) => {
      if (errorCode(error) === 'ENOENT') return reject(noTool(program));
      const code = error?.code;
      const exitCode = error === null ? 0 : typeof code === 'number' ? code : 1;
      resolve({ exitCode, stdout, stderr });
    });
  });
}

/** Runs a tool and returns its standard output. Rejects with CommandError if the tool does not exist or fails. */
export async function mustRun(io: Io, command: Command, hint?: string): Promise<string> {
  const { exitCode, stdout, stderr } = await runTool(io, command);
  if (exitCode === 0) return stdout;
  const said = inOneLine(stderr) || `exit code ${exitCode}`;
  throw new CommandError('ServiceManager', `cannot run ${command.join(' ')}: ${said}`, hint);
}

/** Returns the first three lines that a tool printed. */
function inOneLine(stderr: string): string {
  return stderr
    .trim()
    .split('\n')
    .slice(0, 3)
    .map((line) => line.trim())
    .join('; ');
}

/** Rejects with CommandError if the service manager does not respond to the current user. */
export async function checkReachable(io: Io, { reach, unreached }: Manager): Promise<void> {
  const { exitCode, stderr } = await runTool(io, reach);
  if (exitCode === 0) return;
  throw new CommandError(
    'ServiceManager',
    `the service manager does not run here, or this session cannot reach it (${inOneLine(stderr)})`,
    unreached,
  );
}

/** The number of log lines that are searched for the reason of a failed start. Some of them are written by systemd. */
const LAST_LINES = 20;

/**
 * Runs a command that starts or stops the service. Rejects with CommandError if it fails. The manager's own error only
 * refers to its logs. So if these logs contain an error of Holdfast, the message is the last of them.
 */
export async function mustControl(
  io: Io,
  manager: Manager,
  command: Command,
  { system = false }: Choice,
): Promise<void> {
  const hint = system
    ? 'for details: sudo holdfast service logs --system'
    : 'for details: holdfast service logs; holdfast log';
  try {
    await mustRun(io, command, hint);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const { stdout } = await runTool(io, manager.logs({ lines: LAST_LINES, follow: false }));
    const said = [...stdout.matchAll(/\bholdfast: (.+)$/gm)].at(-1)?.[1];
    if (said === undefined) throw error;
    const message = `${command.join(' ')} failed; its last output was: ${said}`;
    throw new CommandError(error.code, message, hint, error);
  }
}

/**
 * Runs a tool, streams its output and returns its exit code. Ctrl-C also interrupts the tool, because the terminal
 * sends SIGINT to both processes.
 */
export function streamTool(io: Io, [program, ...args]: Command): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: io.env, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.pipe(io.stdout, { end: false });
    child.stderr.pipe(io.stderr, { end: false });
    child.once('error', (error) => reject(errorCode(error) === 'ENOENT' ? noTool(program) : error));
    child.once('close', (code) => resolve(code ?? 1));
  });
}

function noTool(program: string): CommandError {
  return new CommandError(
    'ServiceManager',
    `cannot run ${program}: the program does not exist`,
    'without systemd or launchd, start `holdfast service run` with the tools of your system',
  );
}
