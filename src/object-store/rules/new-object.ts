/**
 * Validates the key, the attributes and the tags of a new object. All operations that create an
 * object use it.
 */

import type { ObjectAttributes } from '../object-store.ts';
import type { Tag } from '../tags.ts';
import { checkMetadata } from './metadata.ts';
import { checkKey } from './naming.ts';
import type { Quotas } from './quota.ts';
import { checkObjectTags } from './tags.ts';

interface NewObject {
  readonly key: string;
  readonly attributes?: ObjectAttributes | undefined;
  readonly tags?: readonly Tag[] | undefined;
}

/**
 * Validates a new object. Throws the errors of `checkKey`, `checkMetadata` and `checkObjectTags`.
 */
export function checkNewObject(
  { key, attributes, tags }: NewObject,
  { keyBytes, tagsPerObject }: Quotas,
): void {
  checkKey(key, keyBytes);
  checkMetadata(attributes);
  checkObjectTags(tags, tagsPerObject);
}
