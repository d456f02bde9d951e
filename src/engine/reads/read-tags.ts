/** Reads the tags of a version or a bucket. */

import { defined } from '../../base/defined.ts';
import type { Caller } from '../../object-store/caller.ts';
import type { ObjectRef } from '../../object-store/object-store.ts';
import { checkKey } from '../../object-store/rules/naming.ts';
import { sortedTags } from '../../object-store/rules/tags.ts';
import { StorageError } from '../../object-store/storage-error.ts';
import type { ObjectTags, Tag } from '../../object-store/tags.ts';
import { allow } from '../access/access.ts';
import type { MetadataReader } from './metadata-reader.ts';
import { visibleVersionId } from '../schema/object-info.ts';
import { existingBucket } from './read-object.ts';
import type { BucketRow } from '../schema/rows.ts';
import { parseTags } from '../schema/tag-text.ts';
import { existingVersion, findVersion } from '../schema/version-lookup.ts';

export function readObjectTags(reader: MetadataReader, caller: Caller, ref: ObjectRef): ObjectTags {
  const bucket = existingBucket(reader, ref.bucket);
  checkKey(ref.key);
  const version = findVersion(reader.versions, bucket.bucketId, ref);
  const action = ref.versionId === undefined ? 'GetObjectTagging' : 'GetObjectVersionTagging';
  const asked = () => ({ 's3:versionid': ref.versionId });
  allow(caller, bucket, { action, key: ref.key, version, asked });
  const row = existingVersion('read tags of', ref, version);
  return defined({
    tags: sortedTags(parseTags(row.tags)),
    versionId: visibleVersionId(bucket, row, ref.versionId),
  });
}

export function readBucketTags(
  reader: MetadataReader,
  { bucketId, name }: BucketRow,
): readonly Tag[] {
  const tags = reader.buckets.config(bucketId, 'tagging') as readonly Tag[] | undefined;
  if (tags !== undefined) return sortedTags(tags);
  throw new StorageError('NoSuchTagSet', `read tags of bucket ${name}: the bucket has no tags`, {
    details: { BucketName: name },
  });
}
