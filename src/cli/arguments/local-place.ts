/** Resolves a path in the folder of a job that was typed where a command expects BUCKET/KEY. */

import { relative } from 'node:path';

import type { ControlClient } from '../../control/client.ts';
import { isControlError } from '../../control/control-error.ts';
import { LOCAL_TARGET } from '../../control/methods/target.ts';
import { CommandError } from '../output/command-error.ts';
import type { Context } from '../context.ts';
import { shellWord } from '../output/text.ts';

/** The argument of a command in the topic `s3`. */
export interface TypedPlace {
  readonly typed: string;
  /** The name of the command, for the hint: `get` in `holdfast s3 get`. */
  readonly command: string;
}

/**
 * Calls `use` with a connection to the daemon and returns its result. If the bucket does not exist and a job mirrors
 * the path that was typed, throws CommandError `NotFound`, whose hint names the object of that path.
 */
export async function withDaemonAt<T>(
  context: Context,
  place: TypedPlace,
  use: (daemon: ControlClient) => Promise<T>,
): Promise<T> {
  return context.withDaemon(async (daemon) => {
    try {
      return await use(daemon);
    } catch (error) {
      throw (await ofJob(context, daemon, { ...place, error })) ?? error;
    }
  });
}

/** The objects that a local path, `JOB` or `JOB/PATH` refers to. */
export interface JobPlace {
  readonly job: string;
  readonly bucket: string;
  /** A key or a prefix, without a trailing slash even for a folder. Empty for the whole bucket. */
  readonly key: string;
  readonly target: string;
}

/** Returns the objects that `typed` refers to. Returns undefined if no job mirrors the path and no job has the name. */
export async function placeInJob(
  context: Context,
  daemon: ControlClient,
  typed: string,
): Promise<JobPlace | undefined> {
  const { jobs } = await daemon.call('status', {});
  const path = context.path(typed);
  const [name, ...names] = typed.split('/');
  const holder = jobs.find(({ folder }) => path === folder || path.startsWith(`${folder}/`));
  const job = holder ?? jobs.find((each) => each.name === name);
  if (!job) return undefined;
  const below = holder ? relative(job.folder, path) : names.join('/');
  const key = `${job.prefix}${below}`.replace(/\/+$/, '');
  return { job: job.name, bucket: job.bucket, key, target: job.target };
}

/** Returns the error for a local path. Returns undefined if `error` has another cause. */
async function ofJob(
  context: Context,
  daemon: ControlClient,
  { typed, command, error }: TypedPlace & { readonly error: unknown },
): Promise<CommandError | undefined> {
  if (!isControlError(error) || error.storageCode !== 'NoSuchBucket') return undefined;
  // If this request fails, the caller rethrows the original error.
  const place = await placeInJob(context, daemon, typed).catch(() => undefined);
  if (!place) return undefined;
  const target = place.target === LOCAL_TARGET ? '' : ` --target ${place.target}`;
  return new CommandError(
    'NotFound',
    `${error.message}; ${typed} is a local path of job ${place.job}`,
    `name its object: holdfast s3 ${command} ${shellWord(`${place.bucket}/${place.key}`)}${target}${context.homeOption}`,
  );
}
