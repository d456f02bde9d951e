/** Runs a `holdfast` command in this process and captures its output. */

import { Readable, Writable } from 'node:stream';

import { type Clock, systemClock } from '../../src/base/clock.ts';
import { type Io, isTime, type Sink } from '../../src/cli/output/output.ts';
import { runProgram } from '../../src/cli/program.ts';
import { FakeClock } from './fake-clock.ts';

/** JSON document that a command with `--json` prints. It has exactly one of these fields. */
export interface JsonDocument {
  readonly event?: unknown;
  readonly result?: object;
  readonly error?: Readonly<Record<'code' | 'message' | 'hint', string>>;
}

/** Parses the output of a command with `--json`. Each line is one document. */
export function documentsOf(stdout: string): readonly JsonDocument[] {
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => parsedJson(line) as JsonDocument);
}

/**
 * Returns the result that a command with `--json` printed. Throws an error if the command failed.
 */
export function jsonOf(stdout: string): unknown {
  const last = documentsOf(stdout).at(-1);
  if (last?.result === undefined) throw new Error(`the output has no result: ${stdout}`);
  return last.result;
}

/** Returns the events that a command with `--json` printed before its result. */
export function eventsOf(stdout: string): readonly unknown[] {
  return documentsOf(stdout).flatMap((each) => ('event' in each ? [each.event] : []));
}

/** Returns the error that a command with `--json` printed. */
export function errorOf(stdout: string): JsonDocument['error'] {
  return documentsOf(stdout).at(-1)?.error;
}

/** Parses one JSON document. Converts its ISO 8601 times to milliseconds since 1970. */
export function parsedJson(text: string): unknown {
  return JSON.parse(text, (name, value: unknown) =>
    isTime(name) && typeof value === 'string' && !Number.isNaN(Date.parse(value))
      ? Date.parse(value)
      : value,
  ) as unknown;
}

export interface CliOptions {
  readonly env?: Io['env'];
  readonly cwd?: string;
  readonly stdin?: string;
  readonly clock?: Clock;
  /** Width of the terminal in columns. If set, stdout and stderr behave like terminals. */
  readonly columns?: number;
}

export interface CliResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export class CapturedSink extends Writable {
  readonly isTTY: boolean;
  readonly columns: number;
  text = '';

  constructor(columns?: number) {
    super({ decodeStrings: false });
    this.isTTY = columns !== undefined;
    this.columns = columns ?? 80;
  }

  override _write(chunk: string | Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    this.emit('text');
    done();
  }

  /** Resolves when the output matches `pattern`. */
  async saw(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.text)) {
      await new Promise((resolve) => this.once('text', resolve));
    }
  }
}

export interface RunningCli {
  readonly stdout: CapturedSink;
  readonly stderr: CapturedSink;
  readonly exitCode: Promise<number>;
}

export function startCli(argv: readonly string[], options: CliOptions = {}): RunningCli {
  const stdout = new CapturedSink(options.columns);
  const stderr = new CapturedSink(options.columns);
  const exitCode = runProgram(argv, {
    stdin: Object.assign(
      Readable.from(options.stdin === undefined ? [] : [Buffer.from(options.stdin)]),
      { isTTY: options.columns !== undefined && options.stdin !== undefined },
    ),
    stdout: stdout satisfies Sink,
    stderr: stderr satisfies Sink,
    env: options.env ?? {},
    cwd: options.cwd ?? process.cwd(),
    clock: options.clock ?? new FakeClock(),
  });
  return { stdout, stderr, exitCode };
}

export async function runCli(argv: readonly string[], options?: CliOptions): Promise<CliResult> {
  const { stdout, stderr, exitCode } = startCli(argv, options);
  return { exitCode: await exitCode, stdout: stdout.text, stderr: stderr.text };
}

/**
 * Runs a command in this process like `runCliProcess`, but without the CPU time of 0.1 to 0.4 s that a process needs to
 * start. The command uses the clock of the system and the environment of this process, without HOLDFAST_HOME and with
 * the variables of `env`.
 */
export function runCliHere(
  argv: readonly string[],
  { env, ...options }: Pick<CliOptions, 'cwd' | 'env'> = {},
): Promise<CliResult> {
  const { HOLDFAST_HOME: _, ...inherited } = process.env;
  return runCli(argv, { ...options, env: { ...inherited, ...env }, clock: systemClock });
}
