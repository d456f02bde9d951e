/**
 * Parses and formats ACL grants in the syntax of the command line: `read:films@umbrella`, `write:authenticated`,
 * `full:everyone`.
 */

import type { Result } from '../../src/control/messages.ts';

type Permission = Result<'acl.get'>['grants'][number]['permission'];

const RIGHTS: Readonly<Record<string, Permission>> = {
  read: 'READ',
  write: 'WRITE',
  'read-acl': 'READ_ACP',
  'write-acl': 'WRITE_ACP',
  full: 'FULL_CONTROL',
};
const GROUPS: Readonly<Record<string, string>> = {
  everyone: 'AllUsers',
  authenticated: 'AuthenticatedUsers',
};
const EMAIL = 'email:';

export const GRANT_HELP =
  'RIGHT:WHOM: read, write, read-acl, write-acl or full; PROJECT@CUSTOMER, PROJECT:USER@CUSTOMER, email:ADDRESS, authenticated or everyone';

interface AskedGrant {
  readonly grantee?: string;
  readonly emailAddress?: string;
  readonly permission: Permission;
}

/** Parses a typed grant. Returns undefined if the text is not a valid grant. */
export function grantOf(typed: string): AskedGrant | undefined {
  const text = typed.trim();
  const colon = text.indexOf(':');
  const right = text.slice(0, Math.max(0, colon));
  const permission = Object.hasOwn(RIGHTS, right) ? RIGHTS[right] : undefined;
  const whom = text.slice(colon + 1);
  if (permission === undefined || whom === '') return undefined;
  if (whom.startsWith(EMAIL)) return { emailAddress: whom.slice(EMAIL.length), permission };
  if (Object.hasOwn(GROUPS, whom)) return { grantee: GROUPS[whom] ?? whom, permission };
  return whom.includes('@') ? { grantee: whom, permission } : undefined;
}

/** Returns the grant as text. The text must be escaped before it is drawn. */
export function grantText({
  grantee,
  permission,
}: {
  grantee: string;
  permission: string;
}): string {
  return `${nameOf(RIGHTS, permission)}:${nameOf(GROUPS, grantee)}`;
}

function nameOf(names: Readonly<Record<string, string>>, value: string): string {
  return Object.keys(names).find((name) => names[name] === value) ?? value;
}
