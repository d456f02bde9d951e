/** Validates the tags of objects and buckets (specification, "Tag"; semantics B.16). */

import { StorageError, type StorageErrorDetails } from '../storage-error.ts';
import type { Tag } from '../tags.ts';
import { compareUtf8 } from './listing.ts';

/** The maximum number of tags of an object version (specification, "Limits"). */
export const MAX_OBJECT_TAGS = 10;
const MAX_BUCKET_TAGS = 50;

/**
 * The maximum lengths of a tag's key and value. They are counted in code points, not in bytes or
 * UTF-16 code units.
 */
const MAX_TAG_KEY_CHARACTERS = 128;
const MAX_TAG_VALUE_CHARACTERS = 256;

const ALLOWED = /^[\p{L}\p{N}\p{Z}+\-=._:/@]*$/u;
/** Matches the prefix of system tags, in any case. */
const RESERVED = /^aws:/i;

/** Throws `InvalidTag` if an object cannot have these tags. */
export function checkObjectTags(tags: readonly Tag[] | undefined, maxTags = MAX_OBJECT_TAGS): void {
  if (tags !== undefined) checkTags(tags, maxTags);
}

/** Throws `InvalidTag` if a bucket cannot have these tags. */
export function checkBucketTags(tags: readonly Tag[]): void {
  checkTags(tags, MAX_BUCKET_TAGS);
}

/** Returns the tags sorted by the UTF-8 bytes of their keys, as S3 and Ceph RGW return them. */
export function sortedTags(tags: readonly Tag[]): readonly Tag[] {
  return tags.toSorted((one, other) => compareUtf8(one.key, other.key));
}

function checkTags(tags: readonly Tag[], maxTags: number): void {
  if (tags.length > maxTags) {
    throw invalidTag(`there are ${tags.length} tags; the limit is ${maxTags}`, {
      MaxTagsAllowed: maxTags,
    });
  }
  const keys = new Set<string>();
  for (const tag of tags) {
    checkTag(tag);
    if (keys.has(tag.key)) {
      throw invalidTag('Cannot provide multiple Tags with the same key', { TagKey: tag.key });
    }
    keys.add(tag.key);
  }
}

function checkTag({ key, value }: Tag): void {
  const details = { TagKey: key.slice(0, MAX_TAG_KEY_CHARACTERS).toWellFormed() };
  if (key === '') throw invalidTag('a key must not be empty', details);
  if (characters(key) > MAX_TAG_KEY_CHARACTERS) {
    throw invalidTag(`a key must have at most ${MAX_TAG_KEY_CHARACTERS} characters`, details);
  }
  if (characters(value) > MAX_TAG_VALUE_CHARACTERS) {
    throw invalidTag(`a value must have at most ${MAX_TAG_VALUE_CHARACTERS} characters`, details);
  }
  if (RESERVED.test(key)) throw invalidTag('a key must not begin with aws:', details);
  // The pattern also rejects text that is not well-formed Unicode, because a lone surrogate is not
  // a letter.
  if (ALLOWED.test(key) && ALLOWED.test(value)) return;
  throw invalidTag('only letters, digits, spaces and + - = . _ : / @ are allowed', details);
}

function characters(text: string): number {
  return Array.from(text).length;
}

function invalidTag(reason: string, details: StorageErrorDetails = {}): StorageError {
  return new StorageError('InvalidTag', `tag: ${reason}`, { details });
}
