/**
 * Counts the steps of policy evaluation on this thread. The writer limits the steps of each command. It ends a group of
 * commands after many steps.
 */

import { DECISION_STEPS } from '../../object-store/rules/access/policy-work.ts';

/**
 * The maximum number of steps for all access decisions of one command, about 7 ms of CPU time. A command makes at most
 * about seven decisions.
 */
export const COMMAND_STEPS = 3 * DECISION_STEPS;

/**
 * The number of steps after which the writer ends a group of commands, about 2 ms of CPU time. Evaluating a typical
 * policy takes some hundred steps, so groups with typical policies are not split.
 */
export const GROUP_STEPS = 500_000;

/**
 * The number of steps counted for each character of a policy that is parsed. Parsing takes about 100 ns per character.
 */
const READING_STEPS = 30;

let total = 0;
/** The value of `total` at which the running command has used all its steps. Infinite while no command runs. */
let commandEnd = Number.POSITIVE_INFINITY;

/** Returns the number of steps that policy parsing and evaluation have taken since the thread started. */
export function policySteps(): number {
  return total;
}

export function countPolicySteps(steps: number): void {
  total += steps;
}

/** Counts the steps for parsing a policy. Must be called before parsing, so that a failed parse counts too. */
export function countPolicyReading(text: string): void {
  total += READING_STEPS * text.length;
}

/**
 * Runs a command and returns its result. All access decisions of the command share a limit of `COMMAND_STEPS` steps. A
 * nested command has its own limit.
 */
export function limitCommand<T>(run: () => T): T {
  const outerEnd = commandEnd;
  commandEnd = total + COMMAND_STEPS;
  try {
    return run();
  } finally {
    commandEnd = outerEnd;
  }
}

/**
 * Returns the number of steps that the next access decision may take. If the result is 0, evaluating any policy exceeds
 * the limit, so the request is denied.
 */
export function stepsOfDecision(): number {
  return Math.min(DECISION_STEPS, Math.max(0, commandEnd - total));
}
