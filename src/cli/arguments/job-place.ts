/** Prevents `rm` and `rb` from changing the destination of a job, because it holds the backup of a folder. */

import type { ControlClient } from '../../control/client.ts';
import type { JobStatus } from '../../control/shapes.ts';
import { CommandError } from '../output/command-error.ts';
import type { Context } from '../context.ts';
import type { Place } from './thing.ts';

/**
 * What a command is about to remove: the object with this key or, with `isPrefix`, all objects whose keys begin with
 * it.
 */
export interface Removal extends Place {
  readonly isPrefix: boolean;
  /** The target that has the bucket, `local` for the embedded store. */
  readonly target: string;
}

/** Throws CommandError `Conflict`, which names the job, if the removal affects the destination of a job. */
export async function refuseJobPlace(
  context: Context,
  daemon: ControlClient,
  removal: Removal,
): Promise<void> {
  const { jobs } = await daemon.call('status', {});
  const owner = jobs.find((job) => isPlaceOf(job, removal));
  if (!owner) return;
  const { name, folder, bucket, prefix } = owner;
  const what = removal.key === '' ? `bucket ${bucket}` : `${bucket}/${removal.key}`;
  throw new CommandError(
    'Conflict',
    `cannot remove ${what}: job ${name} keeps the backup of ${folder} in ${bucket}/${prefix}`,
    `Remove the job first: holdfast job remove ${name}${context.homeOption}`,
  );
}

function isPlaceOf(
  { bucket, prefix, target }: JobStatus,
  { bucket: removed, key, isPrefix, target: at }: Removal,
): boolean {
  if (bucket !== removed || target !== at) return false;
  return key.startsWith(prefix) || (isPrefix && prefix.startsWith(key));
}
