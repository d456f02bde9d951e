/** Puts an object: the row that makes its bytes visible. */

import { invariant } from '../../../base/errors.ts';
import type { PutObjectResult } from '../../../object-store/object-store.ts';
import { formatChecksum } from '../../schema/checksum-text.ts';
import { type CommandContext, type PutObject } from './commands.ts';
import { isSealed } from '../../blobs/content.ts';
import type { WriteTables } from '../tables/write-tables.ts';
import { checkCurrent, putVersion, statedColumns, writableBucket } from './put-version.ts';
import { checkLock, lockColumns } from './version-locks.ts';

export function putObject(
  tables: WriteTables,
  request: PutObject,
  context: CommandContext,
): PutObjectResult {
  const bucket = writableBucket(tables, request, context);
  checkLock(request.lock, bucket, context);
  invariant(
    isSealed(request.content) === (request.encryption !== undefined),
    'put object: what is said to be encrypted is, and nothing else',
  );
  if (request.conditions !== undefined) {
    checkCurrent(request.conditions, tables.versions.find.latest(bucket.bucketId, request.key));
  }
  const { blobId, sizeBytes, etag, checksum } = tables.blobs.insert(request.content);
  const placement = { bucket, key: request.key, context };
  return putVersion(tables, placement, {
    blobId,
    manifestId: null,
    sizeBytes,
    etag,
    ...lockColumns(request.lock),
    ...statedColumns(request, bucket, context),
    checksum: formatChecksum(checksum),
  });
}
