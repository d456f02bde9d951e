/** What of a job a command means: a job by its name, or a path in the folder of one. */

import { realpathSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';

import { defined } from '../src/base/defined.ts';
import { errorCode } from '../src/base/errors.ts';
import { partsOfName } from '../src/config/job-name.ts';
import { ControlError } from '../src/control/control-error.ts';
import type { Subject } from '../src/control/methods/restore.ts';
import type { Job } from './job.ts';
import type { Jobs } from './jobs.ts';

export interface FoundSubject {
  readonly job: Job;
  /** Below the job's folder; absent for all of it. */
  readonly path?: string;
}

/**
 * In this order: a job's name, JOB@TARGET/PATH, a path in a job's folder, JOB/PATH. Throws ControlError `NotFound`,
 * or `BadRequest` where the last two name different files.
 */
export function findSubject(jobs: Jobs, { job: name, path }: Subject): FoundSubject {
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
  const names = jobs.status().map((job) => `${job.name} (${job.folder})`);
  throw new ControlError(
    'NotFound',
    `find job ${name}: there is none of that name, nor one whose folder it is in; ` +
      `jobs: ${names.join(', ') || 'none'}`,
  );
}

/** `photos/2019` and `photos@eu/2019`. */
function belowName(jobs: Jobs, typed: string): FoundSubject | undefined {
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
function inFolderOf(jobs: Jobs, path: string): FoundSubject | undefined {
  for (const candidate of [path, resolved(path)]) {
    const job = jobs.find(({ folder }) => isWithin(candidate, folder));
    if (!job) continue;
    const below = candidate.slice(job.config.folder.length).replace(/^\/+/, '');
    return { job, ...defined({ path: below === '' ? undefined : below }) };
  }
  return undefined;
}

function isSame(one: FoundSubject, other: FoundSubject): boolean {
  return one.job === other.job && one.path === other.path;
}

function ambiguous(typed: string, below: FoundSubject, inFolder: FoundSubject): ControlError {
  const [named, local] = [below, inFolder].map(({ job, path = '' }) =>
    posix.join(job.config.folder, path),
  );
  return new ControlError('BadRequest', `"${typed}" is ambiguous: ${named} or ${local}`, {
    hint: `write ./${typed} or the absolute path`,
  });
}

/** Of its targets, the first. */
function onlyJob(jobs: Jobs): Job {
  const names = jobs.status().flatMap(({ name }) => (partsOfName(name) ? [] : [name]));
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
