/** Formats and parses tags as the database stores them: JSON arrays of key and value. */

import { isStorageError, StorageError } from '../../object-store/storage-error.ts';
import type { Tag } from '../../object-store/tags.ts';

/** Returns the value to store: JSON, or null for an empty list, which is the usual case. */
export function formatTags(tags: readonly Tag[]): string | null {
  if (tags.length === 0) return null;
  return JSON.stringify(tags.map(({ key, value }) => [key, value]));
}

/** Returns the stored tags. Throws `InternalError` if they cannot be parsed. */
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
 * Returns the stored tags, or none if they cannot be parsed: then no lifecycle rule that requires a tag applies to the
 * version.
 */
export function knownTags(text: string | null): readonly Tag[] {
  try {
    return parseTags(text);
  } catch (error) {
    if (isStorageError(error)) return [];
    throw error;
  }
}
