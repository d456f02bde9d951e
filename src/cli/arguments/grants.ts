/**
 * Parses and formats the grants of an ACL, such as `read:films@umbrella`, `write:authenticated` and
 * `full:photos:ann@acme`.
 */

import type { Result } from '../../control/messages.ts';
import { usageError } from '../output/command-error.ts';
import { visible } from '../output/text.ts';

type Grant = Result<'acl.get'>['grants'][number];

export interface AskedGrant {
  readonly grantee?: string;
  readonly emailAddress?: string;
  readonly permission: Grant['permission'];
}

const RIGHTS: Readonly<Record<string, Grant['permission']>> = {
  read: 'READ',
  write: 'WRITE',
  'read-acl': 'READ_ACP',
  'write-acl': 'WRITE_ACP',
  full: 'FULL_CONTROL',
};

/** The predefined groups, by their names on the command line. */
const GROUPS: Readonly<Record<string, string>> = {
  everyone: 'AllUsers',
  authenticated: 'AuthenticatedUsers',
};

const EMAIL = 'email:';

/** Parses `PERMISSION:GRANTEE`. Throws a usage error. */
export function parseGrant(text: string): AskedGrant {
  const colon = text.indexOf(':');
  const permission = Object.hasOwn(RIGHTS, text.slice(0, colon)) && RIGHTS[text.slice(0, colon)];
  const whom = text.slice(colon + 1);
  if (colon < 0 || !permission) {
    const rights = Object.keys(RIGHTS).join(', ');
    throw usageError(
      `invalid grant "${text}": it must begin with one of ${rights}`,
      'write RIGHT:WHOM',
    );
  }
  if (whom.startsWith(EMAIL)) return { emailAddress: whom.slice(EMAIL.length), permission };
  const group = Object.hasOwn(GROUPS, whom) ? GROUPS[whom] : undefined;
  if (group !== undefined) return { grantee: group, permission };
  if (whom.includes('@')) return { grantee: whom, permission };
  throw usageError(
    `invalid grant "${text}": "${whom}" is not a valid grantee`,
    'whom: PROJECT@CUSTOMER, PROJECT:USER@CUSTOMER, email:ADDRESS, authenticated or everyone',
  );
}

/** Returns the command-line name of a permission, such as `read-acl` for `READ_ACP`. */
export function rightText(permission: Grant['permission']): string {
  return nameOf(RIGHTS, permission) ?? permission;
}

/** Returns the command-line name of a predefined group. Returns any other grantee with control characters escaped. */
export function whomText(grantee: string): string {
  return nameOf(GROUPS, grantee) ?? visible(grantee);
}

function nameOf(names: Readonly<Record<string, string>>, value: string): string | undefined {
  return Object.keys(names).find((name) => names[name] === value);
}
