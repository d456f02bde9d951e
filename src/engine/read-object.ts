/** Get and head: which version is meant, whether its conditions hold, and which bytes of it are asked for. */

import type { Principal } from '../base/principal.ts';
import type {
  CallOptions,
  HeadObjectRequest,
  ObjectContent,
  ObjectHead,
} from '../object-store/object-store.ts';
import { bytesBody } from '../object-store/body.ts';
import { checkAccess } from '../object-store/rules/access.ts';
import { checkReadConditions } from '../object-store/rules/conditions.ts';
import { checkKey } from '../object-store/rules/naming.ts';
import { resolveRange } from '../object-store/rules/ranges.ts';
import { StorageError } from '../object-store/storage-error.ts';
import type { EngineParts } from './engine-parts.ts';
import type { MetadataReader } from './metadata-reader.ts';
import { ObjectBody, verifiedBytes } from './object-body.ts';
import { objectInfo } from './object-info.ts';
import { noSuchBucket } from './refusals.ts';
import type { BucketRow, VersionRow } from './rows.ts';
import { checkVersionId, readableVersion } from './version-lookup.ts';

/** Throws `NoSuchBucket` or `AccessDenied`. */
export function readableBucket(
  reader: MetadataReader,
  name: string,
  principal: Principal,
): BucketRow {
  const bucket = reader.bucket(name);
  if (!bucket) throw noSuchBucket(name);
  checkAccess(principal, bucket);
  return bucket;
}

interface Selected {
  readonly head: ObjectHead;
  readonly row: VersionRow;
}

/** Throws what a read may be refused with. */
export function selectObject(
  reader: MetadataReader,
  principal: Principal,
  request: HeadObjectRequest,
): Selected {
  const { key, versionId } = request;
  const bucket = readableBucket(reader, request.bucket, principal);
  checkKey(key);
  checkVersionId(versionId);
  const found =
    versionId === undefined
      ? reader.versions.latest(bucket.bucketId, key)
      : reader.versions.byId(bucket.bucketId, key, versionId);
  const row = readableVersion(request, found);
  return { row, head: describe(bucket, row, request) };
}

function describe(bucket: BucketRow, row: VersionRow, request: HeadObjectRequest): ObjectHead {
  const { key, versionId, conditions, range } = request;
  if (row.isDeleteMarker !== 0) throw readOfDeleteMarker(key, row);
  const info = objectInfo(bucket, row, versionId);
  checkReadConditions(conditions, info);
  return range ? { info, range: resolveRange(range, row.sizeBytes) } : { info };
}

export function openObject(
  { reader, blobs }: EngineParts,
  principal: Principal,
  request: HeadObjectRequest,
  { signal }: CallOptions,
): ObjectContent {
  const inline = openInline(reader, principal, request);
  if (inline) return inline;
  // In one snapshot, so that no command can remove the blobs before their files are held.
  return reader.snapshot(() => {
    const { row, head } = selectObject(reader, principal, request);
    const span = head.range ?? { first: 0, last: row.sizeBytes - 1 };
    const parts = reader.blobs(row, span.first, span.last);
    const name = nameOf(request);
    return { ...head, body: new ObjectBody({ blobs, parts, span, signal, name }) };
  });
}

/** What most reads are of: the latest version of a small object. Undefined for anything else. */
function openInline(
  reader: MetadataReader,
  principal: Principal,
  request: HeadObjectRequest,
): ObjectContent | undefined {
  if (request.versionId !== undefined) return undefined;
  const bucket = readableBucket(reader, request.bucket, principal);
  checkKey(request.key);
  const row = reader.latestInline(bucket.bucketId, request.key);
  if (!row?.bytes) return undefined;
  const head = describe(bucket, row, request);
  const { first, last } = head.range ?? { first: 0, last: row.sizeBytes - 1 };
  const bytes = verifiedBytes(row.bytes, row.segmentChecksums, nameOf(request)).subarray(
    first,
    last + 1,
  );
  return { ...head, bytes, body: streamOf(bytes) };
}

/** A stream only if somebody wants one: making a generator costs as much as finding the object. */
function streamOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => bytesBody(bytes).open()[Symbol.asyncIterator]() };
}

function nameOf({ bucket, key }: HeadObjectRequest): string {
  return `${bucket}/${key}`;
}

/** It is a version, but there is nothing of it to read (decision 4). */
function readOfDeleteMarker(key: string, marker: VersionRow): StorageError {
  const { versionId } = marker;
  const LastModified = new Date(marker.lastModifiedAt).toISOString();
  return new StorageError(
    'MethodNotAllowed',
    `read version ${versionId} of ${JSON.stringify(key)}: it is a delete marker`,
    { details: { Key: key, DeleteMarker: true, VersionId: versionId, LastModified } },
  );
}
