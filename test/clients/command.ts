/** Runs a command to its end, with all that it said. */

import { spawn } from 'node:child_process';

import { defined } from '../../src/base/defined.ts';

export interface CommandOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** What the command reads from its standard input; nothing by default. */
  readonly input?: Uint8Array;
  /** Aborted, the command is ended, and the call rejects. */
  readonly signal?: AbortSignal;
}

export interface Outcome {
  /** As one would type it. */
  readonly line: string;
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** No command here takes a minute; a tool that repeats a failing request for ever must not hang the run. */
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
    // A command that ends before it has read everything says by its exit code how that was.
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
