/** Plans the job for a folder. Chooses its name and bucket, and checks that it does not collide with other jobs. */

import { opendirSync, statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';

import { defined } from '../../src/base/defined.ts';
import { diskErrorFix, failureReason } from '../../src/base/disk-error.ts';
import { errorCode, errorMessage } from '../../src/base/errors.ts';
import { bucketNameFor } from '../../src/config/bucket-name.ts';
import type { Config, JobConfig } from '../../src/config/config.ts';
import { type Home, ownFolderOf } from '../../src/config/home.ts';
import { isNested, overlap } from '../../src/config/rules.ts';
import type { JobEntry } from '../../src/config/schema.ts';
import { ControlError } from '../../src/control/control-error.ts';
import type { Params } from '../../src/control/messages.ts';
import { readMarker } from '../../src/mirror/objects/ownership-marker.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { isStorageError } from '../../src/object-store/storage-error.ts';
import { LOCAL_TARGET } from '../../src/control/local-target.ts';
import type { Rooms } from '../services/rooms.ts';
import { numbered } from './names.ts';
import type { Settings } from './settings.ts';
import { isDown } from './target-refusal.ts';

/** The maximum number of names with the same base name. More names are considered a mistake. */
const MOST_SUFFIXES = 100;

const READ_ACCESS =
  'give the user that runs the daemon read access to the folder and its contents (chmod or setfacl), or choose another folder';

type JobSpec = Params<'jobs.add'>;

export interface JobPlan {
  /** The entry to write to `config.yaml`. Settings that it omits have their defaults. */
  readonly job: JobEntry;
  /** Notes about choices that Holdfast made and that the user should know about. */
  readonly notes: readonly string[];
}

export interface AddJobContext {
  readonly home: Home;
  readonly config: Config;
  readonly store: ObjectStore;
  readonly hostId: string;
  readonly signal: AbortSignal;
}

interface Daemon {
  readonly settings: Settings;
  readonly rooms: Rooms;
}

/** The existing job, or the plan of a new job with the store that it will use. */
export type Addition =
  | { readonly known: JobConfig }
  | (JobPlan & { readonly known?: undefined; readonly store: ObjectStore });

/** Returns what adding the job would do with the current configuration. Changes nothing. Rejects like `planJob`. */
export async function planAddition(
  spec: JobSpec,
  { settings, rooms }: Daemon,
  signal: AbortSignal,
): Promise<Addition> {
  const config = settings.current();
  const known = existingJob(spec, config);
  if (known) return { known };
  const store = rooms.storeOf(settings.target(spec.target));
  const { home } = settings;
  const plan = await planJob(spec, { home, config, store, hostId: rooms.hostId, signal });
  return { ...plan, store };
}

/**
 * Returns the job that already backs up this folder to this target. If the caller specifies a bucket, the job must also
 * use that bucket.
 */
function existingJob(spec: JobSpec, config: Config): JobConfig | undefined {
  return config.jobs.find(
    (job) =>
      job.folder === spec.folder &&
      job.target === (spec.target ?? LOCAL_TARGET) &&
      (spec.bucket === undefined || job.bucket === spec.bucket),
  );
}

/** Checks the folder and chooses names. Changes nothing. Throws ControlError `NotFound`, `Conflict` or `BadRequest`. */
export async function planJob(spec: JobSpec, context: AddJobContext): Promise<JobPlan> {
  checkFolder(spec.folder);
  refuseOwnFolder(spec, context.home);
  await refuseSameFolder(spec, context.config);
  refuseTaken(spec, context.config);
  const taken = new Set(context.config.jobs.map((job) => job.name));
  const bucket = spec.bucket ?? (await freeBucket(spec, context));
  const name = spec.name ?? firstOf(numbered(bucket, MOST_SUFFIXES), taken);
  const wanted = bucketNameFor(spec.folder);
  const notes =
    spec.bucket === undefined && bucket !== wanted
      ? [`bucket ${wanted} belongs to another folder, so this folder gets bucket ${bucket}`]
      : [];
  const { folder, prefix, target, exclude } = spec;
  // `lock` and `keep` are validated together with the rest of config.yaml before it is written.
  const { lock, keep } = spec as Pick<JobEntry, 'lock' | 'keep'>;
  return {
    job: { name, folder, bucket, ...defined({ prefix, target, exclude, lock, keep }) },
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
        hint: isForbidden ? READ_ACCESS : (diskErrorFix(error) ?? 'check the path'),
        cause: error,
      },
    );
  }
  throw new ControlError('NotFound', `cannot back up ${folder}: it is not a folder`, {
    hint: 'name the folder that contains it',
  });
}

/** Resolves symbolic links, and throws if the folder is, contains or is inside the folder of another job. */
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
        ? `job ${job.name} already backs it up`
        : `it overlaps ${job.folder}, which job ${job.name} backs up to the same target`;
    throw new ControlError('Conflict', `cannot back up ${folder}: ${reason}`, {
      hint: 'to back it up to another target as well, use --target; `holdfast job list` shows all jobs',
    });
  }
}

function refuseOwnFolder({ folder }: JobSpec, home: Home): void {
  const own = ownFolderOf(home, folder);
  if (own === undefined) return;
  const reason = `it is inside ${own}, which Holdfast uses for its own data`;
  throw new ControlError('BadRequest', `cannot back up ${folder}: ${reason}`, {
    hint: 'choose another folder; to back up the state of Holdfast: holdfast admin backup-state DIR',
  });
}

/** Throws if the caller chose a job name, or a bucket and prefix, that another job already uses. */
function refuseTaken(spec: JobSpec, { jobs, targets }: Config): void {
  const { folder, name, bucket, prefix = '', target = LOCAL_TARGET } = spec;
  if (jobs.some((job) => job.name === name)) {
    const hint = `choose another name with --name, or change that job: holdfast job edit ${name}`;
    throw new ControlError('Conflict', `cannot back up ${folder}: job ${name} already exists`, {
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
  const reason = `job ${other.name} stores its objects in bucket ${bucket}`;
  throw new ControlError('Conflict', `cannot back up ${folder}: ${reason}`, {
    hint: 'choose another bucket with --bucket NAME, or give each job its own prefix',
  });
}

/**
 * Returns the path with symbolic links resolved. If the path does not exist or cannot be read, returns it unchanged.
 */
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
  throw new ControlError('Conflict', 'cannot choose a name for the job: too many have this name', {
    hint: 'choose one with --name NAME',
  });
}

/** Returns a bucket name that does not exist yet, or whose ownership marker names this folder. */
async function freeBucket(spec: JobSpec, context: AddJobContext): Promise<string> {
  const name = bucketNameFor(spec.folder);
  try {
    for (const bucket of numbered(name, MOST_SUFFIXES)) {
      if (await isFree(bucket, spec, context)) return bucket;
    }
  } catch (error) {
    if (!isDown(error)) throw error;
    const message = `cannot back up ${spec.folder}: cannot choose a bucket: ${errorMessage(error)}`;
    throw new ControlError('Transport', message, {
      hint: 'start the service and retry; or choose a bucket with --bucket NAME: the job starts when the service responds',
    });
  }
  throw new ControlError('Conflict', `cannot choose a bucket: too many are named ${name}`, {
    hint: 'choose one with --bucket NAME',
  });
}

/** Returns whether the bucket exists. Also returns true for a bucket that the access key may not read. */
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
