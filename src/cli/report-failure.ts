/** Reports the error of a command: as text on standard error, or as JSON on standard output. */

import type { Command } from 'commander';

import { EXIT } from './output/command-error.ts';
import type { ExitCode } from './output/command-error.ts';
import { Context, type GlobalOptions, homeOptions } from './context.ts';
import type { Failure } from './output/exit-codes.ts';
import { painter, writeJsonError, writeNote } from './output/output.ts';
import type { Io } from './output/output.ts';
import { withHomeOption } from '../text/pasted-commands.ts';
import { messageText, visible } from './output/text.ts';
import { wrapped } from './output/wrap.ts';

interface ReportOptions extends GlobalOptions {
  /** The `hintWithoutDaemon` that the failed command was declared with, if any. */
  readonly hintWithoutDaemon?: string;
  /** The failed command without its arguments, such as `holdfast job edit`. */
  readonly line?: string;
  /** The declaration of that command, if known. */
  readonly command?: Command;
}

/**
 * Reports the error and returns the exit code. For an EPIPE or a help request, reports nothing and returns
 * `EXIT.ok`.
 */
export async function reportFailure(
  error: unknown,
  io: Io,
  options: ReportOptions,
): Promise<ExitCode> {
  const { failureOf } = await import('./output/exit-codes.ts');
  const known = failureOf(error, options);
  if (!known) return EXIT.ok;
  const isDown = known.code === 'NotRunning';
  const ended = isDown ? await withItsEnd(known, new Context(io, options), options) : known;
  const failure = withHome(ended, options);
  const { exitCode, code, message, hint, defect } = failure;
  if (options.json) await writeJsonError(io.stdout, { code, message, hint });
  else await writeNote(io.stderr, plainFailure(failure, io) + (defect ? await stackOf(error) : ''));
  return exitCode;
}

/** Adds `--home` and `--config` of this command to the commands in the message and in the hint. */
function withHome(failure: Failure, options: GlobalOptions): Failure {
  const given = homeOptions(options);
  const { message, hint } = failure;
  return {
    ...failure,
    message: withHomeOption(message, given),
    hint: hint && withHomeOption(hint, given),
  };
}

/**
 * Applies `hintWithoutDaemon`. If the last daemon did not shut down cleanly, appends a text about its end to the
 * message.
 */
async function withItsEnd(
  failure: Failure,
  context: Context,
  { hintWithoutDaemon: hint = failure.hint }: ReportOptions,
): Promise<Failure> {
  const { crashText } = await import('./commands/daemon/offline-status.ts');
  const end = crashText(await context.home());
  if (end === '') return { ...failure, hint };
  const withLog = `\`holdfast log\` shows its last lines; ${hint}`;
  return { ...failure, message: `${failure.message}${end}`, hint: withLog };
}

function plainFailure(failure: Failure, io: Io): string {
  const paint = painter(io.stderr, io.env);
  const [first = '', ...rest] = linesOf(failure).map(messageText);
  const hint = failure.hint ? [`  ${visible(failure.hint)}`] : [];
  const lines = [`${paint('bad', 'holdfast:')} ${first}`, ...rest, ...hint];
  return `${lines.flatMap((line) => wrapped(line, io.stderr)).join('\n')}\n`;
}

/**
 * Splits the message of a ConfigError into lines. In any other message, a line feed is part of a name or another
 * value.
 */
function linesOf({ code, message }: Failure): string[] {
  return code === 'Config' ? message.split('\n') : [message];
}

/**
 * Returns the stack frames of the error, with positions in the sources. Returns an empty text if the error has no
 * stack trace.
 */
async function stackOf(error: unknown): Promise<string> {
  if (!(error instanceof Error) || error.stack === undefined) return '';
  const { inSources } = await import('../../daemon/log/source-places.ts');
  // The message is omitted, because it may contain a value with line feeds and control characters.
  const frames = error.stack.split('\n').filter((line) => /^ {4}at /.test(line));
  return `${inSources(frames.map(visible).join('\n'))}\n`;
}
