/** The program as a process: its streams, and its exit code. */

import { systemClock } from '../base/clock.ts';
import { tell } from './output.ts';
import type { Sink } from './output.ts';
import { runProgram } from './program.ts';

export async function runProcess(): Promise<void> {
  const { stdin, stdout, stderr, env } = process;
  for (const sink of [stdout, stderr]) keepQuietAboutGoneReaders(sink);
  const exitCode = await runProgram(process.argv.slice(2), {
    stdin,
    stdout,
    stderr,
    env,
    cwd: process.cwd(),
    clock: systemClock,
  });
  // What was written is out; nothing that still hangs may keep the process.
  for (const sink of [stdout, stderr]) await tell(sink, '');
  process.exit(exitCode);
}

/** `holdfast ls | head`: whoever writes learns of it by its own EPIPE, an event on top would crash us. */
function keepQuietAboutGoneReaders(sink: Sink): void {
  sink.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
