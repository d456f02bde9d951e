/** Reads an argument that is a job, a path or an object of a job. The daemon decides which it is. */

import { defined } from '../../base/defined.ts';
import type { Subject } from '../../control/methods/restore.ts';
import type { Context } from '../context.ts';
import { refuseName } from './resolve-thing.ts';
import { parseThing, splitVersion } from './thing.ts';

/** A subject, and the `N` of `~N`. */
export interface VersionedSubject extends Subject {
  readonly versionsBack?: number;
}

/**
 * Returns the argument as a job name, as an absolute path and as an object, without those that its text cannot be.
 * Without an argument, returns an empty object, which means the only job.
 */
export function subjectOf(context: Context, typed: string | undefined): Subject {
  if (typed === undefined) return {};
  const { path, place, target } = parseThing(typed);
  const object = place && { ...place, ...defined({ target }) };
  return path === undefined
    ? defined({ object })
    : { job: typed, path: context.path(typed), ...defined({ object }) };
}

/** As `subjectOf`, for a command that reads one version of a file. Throws a usage error for an existing `NAME~N`. */
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
