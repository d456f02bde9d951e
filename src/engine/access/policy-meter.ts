/**
 * Counts the steps of policy evaluation on this thread. The writer limits the steps of a command, and ends a group of
 * commands that has taken many.
 */

import { DECISION_STEPS } from '../../object-store/rules/access/policy-work.ts';

/** The step limit for all decisions of one command, which are at most about seven: about 7 ms of CPU time. */
export const COMMAND_STEPS = 3 * DECISION_STEPS;

/**
 * The number of steps after which a group ends: about 2 ms of CPU time. A command with a usual policy takes some hundred
 * steps, so a group of such commands is not split.
 */
export const GROUP_STEPS = 500_000;

/** The steps that are counted for each character of a parsed policy. Parsing takes about 100 ns per character. */
const READING_STEPS = 30;

let total = 0;
/** The total at which the steps of the running command are used up. Infinite while no command runs. */
let commandEnd = Number.POSITIVE_INFINITY;

/** Returns the number of steps that all decisions and parsed policies have taken since the thread started. */
export function policySteps(): number {
  return total;
}

export function countPolicySteps(steps: number): void {
  total += steps;
}

/** Counts the steps of parsing a policy. Must be called before the parsing, which can fail. */
export function countPolicyReading(text: string): void {
  total += READING_STEPS * text.length;
}

/**
 * Runs a command and returns its result. All its decisions together may take `COMMAND_STEPS` steps. A nested command has a
 * limit of its own.
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
 * Returns the number of steps that the next decision may take. At 0, evaluating any policy exceeds the limit, which denies
 * the request.
 */
export function stepsOfDecision(): number {
  return Math.min(DECISION_STEPS, Math.max(0, commandEnd - total));
}
