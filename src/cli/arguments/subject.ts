/** Parses an argument that is a job, a path or an object of a job. The daemon decides which of them it is. */

import { defined } from '../../base/defined.ts';
import type { Subject } from '../../control/methods/restore.ts';
import type { Context } from '../context.ts';
import { refuseName } from './resolve-thing.ts';
import { parseThing, splitVersion } from './thing.ts';

/** A job, path or object, and the `N` of `~N`. */
export interface VersionedSubject extends Subject {
  readonly versionsBack?: number;
}

/**
 * Returns the possible meanings of the argument: a job name, an absolute path, and an object. Omits meanings that the
 * text cannot have. Without an argument, returns an empty object, which selects the only job.
 */
export function subjectOf(context: Context, typed: string | undefined): Subject {
  if (typed === undefined) return {};
  const { path, place, target } = parseThing(typed);
  const object = place && { ...place, ...defined({ target }) };
  return path === undefined
    ? defined({ object })
    : { job: typed, path: context.path(typed), ...defined({ object }) };
}

/**
 * Like `subjectOf`, for a command that reads one version of a file. Throws a usage error if a file named `NAME~N`
 * exists.
 */
export async function versionedSubject(
  context: Context,
  typed: string | undefined,
): Promise<VersionedSubject> {
  if (typed === undefined) return {};
  const { name, back } = splitVersion(typed);
  if (back === undefined) return subjectOf(context, typed);
  await refuseName(context, typed, 'the option --at');
  return { ...subjectOf(context, name), versionsBack: back };
}
