/** Runs the command line of this process with its streams, and exits with the exit code. */

import { systemClock } from '../base/clock.ts';
import { writeNote } from './output/output.ts';
import type { Io, Sink } from './output/output.ts';
import { runProgram } from './program.ts';

/** Runs the command line, waits until its output has been written, and ends the process. */
export async function runProcess(): Promise<void> {
  const { stdout, stderr, env } = process;
  for (const sink of [stdout, stderr]) keepQuietAboutGoneReaders(sink);
  const io: Io = {
    // `stdin` is a getter, because Node loads several modules to create the stream, and few commands read it.
    get stdin() {
      return process.stdin;
    },
    stdout,
    stderr,
    env,
    cwd: process.cwd(),
    clock: systemClock,
  };
  const exitCode = await runProgram(process.argv.slice(2), io);
  // Writes are ordered, so when an empty write is done, all output has been written. After that, process.exit ends the
  // process even if a timer or a socket is still open.
  for (const sink of [stdout, stderr]) await writeNote(sink, '');
  process.exit(exitCode);
}

/**
 * Ignores EPIPE events. They occur when the reader exits early, as in `holdfast s3 ls | head`. Without a listener, the
 * event would crash the process. The function that writes also receives the error through the callback of `write`.
 */
function keepQuietAboutGoneReaders(sink: Sink): void {
  sink.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
