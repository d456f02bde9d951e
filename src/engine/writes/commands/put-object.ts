/** Puts an object: inserts the row that makes the object's bytes visible. */

import { invariant } from '../../../base/errors.ts';
import type { PutObjectResult, WriteConditions } from '../../../object-store/object-store.ts';
import { isStorageError } from '../../../object-store/storage-error.ts';
import { formatChecksum } from '../../schema/checksum-text.ts';
import { isSealed } from '../../blobs/content.ts';
import type { BucketRow } from '../../schema/rows.ts';
import type { CommandContext, PutObject } from './commands.ts';
import { type HashedContent, hashedContent } from '../tables/hashed-content.ts';
import type { LatestSequence } from '../tables/version-table.ts';
import type { WriteTables } from '../tables/write-tables.ts';
import {
  type CheckedVersion,
  checkCurrent,
  checkVersion,
  checkWrite,
  existingBucket,
  type Placement,
  statedColumns,
  writeVersion,
} from './put-version.ts';
import { checkLock, lockColumns } from './version-locks.ts';

export function putObject(
  tables: WriteTables,
  request: PutObject,
  context: CommandContext,
): PutObjectResult {
  const bucket = existingBucket(tables, request.bucket);
  return writeObject(tables, checkObject(tables, bucket, request, context));
}

/** An object to put. Its bucket has already been looked up. */
export type NewObject = Omit<PutObject, 'bucket'>;

/** An object that has passed all checks of a put. The object must be written before any other change. */
export interface CheckedObject {
  readonly placement: Placement;
  readonly content: HashedContent;
  readonly version: CheckedVersion;
}

/** Performs all checks of a put before the first write, so that a refused put needs no rollback. */
export function checkObject(
  tables: WriteTables,
  bucket: BucketRow,
  request: NewObject,
  context: CommandContext,
): CheckedObject {
  checkWrite(tables, bucket, request, context);
  checkLock(request.lock, bucket, context);
  invariant(
    isSealed(request.content) === (request.encryption !== undefined),
    'put object: the content is encrypted if and only if the request says so',
  );
  const { key, conditions } = request;
  const latest = conditions && currentSequence(tables, bucket, key, conditions);
  const content = hashedContent(request.content);
  const placement = { bucket, key, context, latest };
  const version = checkVersion(tables, placement, {
    sizeBytes: content.sizeBytes,
    etag: content.etag,
    ...lockColumns(request.lock),
    ...statedColumns(request, bucket, context),
    checksum: formatChecksum(content.checksum),
  });
  return { placement, content, version };
}

/**
 * Checks the conditions of a put. Returns the sequence number of the version with which they were compared. Throws the
 * errors of `checkCurrent`.
 */
function currentSequence(
  tables: WriteTables,
  { bucketId }: BucketRow,
  key: string,
  conditions: WriteConditions,
): LatestSequence {
  const latest = tables.versions.find.latest(bucketId, key);
  checkCurrent(conditions, latest);
  return { before: latest?.sequence };
}

/**
 * Writes a checked object and returns the result of the put. Never throws a `StorageError`, because that would count as
 * a refusal that needs no rollback.
 */
export function writeObject(
  tables: WriteTables,
  { placement, content, version }: CheckedObject,
): PutObjectResult {
  try {
    const blobId = tables.blobs.insert(content);
    return writeVersion(tables, placement, version, { blobId, manifestId: null });
  } catch (error) {
    if (isStorageError(error)) throw new Error(`write object: ${error.message}`, { cause: error });
    throw error;
  }
}
