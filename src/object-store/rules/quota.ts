/** How much a project, a bucket and an object may hold (specification, "Limits"). */

import { MAX_BULK_DELETE } from '../bulk-delete.ts';
import type { BucketUsage } from '../buckets.ts';
import { StorageError } from '../storage-error.ts';
import { MAX_PARTS } from './multipart.ts';
import { MAX_KEY_BYTES } from './naming.ts';
import { MAX_OBJECT_TAGS } from './tags.ts';

/** Of one bucket: all its versions together. */
export interface BucketQuota {
  readonly bytes: number;
  readonly objects: number;
}

/** What holds where nothing else was set for a project or a bucket. */
export interface Quotas {
  readonly bucketsPerProject: number;
  readonly bytesPerBucket: number;
  readonly objectsPerBucket: number;
  readonly bytesPerObject: number;
  /** Of what is written from now on, in UTF-8. */
  readonly keyBytes: number;
  readonly tagsPerObject: number;
  readonly keysPerBulkDelete: number;
  readonly partsPerUpload: number;
}

/** The specification's; it does not show how large an object may be, so that is the protocol's own limit. */
export const DEFAULT_QUOTAS: Quotas = {
  bucketsPerProject: 50,
  bytesPerBucket: 25 * 1024 ** 4,
  objectsPerBucket: 50_000_000,
  bytesPerObject: 5 * 1024 ** 4,
  keyBytes: MAX_KEY_BYTES,
  tagsPerObject: MAX_OBJECT_TAGS,
  keysPerBulkDelete: MAX_BULK_DELETE,
  partsPerUpload: MAX_PARTS,
};

/** `held` counts what is to be written in. Throws `QuotaExceeded`. */
export function checkBucketQuota(held: BucketUsage, { bytes, objects }: BucketQuota): void {
  if (held.objects > objects) {
    throw quotaExceeded(`it would hold ${held.objects} objects, and its quota allows ${objects}`, {
      MaxObjectsAllowed: objects,
    });
  }
  if (held.sizeBytes > bytes) {
    throw quotaExceeded(`it would hold ${held.sizeBytes} bytes, and its quota allows ${bytes}`, {
      MaxSizeAllowed: bytes,
    });
  }
}

function quotaExceeded(reason: string, details: Readonly<Record<string, number>>): StorageError {
  return new StorageError('QuotaExceeded', `cannot write to the bucket: ${reason}`, { details });
}

/** Throws `EntityTooLarge`. */
export function checkObjectSize(sizeBytes: number, maxBytes: number): void {
  if (sizeBytes <= maxBytes) return;
  throw new StorageError(
    'EntityTooLarge',
    `write object: it has ${sizeBytes} bytes, ${maxBytes} are allowed`,
    { details: { MaxSizeAllowed: maxBytes, ProposedSize: sizeBytes } },
  );
}

/** Throws `MalformedXML`, as a list that is longer than the protocol's. */
export function checkBulkDelete(count: number, maxCount = MAX_BULK_DELETE): void {
  if (count >= 1 && count <= maxCount) return;
  throw new StorageError(
    'MalformedXML',
    `delete objects: ${count} are named, 1 to ${maxCount} are allowed`,
    { details: { MaxKeysAllowed: maxCount } },
  );
}

/** `held` buckets are there before the new one. Throws `TooManyBuckets`. */
export function checkBucketCount(held: number, maxBuckets: number, project: string): void {
  if (held < maxBuckets) return;
  throw new StorageError(
    'TooManyBuckets',
    `create bucket: project ${project} has ${held} buckets already, ${maxBuckets} are allowed`,
    { details: { MaxBucketsAllowed: maxBuckets } },
  );
}
