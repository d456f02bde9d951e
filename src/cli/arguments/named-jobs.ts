/** Selects the jobs that the arguments of a command name. */

import { CommandError } from '../output/command-error.ts';

/**
 * Returns the jobs with these names. Without names, returns all jobs. Throws CommandError
 * `NotFound`.
 */
export function namedJobs<T extends { readonly name: string }>(
  jobs: readonly T[],
  names: readonly string[],
): readonly T[] {
  const unknown = names.find((name) => jobs.every((job) => job.name !== name));
  if (unknown !== undefined)
    throw new CommandError(
      'NotFound',
      `job ${unknown} does not exist`,
      jobs.length === 0
        ? 'to add a job: holdfast up FOLDER'
        : `the jobs are: ${jobs.map(({ name }) => name).join(', ')}`,
    );
  return names.length === 0 ? jobs : jobs.filter(({ name }) => names.includes(name));
}
