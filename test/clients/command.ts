/** Runs a command until it ends, and collects its output. */

import { spawn } from 'node:child_process';

import { defined } from '../../src/base/defined.ts';

export interface CommandOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Standard input of the command. It is empty by default. */
  readonly input?: Uint8Array;
  /** Signal whose abort kills the command. The call then rejects. */
  readonly signal?: AbortSignal;
}

export interface Outcome {
  /** Command line as a user types it. */
  readonly line: string;
  /** Exit code of the command, or null if a signal ended it. */
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Timeout of a command in milliseconds. No command needs a minute, but a tool may repeat a failing request forever. */
const LONGEST_MS = 300_000;

export function runCommand(
  command: string,
  args: readonly string[],
  { env, cwd, input, signal }: CommandOptions,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: LONGEST_MS,
      ...defined({ cwd, signal }),
    });
    const stdout: Buffer[] = [];
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    // A command may end before it has read all its input. Only its exit code shows whether this is
    // an error.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.once('error', reject);
    child.once('close', (code) =>
      resolve({
        line: [command, ...args].map(shellWord).join(' '),
        code,
        stdout: Buffer.concat(stdout),
        stderr,
      }),
    );
  });
}

const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
