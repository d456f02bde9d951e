/** Counts the steps that policies take on this thread, so that the writer can limit a command and end a group by them. */

import { DECISION_STEPS } from '../../object-store/rules/access/policy-work.ts';

/** Limit for all decisions of one command, of which there are at most about seven: about 7 ms of CPU. */
export const COMMAND_STEPS = 3 * DECISION_STEPS;

/**
 * No command is added to a group that has taken so many: about 2 ms of CPU. A group of commands with usual policies, of
 * which each takes some hundred steps, stays whole.
 */
export const GROUP_STEPS = 500_000;

/** To read a policy takes about 100 ns for each of its characters. */
const READING_STEPS = 30;

let total = 0;
/** The total at which the steps of the running command end. Infinite while no command runs. */
let commandEnd = Number.POSITIVE_INFINITY;

/** Returns the steps of all decisions and parsed policies since the thread started. */
export function policySteps(): number {
  return total;
}

export function countPolicySteps(steps: number): void {
  total += steps;
}

/** Counts the steps of parsing a policy. Call it before, because parsing can fail. */
export function countPolicyReading(text: string): void {
  total += READING_STEPS * text.length;
}

/** Runs a command, whose decisions may take `COMMAND_STEPS` steps together. One within another has its own steps. */
export function limitCommand<T>(run: () => T): T {
  const outerEnd = commandEnd;
  commandEnd = total + COMMAND_STEPS;
  try {
    return run();
  } finally {
    commandEnd = outerEnd;
  }
}

/** The steps that one decision may take now. At 0 every policy is over the limit, which denies the request. */
export function stepsOfDecision(): number {
  return Math.min(DECISION_STEPS, Math.max(0, commandEnd - total));
}
