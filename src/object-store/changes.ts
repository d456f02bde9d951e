/** Applies changes to an object's attributes and tags. */

import type { ObjectAttributes } from './object-store.ts';
import { StorageError } from './storage-error.ts';
import type { Tag } from './tags.ts';

export interface AttributeChanges extends ObjectAttributes {
  /** The attributes to remove. `metadata.NAME` names a user attribute. */
  readonly remove?: readonly string[];
}

const OWN = 'metadata.';

/**
 * Returns the attributes after the changes. The names of user attributes must be in lowercase. Throws `InvalidArgument`
 * if an attribute to remove does not exist.
 */
export function changedAttributes(
  before: ObjectAttributes,
  { remove = [], ...changes }: AttributeChanges,
): ObjectAttributes {
  const metadata: Record<string, string> = { ...before.metadata, ...changes.metadata };
  const standard: Record<string, unknown> = { ...before, ...changes };
  for (const name of remove) {
    const [from, member] = name.startsWith(OWN)
      ? [metadata, name.slice(OWN.length)]
      : [standard, name];
    if (!Object.hasOwn(from, member)) {
      throw new StorageError(
        'InvalidArgument',
        `cannot remove ${name}: the object has no such attribute`,
      );
    }
    delete from[member];
  }
  const { metadata: _, ...rest } = standard;
  return Object.keys(metadata).length === 0 ? rest : { ...rest, metadata };
}

export interface TagChanges {
  readonly set: readonly Tag[];
  /** The keys of the tags to remove. `all` removes all tags except those in `set`. */
  readonly remove: readonly string[] | 'all';
}

/** Returns the tags after the changes. A tag whose value changes keeps its position, and new tags are appended. */
export function changedTags(before: readonly Tag[], { set, remove }: TagChanges): readonly Tag[] {
  const kept = remove === 'all' ? [] : before.filter(({ key }) => !remove.includes(key));
  const tags = new Map(kept.map(({ key, value }) => [key, value]));
  for (const { key, value } of set) tags.set(key, value);
  return [...tags].map(([key, value]) => ({ key, value }));
}
