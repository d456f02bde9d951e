/** Counts the steps that policies take on this thread, so that the writer can limit a command and end a group by them. */

import { DECISION_STEPS } from '../object-store/rules/access/policy-work.ts';

/** Of all decisions of one command, some seven at most: about 7 ms of CPU. */
export const COMMAND_STEPS = 3 * DECISION_STEPS;

/** To read a policy takes about 100 ns for each of its characters. */
const READING_STEPS = 30;

let total = 0;
/** Where the steps of the command end. Only the writer thread runs commands. */
let commandEnd = Number.POSITIVE_INFINITY;

/** Of all decisions and policies that were read since the thread began. */
export function policySteps(): number {
  return total;
}

export function countPolicySteps(steps: number): void {
  total += steps;
}

/** To be called before a policy is read, also where that fails. */
export function countPolicyReading(text: string): void {
  total += READING_STEPS * text.length;
}

export function beginCommand(): void {
  commandEnd = total + COMMAND_STEPS;
}

/** For one decision of the command. At 0 every policy is over the limit, which denies the request. */
export function stepsOfDecision(): number {
  return Math.min(DECISION_STEPS, Math.max(0, commandEnd - total));
}
