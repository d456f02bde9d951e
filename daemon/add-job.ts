/** From a folder to a job: its name, its bucket, its target, written to the configuration. */

import { opendirSync, statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';

import { defined } from '../src/base/defined.ts';
import { diskErrorFix, failureReason } from '../src/base/disk-error.ts';
import { errorCode, errorMessage } from '../src/base/errors.ts';
import { bucketNameFor } from '../src/config/bucket-name.ts';
import type { Config, JobConfig } from '../src/config/config.ts';
import { type Home, ownFolderOf } from '../src/config/home.ts';
import { isNested, overlap } from '../src/config/rules.ts';
import type { JobEntry } from '../src/config/schema.ts';
import { ControlError } from '../src/control/control-error.ts';
import type { Params } from '../src/control/messages.ts';
import { readMarker } from '../src/mirror/objects/ownership-marker.ts';
import type { ObjectStore } from '../src/object-store/object-store.ts';
import { isStorageError } from '../src/object-store/storage-error.ts';
import { LOCAL_TARGET } from '../src/control/methods/target.ts';
import { numbered } from './names.ts';
import { isDown } from './target-refusal.ts';

/** More buckets of one name than this are a mistake, not a choice. */
const MOST_SUFFIXES = 100;

const READ_ACCESS =
  'let the user that the daemon runs as read the folder and all in it (chmod or setfacl), or name another folder';

type JobSpec = Params<'jobs.add'>;

export interface JobPlan {
  /** What `config.yaml` gets; everything else is the default. */
  readonly job: JobEntry;
  /** What the user did not ask for and should know. */
  readonly notes: readonly string[];
}

export interface AddJobContext {
  readonly home: Home;
  readonly config: Config;
  readonly store: ObjectStore;
  readonly hostId: string;
  readonly signal: AbortSignal;
}

/** The job that mirrors this folder to this target already, if there is one. */
export function existingJob(spec: JobSpec, config: Config): JobConfig | undefined {
  return config.jobs.find(
    (job) =>
      job.folder === spec.folder &&
      job.target === (spec.target ?? LOCAL_TARGET) &&
      (spec.bucket === undefined || job.bucket === spec.bucket),
  );
}

/** Decides names; throws ControlError `NotFound`, `Conflict` or `BadRequest`, and changes nothing. */
export async function planJob(spec: JobSpec, context: AddJobContext): Promise<JobPlan> {
  checkFolder(spec.folder);
  refuseOwnFolder(spec, context.home);
  await refuseSameFolder(spec, context.config);
  refuseTaken(spec, context.config);
  const taken = new Set(context.config.jobs.map((job) => job.name));
  const bucket = spec.bucket ?? (await freeBucket(spec, context));
  const name =
    spec.name ?? firstOf(numbered(spec.bucket ?? bucketNameFor(spec.folder), MOST_SUFFIXES), taken);
  const wanted = bucketNameFor(spec.folder);
  const notes =
    spec.bucket === undefined && bucket !== wanted
      ? [`bucket ${wanted} belongs to another folder, so this one's is ${bucket}`]
      : [];
  const { prefix, target, exclude } = spec;
  return {
    job: { name, folder: spec.folder, bucket, ...defined({ prefix, target, exclude }) },
    notes,
  };
}

function checkFolder(folder: string): void {
  try {
    if (statSync(folder).isDirectory()) return opendirSync(folder).closeSync();
  } catch (error) {
    const reason = failureReason(error, 'folder');
    const isForbidden = errorCode(error) === 'EACCES';
    throw new ControlError(
      isForbidden ? 'Failed' : 'NotFound',
      `cannot back up ${folder}: ${reason}`,
      {
        hint: isForbidden ? READ_ACCESS : (diskErrorFix(error) ?? 'check its path'),
        cause: error,
      },
    );
  }
  throw new ControlError('NotFound', `cannot back up ${folder}: it is not a folder`, {
    hint: 'name the folder that it is in',
  });
}

/** By another name, over a link: what the configuration does not see in its text. */
async function refuseSameFolder(
  { folder, target = LOCAL_TARGET }: JobSpec,
  { jobs }: Config,
): Promise<void> {
  const real = await realpath(folder);
  for (const job of jobs.filter((each) => each.target === target)) {
    const other = await realPathOf(job.folder);
    if (!isNested(real, other)) continue;
    const reason =
      real === other
        ? `job ${job.name} backs it up already`
        : `it overlaps ${job.folder}, which job ${job.name} backs up to the same target`;
    throw new ControlError('Conflict', `cannot back up ${folder}: ${reason}`, {
      hint: 'the same folder may go to another target (--target); `holdfast job list` shows all jobs',
    });
  }
}

function refuseOwnFolder({ folder }: JobSpec, home: Home): void {
  const own = ownFolderOf(home, folder);
  if (own === undefined) return;
  const reason = `it lies inside ${own}, which belongs to Holdfast itself`;
  throw new ControlError('BadRequest', `cannot back up ${folder}: ${reason}`, {
    hint: 'choose another folder; `holdfast admin backup-state DIR` saves what Holdfast itself needs',
  });
}

/** Names that were asked for. */
function refuseTaken(spec: JobSpec, { jobs, targets }: Config): void {
  const { folder, name, bucket, prefix = '', target = LOCAL_TARGET } = spec;
  if (jobs.some((job) => job.name === name)) {
    const hint = `choose another name with --name, or change that job: holdfast job edit ${name}`;
    throw new ControlError('Conflict', `cannot back up ${folder}: a job ${name} exists already`, {
      hint,
    });
  }
  const serviceOf = (each: string) =>
    targets.find((other) => other.name === each)?.endpoint ?? each;
  const other = jobs.find(
    (job) =>
      serviceOf(job.target) === serviceOf(target) && overlap(job, defined({ bucket, prefix })),
  );
  if (!other) return;
  const reason = `job ${other.name} keeps its objects in bucket ${bucket}`;
  throw new ControlError('Conflict', `cannot back up ${folder}: ${reason}`, {
    hint: 'choose another bucket with --bucket NAME, or give each job a prefix of its own',
  });
}

/** A folder that is not there now is where it says. */
async function realPathOf(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(errorCode(error) ?? '')) return folder;
    throw error;
  }
}

