/**
 * Runs the commands of multipart uploads. Each part is stored as a blob, and completing the upload combines the parts
 * without copying bytes.
 */

import { defined } from '../../../base/defined.ts';
import { invariant } from '../../../base/errors.ts';
import type {
  CreateUploadResult,
  UploadChecksum,
  UploadPartResult,
  UploadRef,
} from '../../../object-store/multipart.ts';
import type { PutObjectResult } from '../../../object-store/object-store.ts';
import {
  checkPartChecksum,
  completedChecksum,
  uploadChecksum,
} from '../../../object-store/rules/checksums.ts';
import {
  checkCompletedParts,
  checkCompletedSize,
  multipartEtag,
} from '../../../object-store/rules/multipart.ts';
import { formatChecksum, parsePartChecksum } from '../../schema/checksum-text.ts';
import {
  type CommandContext,
  type CompleteUpload,
  type CreateUpload,
  type PutPart,
} from './commands.ts';
import { isSealed } from '../../blobs/content.ts';
import { noSuchUpload } from '../../disk/refusals.ts';
import type { BucketRow, PartRow, UploadRow } from '../../schema/rows.ts';
import { newSequenceId } from '../../schema/sequence-id.ts';
import { hashedContent } from '../tables/hashed-content.ts';
import type { WriteTables } from '../tables/write-tables.ts';
import {
  checkCurrent,
  existingBucket,
  putVersion,
  statedColumns,
  writableBucket,
} from './put-version.ts';
import { allowUpload } from '../../access/write-access.ts';
import { checkLock, lockColumns, writtenAt } from './version-locks.ts';

/**
 * The time for which a repeated CompleteMultipartUpload returns the result of the first one. Clients do not retry for
 * longer.
 */
const COMPLETED_KEPT_MS = 24 * 3600 * 1000;

export function createUpload(
  tables: WriteTables,
  request: CreateUpload,
  context: CommandContext,
): CreateUploadResult {
  const { key } = request;
  const bucket = writableBucket(tables, request, context);
  checkLock(request.lock, bucket, context);
  const checksum = uploadChecksum(request);
  const sequence = tables.sequence.next();
  const uploadId = newSequenceId(sequence);
  tables.uploads.insert(bucket.bucketId, key, {
    sequence,
    uploadId,
    initiatedAt: writtenAt(context),
    ...lockColumns(request.lock),
    ...statedColumns(request, bucket, context),
    checksumAlgorithm: checksum.checksumAlgorithm ?? null,
    checksumType: checksum.checksumType ?? null,
  });
  return { uploadId, ...checksum };
}

/** Stores a part. It replaces an earlier part with the same number. */
export function putPart(
  tables: WriteTables,
  request: PutPart,
  context: CommandContext,
): UploadPartResult {
  const { upload } = usableUpload(tables, request, context, 'PutObject');
  const { sequence, checksumAlgorithm, encryption } = openUpload(request, upload);
  invariant(
    isSealed(request.content) === (encryption !== null),
    'put part: the part is encrypted if and only if the upload is encrypted',
  );
  const algorithm = checksumAlgorithm ?? undefined;
  const before = tables.uploads.part(sequence, request.partNumber);
  const content = hashedContent(request.content, algorithm);
  const { checksum, sizeBytes, etag } = content;
  checkPartChecksum(checksum.algorithm, algorithm);
  tables.uploads.putPart(sequence, {
    partNumber: request.partNumber,
    blobId: tables.blobs.insert(content),
    sizeBytes,
    etag,
    lastModifiedAt: writtenAt(context),
    checksum: formatChecksum(checksum),
  });
  if (before) tables.blobs.releaseBlob(before.blobId);
  return { etag, checksum };
}

