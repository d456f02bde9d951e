/** Runs the benchmark's child processes: servers that print their ports, and commands that are timed. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

import type { Question, ServerReport } from './answering.ts';
import { median } from './row.ts';
import { DAEMON_ENVIRONMENT, V8_FLAGS } from '../../src/cli/node-options.ts';

export interface Server {
  readonly port: number;
  /** All ports of the server. The first one is also available as `port`. */
  readonly ports: readonly number[];
  /** Returns the resources that the server has used since the last report. */
  report(): Promise<ServerReport>;
  /** Writes keys directly to the server's store, without HTTP. Not all servers support this. */
  loadKeys(from: number, to: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a script in the folder test/bench, and waits for the line with its ports. */
export async function startServer(script: string, ...args: string[]): Promise<Server> {
  // The server gets the options of a daemon. Without them, V8 lets garbage accumulate for an hour.
  const options = [...V8_FLAGS, join(import.meta.dirname, script), ...args];
  const child = spawn(process.execPath, options, {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, ...DAEMON_ENVIRONMENT },
  });
  const ports = await new Promise<readonly number[]>((resolve, reject) => {
    createInterface({ input: child.stdout as Readable }).once('line', (line) =>
      resolve(line.split(' ').map(Number)),
    );
    child.once('exit', (code) => reject(new Error(`start ${script}: exit code ${code}`)));
  });
  const ask = async (question: Question): Promise<unknown> => {
    child.send(question);
    const [answer] = (await once(child, 'message')) as [unknown];
    return answer;
  };
  const [port = 0] = ports;
  return {
    port,
    ports,
    report: async () => (await ask('report')) as ServerReport,
    loadKeys: async (from, to) => void (await ask({ loadKeys: { from, to } })),
    stop: async () => {
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      await closed;
    },
  };
}

export interface CommandRun {
  readonly seconds: number;
  /** The user and system CPU time that the command and its child processes used. */
  readonly cpuSeconds: number;
  readonly peakRssMib: number;
}

/** Runs a command to its end under GNU time. Returns undefined if the command is not installed. */
export function timeCommand(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): CommandRun | undefined {
  if (!installed(command)) return undefined;
  const startedAt = performance.now();
  const run = spawnSync('/usr/bin/time', ['-f', '%U %S %M', command, ...args], {
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  const seconds = (performance.now() - startedAt) / 1000;
  if (run.status !== 0) throw new Error(`run ${command}: exit ${run.status}: ${run.stderr}`);
  const [user, system, rssKib] = (run.stderr.trim().split('\n').at(-1) ?? '')
    .split(' ')
    .map(Number);
  return { seconds, cpuSeconds: (user ?? 0) + (system ?? 0), peakRssMib: (rssKib ?? 0) / 1024 };
}

/** Returns how long Node takes to run with these arguments, in milliseconds. */
export function nodeMs(args: readonly string[]): number {
  return 1000 * (timeCommand(process.execPath, args)?.seconds ?? Number.NaN);
}

/** The first run of a command, and a second run without changes in between. */
export interface Twice {
  readonly first: CommandRun;
  readonly again: CommandRun;
}

export function twice(run: () => CommandRun): Twice {
  return { first: run(), again: run() };
}

/** Returns the medians for the first and the second run. Each figure has its own median. */
export function medianOf(runs: readonly Twice[]): Twice {
  const of = (which: keyof Twice) => medianRun(runs.map((run) => run[which]));
  return { first: of('first'), again: of('again') };
}

/** Returns the median of each figure separately, so that the figures may come from different runs. */
export function medianRun(runs: readonly CommandRun[]): CommandRun {
  const of = (what: keyof CommandRun) => median(runs.map((run) => run[what]));
  return { seconds: of('seconds'), cpuSeconds: of('cpuSeconds'), peakRssMib: of('peakRssMib') };
}

/** Creates a home whose store listens on a free port, because another daemon may use the default port. */
export function makeHome(home: string): string {
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(join(home, 'config.yaml'), 'storage:\n  port: 0\n', { mode: 0o600 });
  return home;
}

export function installed(command: string): boolean {
  return spawnSync('which', [command]).status === 0;
}
