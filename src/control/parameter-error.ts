/** Describes why a parameter of a control method is invalid: the limit, and how far the value exceeds it. */

import type { z } from 'zod';

/** Options for `safeParse`. If a schema has its own message, that message takes precedence. */
export const PARAMETER_MESSAGES: z.core.ParseContext<z.core.$ZodIssue> = {
  error: (issue) => messageOf(issue),
};

/** Returns the message for an issue, or undefined to use zod's default message. */
function messageOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'too_big':
      return `${amountOf(issue.input)}, and the maximum is ${issue.maximum}`;
    case 'too_small':
      return issue.input === ''
        ? 'it is empty'
        : `${amountOf(issue.input)}, and the minimum is ${issue.minimum}`;
    case 'invalid_value':
      return `it must be one of ${issue.values.join(', ')}`;
    case 'invalid_type':
      return issue.input === undefined ? 'it is missing' : `it must be of type ${issue.expected}`;
    default:
      return undefined;
  }
}

function amountOf(input: unknown): string {
  if (typeof input === 'string') return `it has ${input.length} characters`;
  return Array.isArray(input) ? `it has ${input.length} entries` : `it is ${String(input)}`;
}

/** The first problem with the parameters. */
export interface ParameterProblem {
  /** The path of the parameter, such as `acknowledgement.note`. Empty if the problem concerns all parameters. */
  readonly parameter: string;
  readonly reason: string;
}

export function problemOf({ issues }: z.ZodError): ParameterProblem {
  const [issue] = issues;
  return { parameter: issue?.path.join('.') ?? '', reason: issue?.message ?? 'it is invalid' };
}

/** Returns the message for a problem. `name` is the parameter as the user typed it. */
export function problemText({ parameter, reason }: ParameterProblem, name = parameter): string {
  return `invalid ${name || 'parameters'}: ${reason}`;
}
