/** Implements `holdfast log`. It prints the end of the daemon's log and, with `-f`, new lines as they are written. */

import { open } from 'node:fs/promises';

import { failureReason } from '../../../base/disk-error.ts';
import type { ControlClient } from '../../../control/client.ts';
import { isControlError } from '../../../control/control-error.ts';
import { CommandError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { catchInterrupts } from '../../interrupts.ts';
import { logFields, logText } from '../../output/log-text.ts';
import { Queue } from './queue.ts';

export interface LogOptions {
  readonly follow?: boolean;
  readonly lines: number;
}

type Print = (line: string) => Promise<void>;

/** How many bytes to read at the end of a log file. This is a few thousand lines. */
const FILE_END_BYTES = 1_048_576;

export async function log(context: Context, { follow, lines }: LogOptions): Promise<void> {
  const print: Print = (line) =>
    context.json
      ? context.out.jsonEvent(logFields(line))
      : context.out.lines(logText(line, context.out.paint));
  try {
    await context.withDaemon(async (daemon) => {
      if (follow) return followLog(daemon, { context, lines, print });
      const tail = await daemon.call('log.tail', { lines });
      for (const line of tail.lines) await print(line);
    });
  } catch (error) {
    if (follow || !isControlError(error, 'NotRunning', 'Disconnected')) throw error;
    // If the daemon does not respond, the log file may contain the reason.
    const { logFile } = await context.home();
    const end = await endOfLog(logFile).catch((cause: unknown) => {
      throw noLog(logFile, cause);
    });
    // The log may have just been rotated, so that the current file has too few lines.
    const before = end.length < lines ? await endOfLog(`${logFile}.1`).catch(() => []) : [];
    for (const line of lines === 0 ? [] : [...before, ...end].slice(-lines)) await print(line);
  }
}

function noLog(logFile: string, cause: unknown): CommandError {
  const message = `cannot read the log ${logFile}: ${failureReason(cause, 'file')}`;
  const hint = 'the daemon creates it when it starts: holdfast up';
  return new CommandError('FileNotUsable', message, hint, cause);
}

/**
 * Returns the lines in the last `FILE_END_BYTES` of a file, without empty lines and without an incomplete first line.
 */
export async function endOfLog(path: string): Promise<readonly string[]> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const position = Math.max(0, size - FILE_END_BYTES);
    const bytes = Buffer.alloc(size - position);
    const { bytesRead } = await file.read({ buffer: bytes, position });
    const lines = bytes.toString('utf8', 0, bytesRead).split('\n').filter(Boolean);
    return position === 0 ? lines : lines.slice(1);
  } finally {
    await file.close();
  }
}

async function followLog(
  daemon: ControlClient,
  { context, lines, print }: { context: Context; lines: number; print: Print },
): Promise<void> {
  const coming = new Queue<string>();
  daemon.onEvent(({ event }) => {
    if (event.type === 'log') coming.push(event.line);
  });
  daemon.onClose(() => coming.end());
  // Subscribe before reading the tail, so that no line is missed. A line that is both in the tail and in an event is
  // printed once.
  await daemon.subscribe();
  const tail = await daemon.call('log.tail', { lines });
  for (const line of tail.lines) await print(line);
  const known = new Set(tail.lines);
  const interrupts = catchInterrupts(context.io.stderr);
  interrupts.signal.addEventListener('abort', () => coming.end(), { once: true });
  try {
    for await (const line of coming) if (!known.delete(line)) await print(line);
  } finally {
    interrupts.release();
  }
}
