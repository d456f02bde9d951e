/** Implements `holdfast s3 bucket info`, which is `holdfast s3 info` for buckets only. */

import type { Context } from '../../context.ts';
import { info } from './info.ts';
import { parseBucket } from '../../arguments/place.ts';

export function describeBucket(context: Context, typed: string): Promise<void> {
  return info(context, parseBucket(typed), {});
}
