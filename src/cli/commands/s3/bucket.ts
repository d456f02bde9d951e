/** `holdfast s3 bucket info`: what `holdfast s3 info` tells of a bucket, and never of an object. */

import type { Context } from '../../context.ts';
import { info } from './info.ts';
import { parseBucket } from '../../arguments/place.ts';

export function describeBucket(context: Context, typed: string): Promise<void> {
  return info(context, parseBucket(typed), {});
}
