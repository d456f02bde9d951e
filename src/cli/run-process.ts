/** The program as a process: its streams, and its exit code. */

import { systemClock } from '../base/clock.ts';
import type { ExitCode } from './output/command-error.ts';
import { tell } from './output/output.ts';
import type { Io, Sink } from './output/output.ts';
import { goShortWay, shortWay } from './short-way.ts';

export async function runProcess(): Promise<void> {
  const { stdout, stderr, env } = process;
  for (const sink of [stdout, stderr]) keepQuietAboutGoneReaders(sink);
  const io: Io = {
    // Node loads several modules to create this stream, and few commands read it.
    get stdin() {
      return process.stdin;
    },
    stdout,
    stderr,
    env,
    cwd: process.cwd(),
    clock: systemClock,
  };
  const exitCode = await runLine(process.argv.slice(2), io);
  // What was written is out; nothing that still hangs may keep the process.
  for (const sink of [stdout, stderr]) await tell(sink, '');
  process.exit(exitCode);
}

async function runLine(argv: readonly string[], io: Io): Promise<ExitCode> {
  const way = shortWay(argv, io.stdout.isTTY === true);
  if (way) return goShortWay(way, io);
  const { runProgram } = await import('./program.ts');
  return runProgram(argv, io);
}

/** `holdfast s3 ls | head`: whoever writes learns of it by its own EPIPE, an event on top would crash us. */
function keepQuietAboutGoneReaders(sink: Sink): void {
  sink.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
