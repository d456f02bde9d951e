/** Implements `holdfast s3 rb`, which removes an empty bucket. */

import type { Context } from '../../context.ts';
import { refuseJobPlace } from '../../arguments/job-place.ts';
import { parseBucket } from '../../arguments/place.ts';
import { visible } from '../../output/text.ts';

/** Throws CommandError `Conflict`, before the confirmation prompt, if the bucket contains the destination of a job. */
export async function checkBucket(context: Context, typed: string): Promise<readonly string[]> {
  const place = { bucket: parseBucket(typed), key: '', isPrefix: true };
  await context.withDaemon((daemon) => refuseJobPlace(context, daemon, place));
  return [];
}

export async function removeBucket(context: Context, typed: string): Promise<void> {
  const bucket = parseBucket(typed);
  await context.withDaemon(async (daemon) => {
    await refuseJobPlace(context, daemon, { bucket, key: '', isPrefix: true });
    await daemon.call('buckets.delete', { bucket });
  });
  if (context.json) return context.out.json({});
  await context.out.lines(`removed bucket ${visible(bucket)}`);
}
