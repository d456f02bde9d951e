/** Implements `holdfast s3 mb`. It creates a bucket. */

import { usageError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { checkBucketName } from '../../arguments/folder.ts';
import { parseBucket } from '../../arguments/thing.ts';

export interface MakeBucketOptions {
  readonly versioning: boolean;
  readonly objectLock?: boolean;
}

export async function makeBucket(
  context: Context,
  typed: string,
  { versioning, objectLock = false }: MakeBucketOptions,
): Promise<void> {
  if (objectLock && !versioning) {
    throw usageError(
      'cannot create the bucket: --object-lock requires versioning, which --no-versioning disables',
    );
  }
  const bucket = parseBucket(typed);
  await checkBucketName(bucket);
  const created = await context.withDaemon((daemon) =>
    daemon.call('buckets.create', { bucket, versioning, objectLock }),
  );
  if (context.json) return context.out.json(created);
  if (created.existing) {
    const now = versioning ? 'exists already, and keeps older versions' : 'exists already';
    return context.out.lines(`nothing to create: bucket ${bucket} ${now}`);
  }
  const kept = versioning ? 'keeps older versions' : 'keeps no older versions';
  const lock = objectLock ? ', object lock enabled' : '';
  await context.out.lines(`made bucket ${bucket}: ${kept}${lock}`);
}
