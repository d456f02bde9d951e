/** Sets or removes the tags of an existing version. A locked version can be tagged too. */

import { defined } from '../../../base/defined.ts';
import { allow } from '../../access/access.ts';
import type { CommandContext, PutObjectTags, TaggedVersion } from './commands.ts';
import { visibleVersionId } from '../../schema/object-info.ts';
import type { WriteTables } from '../tables/write-tables.ts';
import { formatTags } from '../../schema/tag-text.ts';
import { existingVersion, findVersion } from '../../schema/version-lookup.ts';
import { askedOfTags } from '../../access/write-access.ts';
import { existingBucket } from './put-version.ts';

const VERBS = {
  put: { current: 'PutObjectTagging', version: 'PutObjectVersionTagging' },
  delete: { current: 'DeleteObjectTagging', version: 'DeleteObjectVersionTagging' },
} as const;

export function putObjectTags(
  tables: WriteTables,
  { tags, ...ref }: PutObjectTags,
  { caller }: CommandContext,
): TaggedVersion {
  const bucket = existingBucket(tables, ref.bucket);
  const found = findVersion(tables.versions.find, bucket.bucketId, ref);
  const verb = VERBS[tags === undefined ? 'delete' : 'put'];
  const action = ref.versionId === undefined ? verb.current : verb.version;
  const asked = () => ({ ...askedOfTags(tags), 's3:versionid': ref.versionId });
  allow(caller, bucket, { action, key: ref.key, version: found, asked });
  const row = existingVersion('tag', ref, found);
  tables.versions.setTags(bucket.bucketId, ref.key, row, formatTags(tags ?? []));
  return defined({ versionId: visibleVersionId(bucket, row, ref.versionId) });
}
