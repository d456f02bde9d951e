/** `holdfast rb`: removes a bucket that is empty. */

import type { Context } from './context.ts';
import { parseBucket } from './place.ts';
import { visible } from './text.ts';

export async function removeBucket(context: Context, typed: string): Promise<void> {
  const bucket = parseBucket(typed);
  await context.withDaemon((daemon) => daemon.call('buckets.delete', { bucket }));
  if (context.json) return context.out.json({});
  await context.out.lines(`removed bucket ${visible(bucket)}`);
}
