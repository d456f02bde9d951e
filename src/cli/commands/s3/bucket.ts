/** Implements `holdfast s3 bucket info`. It is `holdfast s3 info` restricted to buckets. */

import type { Context } from '../../context.ts';
import { printBucket } from './info.ts';
import { parseBucket } from '../../arguments/thing.ts';

export async function describeBucket(context: Context, typed: string): Promise<void> {
  const bucket = parseBucket(typed);
  return context.withDaemon((daemon) => printBucket(context, daemon, bucket));
}
