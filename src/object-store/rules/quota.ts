/** Defines and checks the quotas of projects, buckets and objects (specification, "Limits"). */

import { MAX_BULK_DELETE } from '../bulk-delete.ts';
import type { BucketUsage } from '../buckets.ts';
import { StorageError } from '../storage-error.ts';
import { MAX_PARTS, MIN_PART_SIZE_BYTES } from './multipart.ts';
import { MAX_KEY_BYTES } from './naming.ts';
import { MAX_OBJECT_TAGS } from './tags.ts';

/** The limits for the number and the total size of all versions in a bucket. */
export interface BucketQuota {
  readonly bytes: number;
  readonly objects: number;
}

/** The default limits for projects and buckets that have no limits of their own. */
export interface Quotas {
  readonly bucketsPerProject: number;
  readonly bytesPerBucket: number;
  readonly objectsPerBucket: number;
  readonly bytesPerObject: number;
  /** The maximum length of the key of a new object, in bytes of UTF-8. */
  readonly keyBytes: number;
  readonly tagsPerObject: number;
  readonly keysPerBulkDelete: number;
  readonly partsPerUpload: number;
  /** The minimum size of every part of a multipart upload except the last part. Only tests lower it. */
  readonly minBytesPerPart: number;
}

/** The limits of the specification. It does not limit the size of an object, so the protocol's limit applies. */
export const DEFAULT_QUOTAS: Quotas = {
  bucketsPerProject: 50,
  bytesPerBucket: 25 * 1024 ** 4,
  objectsPerBucket: 50_000_000,
  bytesPerObject: 5 * 1024 ** 4,
  keyBytes: MAX_KEY_BYTES,
  tagsPerObject: MAX_OBJECT_TAGS,
  keysPerBulkDelete: MAX_BULK_DELETE,
  partsPerUpload: MAX_PARTS,
  minBytesPerPart: MIN_PART_SIZE_BYTES,
};

/** Throws `QuotaExceeded` if the bucket would exceed its quota. `held` must already include the new objects. */
export function checkBucketQuota(held: BucketUsage, { bytes, objects }: BucketQuota): void {
  if (held.objects > objects) {
    throw quotaExceeded(`it would have ${held.objects} objects; its quota is ${objects}`, {
      MaxObjectsAllowed: objects,
    });
  }
  if (held.sizeBytes > bytes) {
    throw quotaExceeded(`it would have ${held.sizeBytes} bytes; its quota is ${bytes}`, {
      MaxSizeAllowed: bytes,
    });
  }
}

function quotaExceeded(reason: string, details: Readonly<Record<string, number>>): StorageError {
  return new StorageError('QuotaExceeded', `cannot write to the bucket: ${reason}`, { details });
}

/** Throws `EntityTooLarge` if the object is larger than the limit. */
export function checkObjectSize(sizeBytes: number, maxBytes: number): void {
  if (sizeBytes <= maxBytes) return;
  throw new StorageError(
    'EntityTooLarge',
    `write object: it has ${sizeBytes} bytes; the limit is ${maxBytes}`,
    { details: { MaxSizeAllowed: maxBytes, ProposedSize: sizeBytes } },
  );
}

/** Throws `MalformedXML`, as S3 does, if the list is empty or too long. */
export function checkBulkDelete(count: number, maxCount = MAX_BULK_DELETE): void {
  if (count >= 1 && count <= maxCount) return;
  throw new StorageError(
    'MalformedXML',
    `delete objects: the request must name 1 to ${maxCount} objects, not ${count}`,
    { details: { MaxKeysAllowed: maxCount } },
  );
}

/** Throws `TooManyBuckets` if the project cannot have another bucket. `held` must not include the new bucket. */
export function checkBucketCount(held: number, maxBuckets: number, project: string): void {
  if (held < maxBuckets) return;
  throw new StorageError(
    'TooManyBuckets',
    `create bucket: project ${project} already has ${held} buckets; the limit is ${maxBuckets}`,
    { details: { MaxBucketsAllowed: maxBuckets } },
  );
}
