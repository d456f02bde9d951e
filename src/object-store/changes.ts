/** Attributes and tags as they are, with some of them changed. */

import type { ObjectAttributes } from './object-store.ts';
import { StorageError } from './storage-error.ts';
import type { Tag } from './tags.ts';

export interface AttributeChanges extends ObjectAttributes {
  /** Attributes that are to go; `metadata.NAME` for one of the user's own. */
  readonly remove?: readonly string[];
}

const OWN = 'metadata.';

/** Names are lower case, as in the port. Throws `InvalidArgument` when one is to be removed that is not there. */
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
  /** `all`: but for those that are set. */
  readonly remove: readonly string[] | 'all';
}

/** What is set takes the place of what has the same key; else it comes last. */
export function changedTags(before: readonly Tag[], { set, remove }: TagChanges): readonly Tag[] {
  const kept = remove === 'all' ? [] : before.filter(({ key }) => !remove.includes(key));
  const tags = new Map(kept.map(({ key, value }) => [key, value]));
  for (const { key, value } of set) tags.set(key, value);
  return [...tags].map(([key, value]) => ({ key, value }));
}
