/** JOB or PATH as it is typed: which of them it is, the daemon knows. */

import type { Context } from '../context.ts';

export interface TypedSubject {
  readonly job?: string;
  readonly path?: string;
}

/** Nothing typed means the only job there is. */
export function subjectOf(context: Context, typed: string | undefined): TypedSubject {
  return typed === undefined ? {} : { job: typed, path: context.path(typed) };
}
