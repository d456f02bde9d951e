/** How a failure is told: on standard error, in the form that was asked for. */

import { EXIT } from './output/command-error.ts';
import type { ExitCode } from './output/command-error.ts';
import { Context, type GlobalOptions } from './context.ts';
import type { Failure } from './output/exit-codes.ts';
import { painter, tell } from './output/output.ts';
import type { Io } from './output/output.ts';
import { shellWord, visible } from './output/text.ts';

interface TellOptions extends GlobalOptions {
  /** Of the command that failed, see `Declaration`. */
  readonly hintWithoutDaemon?: string;
  /** That failed, without its arguments. */
  readonly command?: string;
}

/** Resolves with the exit code, which is that of success where nothing failed. */
export async function tellFailure(error: unknown, io: Io, options: TellOptions): Promise<ExitCode> {
  const { failureOf } = await import('./output/exit-codes.ts');
  const known = failureOf(error, options.command);
  if (!known) return EXIT.ok;
  const isDown = known.code === 'NotRunning';
  const ended = isDown ? await withItsEnd(known, new Context(io, options), options) : known;
  const failure = withHome(ended, options);
  const text = options.json ? jsonFailure(failure) : plainFailure(failure, io);
  await tell(io.stderr, `${text}${failure.defect && !options.json ? await stackOf(error) : ''}`);
  return failure.exitCode;
}

/** The commands of the hint mean the home that was typed. */
function withHome(failure: Failure, { home }: GlobalOptions): Failure {
  const { hint } = failure;
  if (home === undefined || hint === undefined || hint.includes(' --home ')) return failure;
  const call = `holdfast --home ${shellWord(home)}`;
  return { ...failure, hint: hint.replaceAll(/\bholdfast(?= [a-z])/g, () => call) };
}

/** How the last daemon ended, where that was not in order. */
async function withItsEnd(
  failure: Failure,
  context: Context,
  { hintWithoutDaemon: hint = failure.hint }: TellOptions,
): Promise<Failure> {
  const { crashText } = await import('./commands/daemon/offline-status.ts');
  const end = crashText(await context.home());
  if (end === '') return { ...failure, hint };
  const withLog = `\`holdfast log\` shows its last lines; ${hint}`;
  return { ...failure, message: `${failure.message}${end}`, hint: withLog };
}

function jsonFailure({ code, message, hint }: Failure): string {
  return `${JSON.stringify({ error: { code, message, hint } })}\n`;
}

function plainFailure(failure: Failure, io: Io): string {
  const paint = painter(io.stderr, io.env);
  const said = linesOf(failure).map(visible).join('\n');
  const hint = failure.hint ? `  ${visible(failure.hint)}\n` : '';
  return `${paint('bad', 'holdfast:')} ${said}\n${hint}`;
}

/** ConfigError alone has several lines. In all other messages, a line feed is that of a name or of another value. */
function linesOf({ code, message }: Failure): string[] {
  return code === 'Config' ? message.split('\n') : [message];
}

async function stackOf(error: unknown): Promise<string> {
  if (!(error instanceof Error) || error.stack === undefined) return '';
  const { inSources } = await import('../../daemon/source-places.ts');
  // Without the message, which may hold line feeds and control characters of a value.
  const frames = error.stack.split('\n').filter((line) => /^ {4}at /.test(line));
  return `${inSources(frames.map(visible).join('\n'))}\n`;
}
