/** Implements `holdfast s3 rb`. It removes an empty bucket. */

import type { Context } from '../../context.ts';
import { refuseJobPlace } from '../../arguments/job-place.ts';
import { LOCAL_TARGET } from '../../../control/local-target.ts';
import { parseBucket } from '../../arguments/thing.ts';
import { visible } from '../../output/text.ts';

/** Throws CommandError `Conflict` before the confirmation prompt if the bucket contains the destination of a job. */
export async function checkBucket(context: Context, typed: string): Promise<readonly string[]> {
  const place = bucketOf(context, typed);
  await context.withDaemon((daemon) => refuseJobPlace(context, daemon, place));
  return [];
}

export async function removeBucket(context: Context, typed: string): Promise<void> {
  const place = bucketOf(context, typed);
  const { bucket } = place;
  await context.withDaemon(async (daemon) => {
    await refuseJobPlace(context, daemon, place);
    await daemon.call('buckets.delete', { bucket });
  });
  if (context.json) return context.out.json({});
  await context.out.lines(`removed bucket ${visible(bucket)}`);
}

function bucketOf({ target = LOCAL_TARGET }: Context, typed: string) {
  return { bucket: parseBucket(typed), key: '', isPrefix: true, target };
}
