/** Finds the job, and the path in its folder, that the user gave as a job name, a path or an object. */

import { realpathSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';

import { defined } from '../../src/base/defined.ts';
import { errorCode } from '../../src/base/errors.ts';
import { partsOfName } from '../../src/config/job-name.ts';
import { ControlError } from '../../src/control/control-error.ts';
import type { Subject } from '../../src/control/methods/restore.ts';
import { LOCAL_TARGET } from '../../src/control/local-target.ts';
import type { JobConfig } from '../../src/config/config.ts';
import type { Job } from './job.ts';

/** The jobs of a daemon. While no daemon is running, the jobs of the configuration. */
export interface JobList<J extends { readonly config: JobConfig }> {
  find(test: (job: JobConfig) => boolean): J | undefined;
  /** Returns the job with this name. Throws ControlError `NotFound`. */
  get(name: string): J;
  all(): readonly J[];
}

type Named = { readonly config: JobConfig };

export interface FoundSubject<J extends Named = Job> {
  readonly job: J;
  /** The path below the job's folder. Absent for the whole folder. */
  readonly path?: string;
}

/**
 * Tries in this order: the name of a job, JOB@TARGET/PATH, JOB/PATH, a path in the folder of a job, an object below the
 * destination of a job. Throws ControlError `NotFound`. Throws `BadRequest` if the last three select different files.
 */
export function findSubject<J extends Named>(
  jobs: JobList<J>,
  { job: name, path, object }: Subject,
): FoundSubject<J> {
  const backedUp = object && atDestination(jobs, object);
  if (name === undefined) {
    if (backedUp) return backedUp;
    if (!object) return { job: onlyJob(jobs) };
    throw notFound(jobs, `no job backs up to ${objectText(object)}`);
  }
  const named = jobs.find((job) => job.name === name);
  if (named) return { job: named };
  const below = belowName(jobs, name);
  if (below && partsOfName(below.job.config.name)) return below;
  const inFolder = path === undefined ? undefined : inFolderOf(jobs, path);
  const [found, ...others] = [below, inFolder, backedUp].flatMap((each) => each ?? []);
  const other = found && others.find((each) => localPath(each) !== localPath(found));
  if (found && other) throw ambiguous(name, localPath(found), localPath(other));
  if (found) return found;
  if (path === undefined) return { job: jobs.get(name) };
  throw notFound(jobs, `"${name}" is neither a job nor a path in the folder of a job`);
}

function notFound(jobs: JobList<Named>, message: string): ControlError {
  const names = jobs.all().map(({ config }) => `${config.name} (${config.folder})`);
  const hint = `jobs: ${names.join(', ') || 'none'}; to add one: holdfast up FOLDER`;
  return new ControlError('NotFound', message, { hint });
}

type NamedObject = NonNullable<Subject['object']>;

function objectText({ target = LOCAL_TARGET, bucket, key }: NamedObject): string {
  return `${target}:${bucket}/${key}`;
}

/** Finds the job whose destination contains this object, or all objects of this folder. */
function atDestination<J extends Named>(
  jobs: JobList<J>,
  { target = LOCAL_TARGET, bucket, key }: NamedObject,
): FoundSubject<J> | undefined {
  const job = jobs.find((each) => {
    const isSameBucket = each.target === target && each.bucket === bucket;
    return isSameBucket && `${key}/`.startsWith(each.prefix);
  });
  const path = job && key.slice(job.config.prefix.length).replace(/\/+$/, '');
  // No file of a job has a key such as `a//b` or `../a`.
  if (!job || posix.normalize(`/${path}`) !== `/${path}`) return undefined;
  return { job, ...defined({ path: path === '' ? undefined : path }) };
}

function localPath({ job: { config }, path = '' }: FoundSubject<Named>): string {
  return posix.join(config.folder, path);
}

/** Resolves JOB/PATH, such as `photos/2019` or `photos@eu/2019`. */
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

/** Resolves a path in a job's folder. If several jobs have this folder, returns the first job. */
function inFolderOf<J extends Named>(jobs: JobList<J>, path: string): FoundSubject<J> | undefined {
  for (const candidate of [path, resolved(path)]) {
    const job = jobs.find(({ folder }) => isWithin(candidate, folder));
    if (!job) continue;
    const below = candidate.slice(job.config.folder.length).replace(/^\/+/, '');
    return { job, ...defined({ path: below === '' ? undefined : below }) };
  }
  return undefined;
}

function ambiguous(typed: string, one: string, other: string): ControlError {
  return new ControlError('BadRequest', `"${typed}" is ambiguous: ${one} or ${other}`, {
    hint: `write ./${typed} or the absolute path`,
  });
}

/** Returns the only job, with its first target. Throws ControlError `BadRequest` unless there is exactly one job. */
function onlyJob<J extends Named>(jobs: JobList<J>): J {
  const names = jobs.all().flatMap(({ config: { name } }) => (partsOfName(name) ? [] : [name]));
  const [only] = names;
  if (only !== undefined && names.length === 1) return jobs.get(only);
  throw new ControlError(
    names.length === 0 ? 'NotFound' : 'BadRequest',
    names.length === 0
      ? 'no job is configured'
      : `choose one of ${names.length} jobs: ${names.join(', ')}`,
    {
      hint:
        names.length === 0
          ? 'to add one: holdfast up FOLDER'
          : 'add its name, or a path in its folder, to the command',
    },
  );
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? folder : `${folder}/`);
}

/**
 * Resolves the symbolic links in the parent folders of a path. The path itself is not resolved, even if it is a link.
 * Parent folders that do not exist are left unchanged.
 */
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
