/** Stores and removes a bucket's configuration documents. */

import type { CommandContext, PutBucketConfig } from './commands.ts';
import type { WriteTables } from '../tables/write-tables.ts';
import { usableBucket } from './put-version.ts';

export function putBucketConfig(
  tables: WriteTables,
  { bucket: name, action, kind, document }: PutBucketConfig,
  context: CommandContext,
): void {
  const { bucketId } = usableBucket(tables, name, context, { action });
  if (document === undefined) tables.configs.remove(bucketId, kind);
  else tables.configs.put(bucketId, kind, JSON.stringify(document));
}
