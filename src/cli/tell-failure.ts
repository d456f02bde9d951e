/** How a failure is told: on standard error, in the form that was asked for. */

import { EXIT } from './command-error.ts';
import type { ExitCode } from './command-error.ts';
import type { GlobalOptions } from './context.ts';
import type { Failure } from './exit-codes.ts';
import { painter, tell } from './output.ts';
import type { Io } from './output.ts';
import { visible } from './text.ts';

/** Resolves with the exit code, which is that of success where nothing failed. */
export async function tellFailure(
  error: unknown,
  io: Io,
  options: GlobalOptions,
): Promise<ExitCode> {
  const { failureOf } = await import('./exit-codes.ts');
  const failure = failureOf(error);
  if (!failure) return EXIT.ok;
  const text = options.json ? jsonFailure(failure) : plainFailure(failure, io);
  await tell(io.stderr, `${text}${failure.defect && !options.json ? await stackOf(error) : ''}`);
  return failure.exitCode;
}

function jsonFailure({ code, message, hint }: Failure): string {
  return `${JSON.stringify({ error: { code, message, hint } })}\n`;
}

function plainFailure(failure: Failure, io: Io): string {
  const paint = painter(io.stderr, io.env);
  const said = failure.message.split('\n').map(visible).join('\n');
  const hint = failure.hint ? `  ${visible(failure.hint)}\n` : '';
  return `${paint('bad', 'holdfast:')} ${said}\n${hint}`;
}

async function stackOf(error: unknown): Promise<string> {
  if (!(error instanceof Error) || error.stack === undefined) return '';
  const { inSources } = await import('../../daemon/source-places.ts');
  return `${inSources(error.stack)}\n`;
}
