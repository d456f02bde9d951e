/** What of a job a command means: a job by its name, or a path in the folder of one. */

import { realpathSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';

import { defined } from '../src/base/defined.ts';
import { errorCode } from '../src/base/errors.ts';
import { partsOfName } from '../src/config/job-name.ts';
import { ControlError } from '../src/control/control-error.ts';
import type { Subject } from '../src/control/methods/restore.ts';
import type { JobConfig } from '../src/config/config.ts';
import type { Job } from './job.ts';

/** The jobs of a daemon, or those of the configuration while none runs. */
export interface JobList<J extends { readonly config: JobConfig }> {
  find(test: (job: JobConfig) => boolean): J | undefined;
  /** Throws ControlError `NotFound`. */
  get(name: string): J;
  all(): readonly J[];
}

type Named = { readonly config: JobConfig };

export interface FoundSubject<J extends Named = Job> {
  readonly job: J;
  /** Below the job's folder; absent for all of it. */
  readonly path?: string;
}

/**
 * In this order: a job's name, JOB@TARGET/PATH, a path in a job's folder, JOB/PATH. Throws ControlError `NotFound`,
 * or `BadRequest` where the last two name different files.
 */
export function findSubject<J extends Named>(
  jobs: JobList<J>,
  { job: name, path }: Subject,
): FoundSubject<J> {
  if (name === undefined) return { job: onlyJob(jobs) };
  const named = jobs.find((job) => job.name === name);
  if (named) return { job: named };
  const below = belowName(jobs, name);
  if (below && partsOfName(below.job.config.name)) return below;
  const inFolder = path === undefined ? undefined : inFolderOf(jobs, path);
  if (below && inFolder && !isSame(below, inFolder)) throw ambiguous(name, below, inFolder);
  const found = below ?? inFolder;
  if (found) return found;
  if (path === undefined) return { job: jobs.get(name) };
  const names = jobs.all().map(({ config }) => `${config.name} (${config.folder})`);
  throw new ControlError('NotFound', `"${name}" is neither a job nor a path in the folder of one`, {
    hint: `jobs: ${names.join(', ') || 'none'}; to add one: holdfast up FOLDER`,
  });
}

/** `photos/2019` and `photos@eu/2019`. */
function belowName<J extends Named>(jobs: JobList<J>, typed: string): FoundSubject<J> | undefined {
  const slash = typed.indexOf('/');
  const name = typed.slice(0, Math.max(0, slash));
  const job = jobs.find((each) => each.name === name);
  const path = typed.slice(slash).replaceAll(/^\/+|\/+$/g, '');
  return job && { job, ...defined({ path: path === '' ? undefined : normalized(typed, path) }) };
}

function normalized(typed: string, path: string): string | undefined {
  const below = posix.normalize(path);
  if (below === '..' || below.startsWith('../'))
    throw new ControlError('BadRequest', `"${typed}" is outside the folder of its job`);
  return below === '.' ? undefined : below;
}

/** Of several targets of one job, the first. */
function inFolderOf<J extends Named>(jobs: JobList<J>, path: string): FoundSubject<J> | undefined {
  for (const candidate of [path, resolved(path)]) {
    const job = jobs.find(({ folder }) => isWithin(candidate, folder));
    if (!job) continue;
    const below = candidate.slice(job.config.folder.length).replace(/^\/+/, '');
    return { job, ...defined({ path: below === '' ? undefined : below }) };
  }
  return undefined;
}

function isSame<J extends Named>(one: FoundSubject<J>, other: FoundSubject<J>): boolean {
  return one.job === other.job && one.path === other.path;
}

function ambiguous<J extends Named>(
  typed: string,
  below: FoundSubject<J>,
  inFolder: FoundSubject<J>,
): ControlError {
  const [named, local] = [below, inFolder].map(({ job, path = '' }) =>
    posix.join(job.config.folder, path),
  );
  return new ControlError('BadRequest', `"${typed}" is ambiguous: ${named} or ${local}`, {
    hint: `write ./${typed} or the absolute path`,
  });
}

/** Of its targets, the first. */
function onlyJob<J extends Named>(jobs: JobList<J>): J {
  const names = jobs.all().flatMap(({ config: { name } }) => (partsOfName(name) ? [] : [name]));
  const [only] = names;
  if (only !== undefined && names.length === 1) return jobs.get(only);
  throw new ControlError(
    'BadRequest',
    names.length === 0 ? 'there is no job' : `there are ${names.length} jobs: ${names.join(', ')}`,
    { hint: names.length === 0 ? 'holdfast up FOLDER' : 'name one, or a path in its folder' },
  );
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? folder : `${folder}/`);
}

/** With the links above it followed; what is gone has none. The path itself may be a link that is meant. */
function resolved(path: string): string {
  const parent = dirname(path);
  if (parent === path) return path;
  try {
    return join(realpathSync(parent), basename(path));
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) throw error;
    return join(resolved(parent), basename(path));
  }
}
