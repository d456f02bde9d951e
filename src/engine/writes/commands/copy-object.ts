/**
 * Copies an object. The copy shares the bytes of its source if both are unencrypted or have the same customer key.
 * Otherwise the request contains bytes that were prepared for the copy.
 */

import { defined } from '../../../base/defined.ts';
import { invariant } from '../../../base/errors.ts';
import type { CopyObjectResult } from '../../../object-store/object-store.ts';
import { checkReadConditions } from '../../../object-store/rules/conditions.ts';
import { customerKeyRequired } from '../../../object-store/rules/customer-keys.ts';
import { isStorageError, StorageError } from '../../../object-store/storage-error.ts';
import type { Tag } from '../../../object-store/tags.ts';
import { allow } from '../../access/access.ts';
import { formatChecksum } from '../../schema/checksum-text.ts';
import type { CommandContext, CopyObject } from './commands.ts';
import { decodeAttributes, encodeAttributes } from '../../schema/object-info.ts';
import type { BucketRow, VersionRow } from '../../schema/rows.ts';
import type { ContentRef } from '../tables/blob-table.ts';
import { hashedContent } from '../tables/hashed-content.ts';
import type { WriteTables } from '../tables/write-tables.ts';
import { parseTags } from '../../schema/tag-text.ts';
import { checkVersionId, readableVersion } from '../../schema/version-lookup.ts';
import { askedOfTags } from '../../access/write-access.ts';
import {
  checkCurrent,
  existingBucket,
  putVersion,
  statedColumns,
  writableBucket,
} from './put-version.ts';
import { checkLock, lockColumns, writtenAt } from './version-locks.ts';

export function copyObject(
  tables: WriteTables,
  request: CopyObject,
  context: CommandContext,
): CopyObjectResult {
  const from = existingBucket(tables, request.source.bucket);
  const source = findSource(tables, from, request, context);
  const to = writableBucket(tables, request, context);
  const tags = request.tags ?? copiedTags({ from, source, to }, request, context);
  refuseCopyOntoItself(request, source);
  checkLock(request.lock, to, context);
  checkCurrent(request.conditions, tables.versions.find.latest(to.bucketId, request.key));
  // Add the reference to the bytes before the null version is replaced. The null version may be the source and have the
  // last reference to these bytes.
  const content = copiedContent(tables, request, source);
  const placement = { bucket: to, key: request.key, context };
  const result = putVersion(tables, placement, {
    ...content,
    sizeBytes: source.sizeBytes,
    etag: source.etag,
    ...lockColumns(request.lock),
    ...statedColumns(
      {
        ...request,
        attributes: request.attributes ?? copiedAttributes(request, source),
        tags,
      },
      to,
      context,
    ),
    checksum: copiedChecksum(request, source),
  });
  const sourceVersionId = from.versioning === null ? undefined : source.versionId;
  return defined({ ...result, lastModifiedAt: writtenAt(context), sourceVersionId });
}

/**
 * Returns a reference to the prepared bytes, or to the bytes of the source if none were prepared. Throws
 * `OperationAborted` if the source was replaced after the preparation. Throws `InvalidRequest` if the source is
 * encrypted and the request has no customer key.
 */
function copiedContent(
  tables: WriteTables,
  { prepared }: CopyObject,
  source: VersionRow,
): ContentRef {
  if (prepared === undefined && source.encryption !== null) throw customerKeyRequired();
  if (prepared !== undefined && prepared.sequence !== source.sequence) throw sourceReplaced();
  const { blobId, manifestId } = source;
  if (prepared?.parts === undefined) {
    tables.blobs.share(source);
    return { blobId, manifestId };
  }
  const parts = prepared.parts.map(({ content, ...part }) => {
    const hashed = hashedContent(content);
    return { ...part, blobId: tables.blobs.insert(hashed), sizeBytes: hashed.sizeBytes };
  });
  if (manifestId !== null) return { blobId: null, manifestId: tables.blobs.insertManifest(parts) };
  const [whole] = parts;
  invariant(whole, 'copy object: an object without parts has one blob');
  return { blobId: whole.blobId, manifestId: null };
}

