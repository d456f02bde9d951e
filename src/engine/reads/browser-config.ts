/** Reads a bucket's CORS rules and website configuration. */

import type { BrowserConfig } from '../../object-store/browser-config.ts';
import type { CorsConfiguration } from '../../object-store/cors.ts';
import { StorageError, type StorageErrorCode } from '../../object-store/storage-error.ts';
import type { WebsiteConfiguration } from '../../object-store/website.ts';
import type { MetadataReader } from './metadata-reader.ts';
import { existingBucket } from './read-object.ts';
import type { BucketRow } from '../schema/rows.ts';

/** Returns the bucket's CORS rules. Throws `NoSuchCORSConfiguration` if the bucket has none. */
export function readCors(reader: MetadataReader, { bucketId, name }: BucketRow): CorsConfiguration {
  const cors = reader.buckets.config(bucketId, 'cors') as CorsConfiguration | undefined;
  if (cors !== undefined) return cors;
  throw notSet('NoSuchCORSConfiguration', name, 'CORS rules');
}

/** Returns the bucket's website configuration. Throws `NoSuchWebsiteConfiguration` if the bucket has none. */
export function readWebsite(
  reader: MetadataReader,
  { bucketId, name }: BucketRow,
): WebsiteConfiguration {
  const website = reader.buckets.config(bucketId, 'website') as WebsiteConfiguration | undefined;
  if (website !== undefined) return website;
  throw notSet('NoSuchWebsiteConfiguration', name, 'website configuration');
}

function notSet(code: StorageErrorCode, bucket: string, what: string): StorageError {
  return new StorageError(code, `read ${what} of bucket ${bucket}: the bucket has no ${what}`, {
    details: { BucketName: bucket },
  });
}

export function browserConfig(reader: MetadataReader): BrowserConfig {
  return {
    corsRules: (name) => {
      const bucketId = reader.buckets.bucketId(name);
      const cors = bucketId === undefined ? undefined : reader.buckets.config(bucketId, 'cors');
      return (cors as CorsConfiguration | undefined)?.rules ?? [];
    },
    website: (name) => readWebsite(reader, existingBucket(reader, name)),
  };
}
