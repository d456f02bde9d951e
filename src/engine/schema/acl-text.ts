/** Formats and parses ACLs as the database stores them: JSON arrays of pairs of grantee and permission. */

import type { Grant, Permission } from '../../object-store/rules/access/acl.ts';
import type { PublicAccessBlock } from '../../object-store/rules/access/public-access.ts';
import { StorageError } from '../../object-store/storage-error.ts';

/** Returns the value to store: JSON, or null for an ACL that grants nothing except to the owner. */
export function formatAcl(grants: readonly Grant[] | undefined): string | null {
  if (grants === undefined) return null;
  return JSON.stringify(grants.map(({ grantee, permission }) => [grantee, permission]));
}

/**
 * A cache of parsed ACLs, one in each thread. Each read needs an ACL, but the objects of a bucket have few different
 * ACLs.
 */
const parsed = new Map<string, readonly Grant[]>();
const MAX_PARSED = 256;

/** Returns the grants of a stored ACL, or undefined for null. Throws `InternalError` if the text is not valid JSON. */
export function parseAcl(text: string | null): readonly Grant[] | undefined {
  if (text === null) return undefined;
  const known = parsed.get(text);
  if (known) return known;
  const pairs = parse(text) as readonly (readonly [grantee: string, permission: Permission])[];
  const grants = pairs.map(([grantee, permission]) => ({ grantee, permission }));
  if (parsed.size >= MAX_PARSED) parsed.clear();
  parsed.set(text, grants);
  return grants;
}

/**
 * Returns the stored public access block, or undefined for null. Throws `InternalError` if the text is not valid JSON.
 */
export function parsePublicAccessBlock(text: string | null): PublicAccessBlock | undefined {
  return text === null ? undefined : (parse(text) as PublicAccessBlock);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new StorageError('InternalError', 'read permissions: the store is damaged', { cause });
  }
}