function copiedAttributes(
  { websiteRedirect }: CopyObject,
  { attributes }: VersionRow,
): string | undefined {
  if (websiteRedirect === undefined) return attributes ?? undefined;
  return encodeAttributes({ ...decodeAttributes(attributes), websiteRedirect });
}

interface Copied {
  readonly from: BucketRow;
  readonly source: VersionRow;
  readonly to: BucketRow;
}

/**
 * Returns the tags of the source. Throws `AccessDenied` unless the caller may read these tags and set them on the copy,
 * because an object is never copied without its tags.
 */
function copiedTags(
  { from, source, to }: Copied,
  request: CopyObject,
  { caller }: CommandContext,
): readonly Tag[] {
  const tags = parseTags(source.tags);
  if (tags.length === 0) return tags;
  const { key, versionId } = request.source;
  const action = versionId === undefined ? 'GetObjectTagging' : 'GetObjectVersionTagging';
  const named = () => ({ 's3:versionid': versionId });
  allow(caller, from, { action, key, version: source, asked: named });
  const asked = () => askedOfTags(tags);
  allow(caller, to, { action: 'PutObjectTagging', key: request.key, creates: true, asked });
  return tags;
}

function findSource(
  tables: WriteTables,
  bucket: BucketRow,
  { source, sourceConditions }: CopyObject,
  { caller }: CommandContext,
): VersionRow {
  const { bucketId } = bucket;
  checkVersionId(source.versionId);
  const found =
    source.versionId === undefined
      ? tables.versions.find.latest(bucketId, source.key)
      : tables.versions.find.byId(bucketId, source.key, source.versionId);
  const action = source.versionId === undefined ? 'GetObject' : 'GetObjectVersion';
  const asked = () => ({ 's3:versionid': source.versionId });
  allow(caller, bucket, { action, key: source.key, version: found, asked });
  const row = readableVersion(source, found);
  if (row.isDeleteMarker !== 0) {
    throw new StorageError(
      'InvalidRequest',
      `copy object: version ${row.versionId} of ${JSON.stringify(source.key)} is a delete marker`,
    );
  }
  checkSourceConditions(sourceConditions, row);
  return row;
}

/**
 * Checks the conditions on the source. Throws `PreconditionFailed` where a read would throw `NotModified`, because the
 * status 304 exists only for reads.
 */
function checkSourceConditions(
  sourceConditions: CopyObject['sourceConditions'],
  row: VersionRow,
): void {
  try {
    checkReadConditions(sourceConditions, row);
  } catch (error) {
    if (!isStorageError(error, 'NotModified')) throw error;
    const { message, details } = error;
    const { Condition = '' } = details;
    throw new StorageError('PreconditionFailed', message, { details: { Condition }, cause: error });
  }
}

function copiedChecksum(
  { checksumAlgorithm, calculated }: CopyObject,
  source: VersionRow,
): string | null {
  if (checksumAlgorithm === undefined) return source.checksum;
  if (calculated?.sequence === source.sequence) return formatChecksum(calculated.checksum);
  throw sourceReplaced();
}

function sourceReplaced(): StorageError {
  return new StorageError(
    'OperationAborted',
    'copy object: the source was replaced during the copy; try again',
  );
}

/**
 * Throws `InvalidRequest` if the latest version is copied onto itself without a change of its attributes or encryption.
 * Copying an older version onto its own key restores that version.
 */
function refuseCopyOntoItself(request: CopyObject, source: VersionRow): void {
  const { source: from } = request;
  const sameKey = from.bucket === request.bucket && from.key === request.key;
  if (!sameKey || source.isLatest === 0 || request.attributes !== undefined) return;
  if (request.checksumAlgorithm !== undefined || request.websiteRedirect !== undefined) return;
  if (request.prepared?.parts !== undefined) return;
  throw new StorageError(
    'InvalidRequest',
    "copy object: This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes.",
  );
}
