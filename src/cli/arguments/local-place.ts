/** A path in the folder of a job, typed where a command expects BUCKET/KEY. */

import { relative } from 'node:path';

import type { ControlClient } from '../../control/client.ts';
import { isControlError } from '../../control/control-error.ts';
import { LOCAL_TARGET } from '../../control/methods/target.ts';
import { CommandError } from '../output/command-error.ts';
import type { Context } from '../context.ts';
import { shellWord } from '../output/text.ts';

/** `holdfast s3 COMMAND` in the hint. */
export interface TypedPlace {
  readonly typed: string;
  readonly command: string;
}

/** As `use`; where the bucket does not exist and a job mirrors that path, the error names the object of the path. */
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

/** The objects of a local path, or of `JOB` or `JOB/PATH`. */
export interface JobPlace {
  readonly job: string;
  readonly bucket: string;
  /** Without a final slash, also for a folder. Empty for a whole bucket. */
  readonly key: string;
  readonly target: string;
}

/** Returns undefined if no job mirrors the path and no job has the name. */
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

async function ofJob(
  context: Context,
  daemon: ControlClient,
  { typed, command, error }: TypedPlace & { readonly error: unknown },
): Promise<CommandError | undefined> {
  if (!isControlError(error) || error.storageCode !== 'NoSuchBucket') return undefined;
  // If the daemon cannot answer this, the error stays as it is.
  const place = await placeInJob(context, daemon, typed).catch(() => undefined);
  if (!place) return undefined;
  const target = place.target === LOCAL_TARGET ? '' : ` --target ${place.target}`;
  return new CommandError(
    'NotFound',
    `${error.message}; ${typed} is a local path of job ${place.job}`,
    `name its object: holdfast s3 ${command} ${shellWord(`${place.bucket}/${place.key}`)}${target}${context.homeOption}`,
  );
}