function firstOf(names: Iterable<string>, taken: ReadonlySet<string>): string {
  for (const name of names) if (!taken.has(name)) return name;
  throw new ControlError('Conflict', 'name job: too many of that name; choose one with --name');
}

/** A bucket that is not there yet, or that this very folder claimed before. */
async function freeBucket(spec: JobSpec, context: AddJobContext): Promise<string> {
  const name = bucketNameFor(spec.folder);
  try {
    for (const bucket of numbered(name, MOST_SUFFIXES)) {
      if (await isFree(bucket, spec, context)) return bucket;
    }
  } catch (error) {
    if (!isDown(error)) throw error;
    const message = `cannot back up ${spec.folder}: the service does not answer, so that no bucket can be chosen: ${errorMessage(error)}`;
    throw new ControlError('Transport', message, {
      hint: 'start the service, then repeat the command; or name a bucket with --bucket NAME: the job starts when the service answers',
    });
  }
  throw new ControlError('Conflict', `name bucket ${name}: too many of that name`, {
    hint: 'choose one with --bucket NAME',
  });
}

/** One that this key may not see is there, too. */
export async function bucketExists(
  bucket: string,
  store: Pick<ObjectStore, 'headBucket'>,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await store.headBucket({ bucket }, { signal });
    return true;
  } catch (error) {
    if (isStorageError(error, 'NoSuchBucket')) return false;
    if (isStorageError(error, 'AccessDenied')) return true;
    throw error;
  }
}

async function isFree(bucket: string, spec: JobSpec, context: AddJobContext): Promise<boolean> {
  const { config, store, hostId, signal } = context;
  const target = spec.target ?? LOCAL_TARGET;
  if (config.jobs.some((job) => job.bucket === bucket && job.target === target)) return false;
  try {
    await store.headBucket({ bucket }, { signal });
  } catch (error) {
    if (isStorageError(error, 'NoSuchBucket')) return true;
    if (isStorageError(error, 'AccessDenied')) return false;
    throw error;
  }
  const found = await readMarker({ store, bucket, prefix: spec.prefix ?? '' }, signal);
  if (found?.marker.root !== spec.folder) return false;
  return found.marker.host === hostId || spec.takeOver === true;
}
