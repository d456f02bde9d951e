/** Formats and parses tags as the database stores them: JSON arrays of pairs of key and value. */

import { isStorageError, StorageError } from '../../object-store/storage-error.ts';
import type { Tag } from '../../object-store/tags.ts';

/** Returns the value to store: JSON, or null in the common case of an empty list. */
export function formatTags(tags: readonly Tag[]): string | null {
  if (tags.length === 0) return null;
  return JSON.stringify(tags.map(({ key, value }) => [key, value]));
}

/** Returns the stored tags. Throws `InternalError` if the text cannot be parsed. */
export function parseTags(text: string | null): readonly Tag[] {
  if (text === null) return [];
  try {
    const pairs = JSON.parse(text) as readonly (readonly [key: string, value: string])[];
    return pairs.map(([key, value]) => ({ key, value }));
  } catch (cause) {
    throw new StorageError('InternalError', 'read tags: the store is damaged', { cause });
  }
}

/**
 * Returns the stored tags, or no tags if the text cannot be parsed. Without tags, no lifecycle rule with a tag filter
 * applies to the version.
 */
export function knownTags(text: string | null): readonly Tag[] {
  try {
    return parseTags(text);
  } catch (error) {
    if (isStorageError(error)) return [];
    throw error;
  }
}
