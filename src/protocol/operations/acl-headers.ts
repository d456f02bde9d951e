/**
 * Reads and writes ACL headers. They contain either the name of a canned ACL or a list of grantees for each permission
 * (semantics B.5).
 */

import type { AclRequest, EmailGrant } from '../../object-store/access.ts';
import {
  type Grant,
  GROUPS,
  isGroup,
  type Permission,
} from '../../object-store/rules/access/acl.ts';
import { CANNED_ACLS, type CannedAcl } from '../../object-store/rules/access/canned-acl.ts';
import { StorageError } from '../../object-store/storage-error.ts';
import { headerText, words } from '../codecs.ts';
import { invalidArgument, type MessageReader, type Part } from '../message.ts';

export type AnyGrant = EmailGrant | Grant;

/** The ways to identify a grantee. Exactly one of `id`, `uri` and `emailAddress` is present. */
export interface GranteeNames {
  readonly id?: string;
  readonly displayName?: string;
  readonly uri?: string;
  readonly emailAddress?: string;
}

const GROUP_URI = 'http://acs.amazonaws.com/groups/global/';

/** Returns the predefined group that a URI identifies. Throws InvalidArgument for an unknown URI. */
export function groupOf(uri: string): Grant['grantee'] {
  const group = GROUPS.find((each) => uri === GROUP_URI + each);
  if (group !== undefined) return group;
  throw new StorageError('InvalidArgument', 'read access control list: Invalid group uri', {
    details: { ArgumentName: 'URI', ArgumentValue: uri },
  });
}

/**
 * Returns `id` as a user or project ID. Throws InvalidArgument for the name of a group, because only a URI can identify
 * a group. So a user ID cannot be mistaken for a group.
 */
export function userOrProject(id: string): Grant['grantee'] {
  if (!isGroup(id)) return id;
  throw new StorageError('InvalidArgument', 'read access control list: Invalid id', {
    details: { ArgumentName: 'CanonicalUser/ID', ArgumentValue: id },
  });
}

export function granteeNames(value: AnyGrant): GranteeNames {
  if ('emailAddress' in value) return { emailAddress: value.emailAddress };
  const { grantee: id } = value;
  return isGroup(id) ? { uri: GROUP_URI + id } : { id, displayName: id };
}

const PERMISSION_HEADERS: readonly (readonly [permission: Permission, suffix: string])[] = [
  ['READ', 'grant-read'],
  ['WRITE', 'grant-write'],
  ['READ_ACP', 'grant-read-acp'],
  ['WRITE_ACP', 'grant-write-acp'],
  ['FULL_CONTROL', 'grant-full-control'],
];

const cannedAcl = words(...CANNED_ACLS);

function readHeaders(reader: MessageReader): AclRequest | undefined {
  const canned = readCanned(reader);
  const grants = PERMISSION_HEADERS.flatMap(([permission, suffix]) => {
    const written = reader.vendor(suffix);
    return written === undefined ? [] : readGrantees(suffix, written, permission);
  });
  if (canned === undefined) return grants.length === 0 ? undefined : { grants };
  if (grants.length === 0) return { canned };
  throw new StorageError(
    'InvalidRequest',
    'Specifying both Canned ACLs and Header Grants is not allowed',
  );
}

function readCanned(reader: MessageReader): CannedAcl | undefined {
  const written = reader.vendor('acl');
  if (written === undefined) return undefined;
  const canned = cannedAcl.decode(written);
  if (canned !== undefined) return canned;
  throw invalidArgument('acl', written, `it must be one of ${CANNED_ACLS.join(', ')}`);
}

/**
 * Matches one grantee of `id="p1@c1", uri="http://…/AllUsers", emailAddress=p1@example.com`, with or without quotes. No
 * two adjacent repetitions match the same characters, so that matching does not backtrack. Otherwise rejecting a header
 * full of spaces, which anonymous callers can send, could take a second.
 */
const GRANTEE = /[ \t]*(id|uri|emailAddress)[ \t]*=(?:[ \t]*"([^"]*)"[ \t]*|([^",]*))(?:,|$)/iy;

function readGrantees(
  suffix: string,
  written: string,
  permission: Permission,
): readonly AnyGrant[] {
  const grants: AnyGrant[] = [];
  GRANTEE.lastIndex = 0;
  do {
    const [, kind, quoted, plain] = GRANTEE.exec(written) ?? [];
    const name = quoted === undefined ? textOf(plain).trim() : textOf(quoted);
    if (kind === undefined || name === '') {
      throw invalidArgument(
        suffix,
        written,
        'a grantee must be id="…", uri="…" or emailAddress="…"',
      );
    }
    grants.push(namedGrant(kind.toLowerCase(), name, permission));
  } while (GRANTEE.lastIndex < written.length);
  return grants;
}

function textOf(bytes = ''): string {
  return headerText.decode(bytes) ?? '';
}

function namedGrant(kind: string, name: string, permission: Permission): AnyGrant {
  if (kind === 'emailaddress') return { emailAddress: name, permission };
  return { grantee: kind === 'uri' ? groupOf(name) : userOrProject(name), permission };
}

function writeGrantee(value: AnyGrant): string {
  const { id, uri, emailAddress } = granteeNames(value);
  const [kind, name] =
    uri !== undefined
      ? ['uri', uri]
      : id !== undefined
        ? ['id', id]
        : ['emailAddress', emailAddress];
  return `${kind}="${headerText.encode(name ?? '')}"`;
}

export interface WithAcl {
  readonly acl?: AclRequest | undefined;
}

/** The ACL headers of requests that create a bucket or an object. */
export const acl: Part<WithAcl> = {
  encode: (message, writer) => {
    const { acl: requested } = message;
    if (requested === undefined) return;
    if ('canned' in requested) return writer.vendor('acl', requested.canned);
    for (const [permission, suffix] of PERMISSION_HEADERS) {
      const grants = requested.grants.filter((each) => each.permission === permission);
      if (grants.length > 0) writer.vendor(suffix, grants.map(writeGrantee).join(', '));
    }
  },
  decode: (reader, into) => {
    const requested = readHeaders(reader);
    if (requested !== undefined) into.acl = requested;
  },
};
