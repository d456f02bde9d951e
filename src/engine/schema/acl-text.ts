/** ACLs as stored: JSON of pairs. */

import type { Grant, Permission } from '../../object-store/rules/access/acl.ts';
import type { PublicAccessBlock } from '../../object-store/rules/access/public-access.ts';
import { StorageError } from '../../object-store/storage-error.ts';

/** NULL for an ACL with grants only to the owner. */
export function formatAcl(grants: readonly Grant[] | undefined): string | null {
  if (grants === undefined) return null;
  return JSON.stringify(grants.map(({ grantee, permission }) => [grantee, permission]));
}

/** Cache of each thread: the objects of a bucket have few different ACLs, and each read needs one. */
const parsed = new Map<string, readonly Grant[]>();
const MAX_PARSED = 256;

/** Throws `InternalError`. */
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

/** Throws `InternalError`. */
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
