/** Prevents `rm` and `rb` from changing the destination of a job, because it contains the backup of a folder. */

import type { ControlClient } from '../../control/client.ts';
import type { JobStatus } from '../../control/shapes.ts';
import { CommandError } from '../output/command-error.ts';
import type { Context } from '../context.ts';
import type { Place } from './thing.ts';

/**
 * What a command is about to remove. It is the object with this key or, with `isPrefix`, all objects whose keys
 * start with it.
 */
export interface Removal extends Place {
  readonly isPrefix: boolean;
  /** The target that contains the bucket. `local` for the embedded store. */
  readonly target: string;
}

/** Throws CommandError `Conflict` if the removal affects the destination of a job. The error names the job. */
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
    `Remove the job first: holdfast job remove ${name}`,
  );
}

function isPlaceOf(
  { bucket, prefix, target }: JobStatus,
  { bucket: removed, key, isPrefix, target: at }: Removal,
): boolean {
  if (bucket !== removed || target !== at) return false;
  return key.startsWith(prefix) || (isPrefix && prefix.startsWith(key));
}
