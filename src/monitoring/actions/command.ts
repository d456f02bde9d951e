/** The action `command`: a program that is told of the transition by its environment. */

import type { AlarmAction, Transition } from '../alarm.ts';
import { done, failed, type Outcome } from './outcome.ts';
import type { ActionTools } from './perform.ts';
import { type Ended, runProgram } from './run-program.ts';

/** Enough to send a message; what takes longer says so in its alarm. */
const DEFAULT_TIMEOUT_MS = 60_000;

export async function runCommand(
  { argv, timeoutMs = DEFAULT_TIMEOUT_MS }: Extract<AlarmAction, { type: 'command' }>,
  transition: Transition,
  { clock, environment, folder }: ActionTools,
  signal: AbortSignal,
): Promise<Outcome> {
  const told = { ...environment, ...environmentOf(transition) };
  const program = { argv, folder, timeoutMs, environment: told };
  return outcomeOf(await runProgram(program, clock, signal), timeoutMs);
}

/** Every value is one line: names and reasons have no control characters. */
function environmentOf({ id, alarm, from, to, reason, at, isTest }: Transition) {
  return {
    HOLDFAST_ALARM_NAME: alarm.name,
    HOLDFAST_ALARM_DESCRIPTION: alarm.description ?? '',
    HOLDFAST_ALARM_STATE: to,
    HOLDFAST_ALARM_OLD_STATE: from,
    HOLDFAST_ALARM_REASON: reason,
    HOLDFAST_ALARM_AT: new Date(at).toISOString(),
    HOLDFAST_ALARM_BUCKET: alarm.bucket,
    HOLDFAST_ALARM_METRIC: alarm.metric,
    HOLDFAST_ALARM_STATISTIC: alarm.statistic,
    HOLDFAST_ALARM_COMPARISON: alarm.comparison,
    HOLDFAST_ALARM_THRESHOLD: String(alarm.threshold),
    HOLDFAST_ALARM_TRANSITION: id,
    HOLDFAST_ALARM_TEST: isTest ? '1' : '0',
  };
}

function outcomeOf({ how, exitCode, output }: Ended, timeoutMs: number): Outcome {
  const said = output.trim() === '' ? '' : `: ${output.trim()}`;
  if (how === 'exited') return (exitCode === 0 ? done : failed)(`exit code ${exitCode}${said}`);
  return failed(`${ENDED[how]}${how === 'timed out' ? ` after ${timeoutMs / 1000} s` : ''}${said}`);
}

const ENDED: Readonly<Record<Exclude<Ended['how'], 'exited'>, string>> = {
  'timed out': 'ended by force',
  killed: 'killed by somebody else',
  missing: 'there is no such program',
  'not startable': 'could not be started',
};
