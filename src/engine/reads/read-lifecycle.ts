/** Reads a bucket's lifecycle rules, and calculates when the rules expire a version. */

import type { LifecycleRule, ObjectExpiration } from '../../object-store/lifecycle.ts';
import type { ObjectRef, PutObjectResult } from '../../object-store/object-store.ts';
import { expirationOf } from '../../object-store/rules/lifecycle-evaluation.ts';
import { ActiveRules } from '../../object-store/rules/lifecycle-rules.ts';
import { StorageError } from '../../object-store/storage-error.ts';
import type { MetadataReader } from './metadata-reader.ts';
import type { BucketRow, VersionRow } from '../schema/rows.ts';
import { parseTags } from '../schema/tag-text.ts';

export function readLifecycle(
  reader: MetadataReader,
  { bucketId, name }: BucketRow,
): readonly LifecycleRule[] {
  const rules = rulesOf(reader, bucketId);
  if (rules !== undefined) return rules;
  throw new StorageError(
    'NoSuchLifecycleConfiguration',
    `read lifecycle of bucket ${name}: it has no rules`,
    { details: { BucketName: name } },
  );
}

/**
 * Returns when a lifecycle rule expires a version, and the rule's ID. Returns undefined for noncurrent versions, for
 * delete markers, and if no rule expires the version.
 */
export function expirationOfVersion(
  reader: MetadataReader,
  { bucketId }: Pick<BucketRow, 'bucketId'>,
  key: string,
  row: VersionRow,
): ObjectExpiration | undefined {
  const rules = rulesOf(reader, bucketId);
  if (rules === undefined || row.isLatest === 0 || row.isDeleteMarker !== 0) return undefined;
  const { sizeBytes, lastModifiedAt } = row;
  const version = { key, sizeBytes, lastModifiedAt, isDeleteMarker: false };
  return expirationOf(activeOf(rules, reader.lifecycleDayMs).of(key), {
    ...version,
    tags: parseTags(row.tags),
  });
}

/**
 * Adds the expiration date of the version that was written, if a lifecycle rule applies and the version is still the
 * latest.
 */
export function withExpiration<Written extends PutObjectResult>(
  reader: MetadataReader,
  { bucket, key }: Pick<ObjectRef, 'bucket' | 'key'>,
  written: Written,
): Written {
  // The write is committed even if the store was closed meanwhile, so return its result without an expiration date.
  if (!reader.database.open) return written;
  const expiration = expirationOfWritten(reader, bucket, key, written.versionId);
  return expiration ? { ...written, expiration } : written;
}

function expirationOfWritten(
  reader: MetadataReader,
  bucket: string,
  key: string,
  versionId: string | undefined,
): ObjectExpiration | undefined {
  const row = reader.buckets.bucket(bucket);
  if (!row || rulesOf(reader, row.bucketId) === undefined) return undefined;
  const version =
    versionId === undefined
      ? reader.versions.latest(row.bucketId, key)
      : reader.versions.byId(row.bucketId, key, versionId);
  return version && expirationOfVersion(reader, row, key, version);
}

function rulesOf(reader: MetadataReader, bucketId: number): readonly LifecycleRule[] | undefined {
  return reader.buckets.config(bucketId, 'lifecycle') as readonly LifecycleRule[] | undefined;
}

/** The parsed rules by their document. An entry exists as long as the reader caches the document. */
const ACTIVE = new WeakMap<readonly LifecycleRule[], ActiveRules>();

function activeOf(rules: readonly LifecycleRule[], dayMs: number | undefined): ActiveRules {
  const known = ACTIVE.get(rules) ?? new ActiveRules(rules, dayMs);
  ACTIVE.set(rules, known);
  return known;
}
