/** Reads an argument that is a job or a path. The daemon decides which it is. */

import type { Context } from '../context.ts';

export interface TypedSubject {
  readonly job?: string;
  readonly path?: string;
}

/**
 * Returns the argument both as a job name and as an absolute path. Without an argument, returns an empty object, which
 * means the only job.
 */
export function subjectOf(context: Context, typed: string | undefined): TypedSubject {
  return typed === undefined ? {} : { job: typed, path: context.path(typed) };
}
