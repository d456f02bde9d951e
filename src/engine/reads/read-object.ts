/**
 * Reads objects for GET and HEAD requests: selects the version, evaluates the conditions, and determines the requested
 * bytes.
 */

import type { KeyObject } from 'node:crypto';

import { defined } from '../../base/defined.ts';
import type { Action } from '../../object-store/action.ts';
import type { Caller } from '../../object-store/caller.ts';
import type { ObjectChecksum } from '../../object-store/checksum.ts';
import type {
  HeadObjectRequest,
  ObjectContent,
  ObjectHead,
  ObjectInfo,
  ObjectRef,
  ReadOptions,
} from '../../object-store/object-store.ts';
import { bytesBody } from '../../object-store/body.ts';
import { encryptionBy } from '../../object-store/customer-key.ts';
import { checkReadConditions } from '../../object-store/rules/conditions.ts';
import { checkKey } from '../../object-store/rules/naming.ts';
import { checkExtent, resolveRange } from '../../object-store/rules/ranges.ts';
import { allow, isAllowed } from '../access/access.ts';
import { parseChecksum } from '../schema/checksum-text.ts';
import { objectKeyOf } from '../encryption/object-key.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { InlineRow, MetadataReader } from './metadata-reader.ts';
import { ObjectBody, wholeBytes, type WholeRow } from './object-body.ts';
import { objectInfo, shownLegalHold, shownRetention } from '../schema/object-info.ts';
import { noSuchBucket, ofDeleteMarker } from '../disk/refusals.ts';
import { expirationOfVersion } from './read-lifecycle.ts';
import type { BucketRow, VersionRow } from '../schema/rows.ts';
import { parseTags } from '../schema/tag-text.ts';
import { checkVersionId, readableVersion } from '../schema/version-lookup.ts';

/** Returns a bucket without checking permissions. Throws `NoSuchBucket` if the bucket does not exist. */
export function existingBucket(reader: MetadataReader, name: string): BucketRow {
  const bucket = reader.buckets.bucket(name);
  if (!bucket) throw noSuchBucket(name);
  return bucket;
}

interface SelectedVersion {
  readonly bucket: BucketRow;
  readonly row: VersionRow;
}

interface Selected {
  readonly head: ObjectHead;
  readonly row: VersionRow;
  /** The key that decrypts the object; undefined for an unencrypted object. */
  readonly objectKey: KeyObject | undefined;
}

/** Returns the requested version if the caller may read it. The version can be a delete marker. */
export function selectVersion(
  reader: MetadataReader,
  caller: Caller,
  request: ObjectRef,
): SelectedVersion {
  const { key, versionId } = request;
  const bucket = existingBucket(reader, request.bucket);
  checkKey(key);
  checkVersionId(versionId);
  const found =
    versionId === undefined
      ? reader.versions.latest(bucket.bucketId, key)
      : reader.versions.byId(bucket.bucketId, key, versionId);
  const asked = () => ({ 's3:versionid': versionId });
  allow(caller, bucket, { action: readAction(request), key, version: found, asked });
  return { bucket, row: readableVersion(request, found) };
}

/**
 * Returns the requested version with its metadata. Throws the error for a read that must be refused. For a request with
 * a part number, this function must be called within a snapshot.
 */
export function selectObject(
  reader: MetadataReader,
  caller: Caller,
  request: HeadObjectRequest,
): Selected {
  checkExtent(request);
  const selected = selectVersion(reader, caller, request);
  return { row: selected.row, ...describe(reader, { ...selected, caller }, request) };
}

/**
 * Returns the action that a read requires permission for. Reading a version by its ID is a separate action (semantics
 * B.6).
 */
function readAction({ versionId }: ObjectRef): Action {
  return versionId === undefined ? 'GetObject' : 'GetObjectVersion';
}

/** Returns the metadata that requires separate permissions, such as tags, if the caller has these permissions. */
function guarded(
  { caller, bucket, row }: ReadVersion,
  { key, versionId }: ObjectRef,
): Pick<ObjectInfo, 'legalHold' | 'retention' | 'tagCount'> {
  const asked = () => ({ 's3:versionid': versionId });
  const ifAllowed = <T>(action: Action, value: T | undefined): T | undefined =>
    value !== undefined && isAllowed(caller, bucket, { action, key, version: row, asked })
      ? value
      : undefined;
  const tags = versionId === undefined ? 'GetObjectTagging' : 'GetObjectVersionTagging';
  return defined({
    tagCount: ifAllowed(tags, row.tags === null ? undefined : parseTags(row.tags).length),
    retention: ifAllowed('GetObjectRetention', shownRetention(row)),
    legalHold: ifAllowed('GetObjectLegalHold', shownLegalHold(row)),
  });
}

