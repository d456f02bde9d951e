/** Tags as they are stored: JSON of pairs. */

import { isStorageError, StorageError } from '../../object-store/storage-error.ts';
import type { Tag } from '../../object-store/tags.ts';

/** NULL where there are none, as is most often so. */
export function formatTags(tags: readonly Tag[]): string | null {
  if (tags.length === 0) return null;
  return JSON.stringify(tags.map(({ key, value }) => [key, value]));
}

/** Throws `InternalError`. */
export function parseTags(text: string | null): readonly Tag[] {
  if (text === null) return [];
  try {
    const pairs = JSON.parse(text) as readonly (readonly [key: string, value: string])[];
    return pairs.map(([key, value]) => ({ key, value }));
  } catch (cause) {
    throw new StorageError('InternalError', 'read tags: the store is damaged', { cause });
  }
}

/** A rule that asks for a tag is for no version whose tags cannot be read. */
export function knownTags(text: string | null): readonly Tag[] {
  try {
    return parseTags(text);
  } catch (error) {
    if (isStorageError(error)) return [];
    throw error;
  }
}