export function completeUpload(
  tables: WriteTables,
  request: CompleteUpload,
  context: CommandContext,
): PutObjectResult {
  const { key, uploadId } = request;
  const { bucket, upload: found } = usableUpload(tables, request, context, 'PutObject');
  const answered = tables.uploads.completed(bucket.bucketId, key, uploadId);
  if (answered) return answered;
  const upload = openUpload(request, found);
  const stored = tables.uploads.parts(upload.sequence).map(storedPart);
  const { minBytesPerPart } = tables.quotas.defaults;
  const parts = checkCompletedParts(request.parts, stored, minBytesPerPart);
  checkCompletedSize(request.sizeBytes, parts);
  const checksum = completedChecksum(parts, checksumOf(upload), request);
  checkCurrent(request.conditions, tables.versions.find.latest(bucket.bucketId, key));
  const rows = parts.map(({ row }) => row);
  const content = { ...joinParts(tables, upload, rows), checksum: formatChecksum(checksum) };
  const result = putVersion(tables, { bucket, key, context }, content);
  tables.uploads.forgetCompletedBefore(context.now - COMPLETED_KEPT_MS);
  tables.uploads.rememberCompleted(
    { bucketId: bucket.bucketId, key, uploadId },
    result,
    context.now,
  );
  return result;
}

/**
 * Removes the upload and returns the columns of the new version. The manifest (the list of parts) takes over the
 * references to the blobs of the listed parts. The blobs of all other parts are released.
 */
function joinParts(tables: WriteTables, upload: UploadRow, parts: readonly PartRow[]) {
  const manifestId = tables.blobs.insertManifest(parts);
  const chosen = new Set(parts.map((part) => part.blobId));
  for (const blobId of tables.uploads.remove(upload.sequence)) {
    if (!chosen.has(blobId)) tables.blobs.releaseBlob(blobId);
  }
  return {
    owner: upload.owner,
    attributes: upload.attributes,
    acl: upload.acl,
    tags: upload.tags,
    encryption: upload.encryption,
    retentionMode: upload.retentionMode,
    retainUntil: upload.retainUntil,
    legalHold: upload.legalHold,
    legalHoldStated: upload.legalHoldStated,
    blobId: null,
    manifestId,
    sizeBytes: parts.reduce((sum, part) => sum + part.sizeBytes, 0),
    etag: multipartEtag(parts.map((part) => part.etag)),
  };
}

function storedPart(row: PartRow) {
  const { partNumber, etag, sizeBytes } = row;
  return { partNumber, etag, sizeBytes, checksum: parsePartChecksum(row.checksum), row };
}

function checksumOf({ checksumAlgorithm, checksumType }: UploadRow): UploadChecksum {
  return defined({
    checksumAlgorithm: checksumAlgorithm ?? undefined,
    checksumType: checksumType ?? undefined,
  });
}

export function abortUpload(
  tables: WriteTables,
  request: UploadRef,
  context: CommandContext,
): void {
  const { upload } = usableUpload(tables, request, context, 'AbortMultipartUpload');
  const { sequence } = openUpload(request, upload);
  for (const blobId of tables.uploads.remove(sequence)) tables.blobs.releaseBlob(blobId);
}

interface Usable {
  readonly bucket: BucketRow;
  /**
   * The multipart upload; undefined if it is not open. Whether the upload is open is revealed only to a caller with
   * permission to use it.
   */
  readonly upload: UploadRow | undefined;
}

/**
 * Returns the bucket and the multipart upload. Throws `NoSuchBucket`, or `AccessDenied` unless the caller may perform
 * the action.
 */
function usableUpload(
  tables: WriteTables,
  { bucket: name, key, uploadId, source }: UploadRef & Pick<PutPart, 'source'>,
  { caller }: CommandContext,
  action: 'AbortMultipartUpload' | 'PutObject',
): Usable {
  const bucket = existingBucket(tables, name);
  const upload = tables.uploads.find(bucket.bucketId, key, uploadId);
  const latest = () => tables.versions.find.latest(bucket.bucketId, key);
  allowUpload(caller, bucket, { action, key, upload, latest, source });
  return { bucket, upload };
}

function openUpload({ uploadId }: UploadRef, upload: UploadRow | undefined): UploadRow {
  if (!upload) throw noSuchUpload(uploadId);
  return upload;
}