interface ReadVersion extends SelectedVersion {
  readonly caller: Caller;
}

function describe(
  reader: MetadataReader,
  version: ReadVersion,
  request: HeadObjectRequest,
): Omit<Selected, 'row'> {
  const { bucket, row } = version;
  const { key, versionId, conditions, range, partNumber, withChecksum, customerKey } = request;
  if (row.isDeleteMarker !== 0) throw ofDeleteMarker('read', key, row);
  const { bucketId } = bucket;
  const objectKey = objectKeyOf(row, customerKey, { bucketId, key });
  const encryption = encryptionBy(customerKey);
  const expiration = expirationOfVersion(reader, bucket, key, row);
  const shown = { encryption, expiration, ...guarded(version, request) };
  const info = defined({ ...objectInfo(bucket, row, versionId), ...shown });
  checkReadConditions(conditions, info);
  if (partNumber !== undefined) {
    const { checksum, ...part } = reader.parts.select(row, partNumber);
    const shown = withChecksum ? partChecksumOf(row, checksum) : undefined;
    return { objectKey, head: defined({ info: defined({ ...info, checksum: shown }), ...part }) };
  }
  if (range) return { objectKey, head: { info, range: resolveRange(range, row.sizeBytes) } };
  const checksum = withChecksum ? parseChecksum(row.checksum) : undefined;
  return { objectKey, head: { info: defined({ ...info, checksum }) } };
}

/**
 * Returns the checksum of a part. As in S3, its type is the type of the object's checksum, which states how the
 * object's checksum was calculated from those of the parts.
 */
function partChecksumOf(row: VersionRow, partChecksum: string | null): ObjectChecksum | undefined {
  const [part, whole] = [parseChecksum(partChecksum), parseChecksum(row.checksum)];
  // The checksums of parts can have a different algorithm if the object is a copy that shares the bytes of its source.
  return part && whole?.algorithm === part.algorithm ? { ...part, type: whole.type } : part;
}

/** The components that are needed to read an object. */
export interface ReadParts {
  readonly reader: MetadataReader;
  readonly blobs: BlobStore;
  /** Called with the ID of a blob whose bytes were found damaged while they were read. */
  readonly reportDamage: (blobId: number) => void;
}

export function openObject(
  { reader, blobs, reportDamage }: ReadParts,
  caller: Caller,
  request: HeadObjectRequest,
  options: ReadOptions,
): ObjectContent {
  const inline = openInline({ reader, reportDamage }, caller, request);
  if (inline) return inline;
  // Read the rows and open the files in one snapshot, so that no command removes the blobs in between.
  return reader.snapshot(() => {
    const { row, head, objectKey } = selectObject(reader, caller, request);
    const span = head.range ?? { first: 0, last: row.sizeBytes - 1 };
    const parts = reader.blobs(row, span.first, span.last);
    const name = nameOf(request);
    const source = { blobs, parts, objectKey, span, name, reportDamage };
    return { ...head, body: new ObjectBody({ ...options, ...source }) };
  });
}

/**
 * Opens the latest version of a small object with a single query, because most reads request small objects. Returns
 * undefined if the request needs the general path.
 */
function openInline(
  { reader, reportDamage }: Omit<ReadParts, 'blobs'>,
  caller: Caller,
  request: HeadObjectRequest,
): ObjectContent | undefined {
  if (request.versionId !== undefined) return undefined;
  const bucket = existingBucket(reader, request.bucket);
  checkKey(request.key);
  checkExtent(request);
  const row = reader.latestInline(bucket.bucketId, request.key);
  if (!isInline(row)) return undefined;
  allow(caller, bucket, { action: 'GetObject', key: request.key, version: row });
  const { head, objectKey } = describe(reader, { caller, bucket, row }, request);
  const { first, last } = head.range ?? { first: 0, last: row.sizeBytes - 1 };
  const whole = wholeBytes(row, { objectKey, name: nameOf(request), reportDamage });
  const bytes = whole.subarray(first, last + 1);
  return { ...head, bytes, body: streamOf(bytes) };
}

function isInline(row: InlineRow | undefined): row is WholeRow {
  return row?.bytes !== undefined && row.bytes !== null && row.blobId !== null;
}

/** Creates the stream only on first use, because creating a generator takes as long as finding the object. */
function streamOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => bytesBody(bytes).open()[Symbol.asyncIterator]() };
}

/** Returns the object's name for error messages. */
export function nameOf({ bucket, key }: ObjectRef): string {
  return `${bucket}/${key}`;
}
