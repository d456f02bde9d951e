/** Implements the `command` action. It runs a program and passes the notice to it in environment variables. */

import type { AlarmAction } from '../alarm.ts';
import type { Notice } from './notice.ts';
import { done, failed, type Outcome } from './outcome.ts';
import type { ActionTools } from './perform.ts';
import { type Ended, runProgram } from './run-program.ts';

/** The default time limit, which is enough to send a message. An alarm can configure a longer limit. */
const DEFAULT_TIMEOUT_MS = 60_000;

export async function runCommand(
  { argv, timeoutMs = DEFAULT_TIMEOUT_MS }: Extract<AlarmAction, { type: 'command' }>,
  { variables }: Notice,
  { clock, environment, folder }: ActionTools,
  signal: AbortSignal,
): Promise<Outcome> {
  const program = { argv, folder, timeoutMs, environment: { ...environment, ...variables } };
  return outcomeOf(await runProgram(program, clock, signal), timeoutMs);
}

function outcomeOf({ how, exitCode, output }: Ended, timeoutMs: number): Outcome {
  const said = output.trim() === '' ? '' : `: ${output.trim()}`;
  if (how === 'exited') return (exitCode === 0 ? done : failed)(`exit code ${exitCode}${said}`);
  return failed(`${ENDED[how]}${how === 'timed out' ? ` after ${timeoutMs / 1000} s` : ''}${said}`);
}

const ENDED: Readonly<Record<Exclude<Ended['how'], 'exited'>, string>> = {
  'timed out': 'killed',
  killed: 'killed by another process',
  missing: 'the program does not exist',
  'not startable': 'could not be started',
  refused: 'not started',
};
