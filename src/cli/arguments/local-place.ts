/** A path in the folder of a job, typed where a command expects BUCKET/KEY. */

import { relative } from 'node:path';

import type { ControlClient } from '../../control/client.ts';
import { isControlError } from '../../control/control-error.ts';
import { LOCAL_TARGET } from '../../control/methods/target.ts';
import { CommandError } from '../output/command-error.ts';
import type { Context } from '../context.ts';
import { shellWord } from '../output/text.ts';

/** `holdfast COMMAND` in the hint. */
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

async function ofJob(
  context: Context,
  daemon: ControlClient,
  { typed, command, error }: TypedPlace & { readonly error: unknown },
): Promise<CommandError | undefined> {
  if (!isControlError(error) || error.storageCode !== 'NoSuchBucket') return undefined;
  const path = context.path(typed);
  // A daemon that cannot answer this leaves the error as it is.
  const status = await daemon.call('status', {}).catch(() => undefined);
  const job = status?.jobs.find(({ folder }) => path === folder || path.startsWith(`${folder}/`));
  if (!job) return undefined;
  const key = `${job.bucket}/${job.prefix}${relative(job.folder, path)}`;
  const target = job.target === LOCAL_TARGET ? '' : ` --target ${job.target}`;
  return new CommandError(
    'NotFound',
    `${error.message}; ${typed} is a local path of job ${job.name}`,
    `name its object: holdfast ${command} ${shellWord(key)}${target}${context.homeOption}`,
  );
}
