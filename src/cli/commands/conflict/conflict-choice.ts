/** Finds the job whose conflicts the arguments of `holdfast conflict resolve` select. */

import { partsOfName } from '../../../config/job-name.ts';
import type { ControlClient } from '../../../control/client.ts';
import type { Result } from '../../../control/messages.ts';
import { usageError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';

type Jobs = Result<'status'>['jobs'];

interface TypedChoice {
  readonly typed: readonly string[];
  /** The job name from the option `--job`. */
  readonly job: string | undefined;
}

/**
 * The selected conflicts of a job. They match one of the patterns below its folder. Without patterns, all conflicts
 * are selected.
 */
export interface ConflictChoice {
  readonly job: string;
  readonly patterns?: string[];
}

/**
 * Returns the selected conflicts. Each argument is JOB/PATH, a local path, or a pattern below the folder of `--job` or
 * of the only job. Throws a usage error if the arguments belong to several jobs.
 */
export async function chooseConflicts(
  context: Context,
  daemon: ControlClient,
  { typed, job }: TypedChoice,
): Promise<ConflictChoice> {
  const { jobs } = await daemon.call('status', {});
  const found: readonly Found[] = typed.map((each) =>
    job === undefined ? find(context, jobs, each) : { pattern: absolute(context, each) },
  );
  const names = new Set(found.flatMap((each) => each.job ?? []));
  if (names.size > 1)
    throw usageError(
      `cannot resolve conflicts of several jobs at once: ${[...names].join(', ')}`,
      'run the command once for each job',
    );
  const patterns = found.map(({ pattern }) => pattern);
  const [name = job ?? onlyName(jobs)] = names;
  return { job: name, ...(patterns.length > 0 && { patterns }) };
}

interface Found {
  readonly job?: string;
  readonly pattern: string;
}

function find(context: Context, jobs: Jobs, typed: string): Found {
  if (/^\.{0,2}\//.test(typed)) {
    const path = context.path(typed);
    const holder = jobs.find(({ folder }) => path === folder || path.startsWith(`${folder}/`));
    return holder
      ? { job: holder.name, pattern: anchored(path.slice(holder.folder.length)) }
      : { pattern: typed };
  }
  const job = jobs.find(({ name }) => typed.startsWith(`${name}/`))?.name;
  return job === undefined
    ? { pattern: typed }
    : { job, pattern: anchored(typed.slice(job.length)) };
}

/** Returns an absolute path for `./PATH` and `../PATH`, because a pattern never starts with `./` or `../`. */
function absolute(context: Context, typed: string): string {
  return /^\.\.?\//.test(typed) ? context.path(typed) : typed;
}

/** Returns the pattern for a path below the folder of a job. An empty path stands for everything in the folder. */
function anchored(path: string): string {
  const below = path.replace(/^\/+/, '');
  return below === '' ? '/*' : `/${below}`;
}

/** Returns the name of the only job. A job with several targets counts as a single job. */
function onlyName(jobs: Jobs): string {
  const names = jobs.flatMap(({ name }) => (partsOfName(name) ? [] : name));
  const [name] = names;
  if (name !== undefined && names.length === 1) return name;
  throw usageError(
    names.length === 0
      ? 'cannot resolve conflicts: no job exists'
      : `cannot resolve conflicts: which of the jobs ${names.join(', ')}?`,
    'name it: holdfast conflict resolve JOB/PATH --keep local|remote|both, or --job JOB',
  );
}
