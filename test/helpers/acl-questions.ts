/** Tests that every operation with an ACL refuses invalid ACLs in headers and in the XML body. */

import { GRANTEES } from './wire-bench.ts';
import type { Given, RefusalRow, Wire } from './wire.ts';

const argument = (name: string, value: string) => ({
  status: 400,
  Code: 'InvalidArgument',
  ArgumentName: name,
  ArgumentValue: value,
});

/**
 * Returns test rows with invalid ACL headers and the expected errors. `line` is the request line of
 * a request that succeeds with the parts in `given`.
 */
export function badAclHeaders(line: string, given: Given = {}): RefusalRow[] {
  const rows: readonly (readonly [string, Record<string, string>, RefusalRow[3]])[] = [
    ['an unknown canned ACL', { acl: 'log-delivery-write' }, argument('acl', 'log-delivery-write')],
    ['a canned ACL in capitals', { acl: 'Private' }, argument('acl', 'Private')],
    ['an empty canned ACL', { acl: '' }, argument('acl', '')],
    [
      'both a canned ACL and grants',
      { acl: 'private', 'grant-read': `id="${GRANTEES.project}"` },
      { status: 400, Code: 'InvalidRequest' },
    ],
    ['a grantee without its type', { 'grant-read': 'p2@c1' }, argument('grant-read', 'p2@c1')],
    ['an empty grant', { 'grant-write-acp': '' }, argument('grant-write-acp', '')],
    ['an unterminated grant', { 'grant-read': 'id="p2@c1' }, argument('grant-read', 'id="p2@c1')],
    [
      'an invalid second grantee',
      { 'grant-read': 'id="p2@c1", x' },
      argument('grant-read', 'id="p2@c1", x'),
    ],
    [
      'an unsupported group',
      { 'grant-read': 'uri="http://acs.amazonaws.com/groups/s3/LogDelivery"' },
      argument('URI', 'http://acs.amazonaws.com/groups/s3/LogDelivery'),
    ],
    ['an invalid grantee id', { 'grant-read': 'id="abc"' }, argument('CanonicalUser/ID', 'abc')],
    [
      'a group name as a grantee id',
      { 'grant-read': 'id="AllUsers"' },
      argument('CanonicalUser/ID', 'AllUsers'),
    ],
    ['an unknown project', { 'grant-read': 'id="p9@c1"' }, argument('CanonicalUser/ID', 'p9@c1')],
    [
      'an unknown user',
      { 'grant-full-control': 'id="p2:nobody@c1"' },
      argument('CanonicalUser/ID', 'p2:nobody@c1'),
    ],
    [
      'an unknown e-mail address',
      { 'grant-read': 'emailAddress="p2@c1"' },
      { status: 400, Code: 'UnresolvableGrantByEmailAddress', EmailAddress: 'p2@c1' },
    ],
    [
      '101 grants',
      { 'grant-read': Array<string>(101).fill('id="p2@c1"').join() },
      { status: 400, Code: 'LimitExceeded' },
    ],
  ];
  return rows.map(([claim, headers, refusal]) => {
    const named = Object.entries(headers).map(([name, value]) => [`x-*-${name}`, value] as const);
    const asked = { ...given, headers: { ...given.headers, ...Object.fromEntries(named) } };
    return [`[acl-20] ${claim}`, line, asked, refusal];
  });
}

/**
 * Returns the XML in which GetBucketAcl and GetObjectAcl return an ACL. The test user is the owner.
 */
export function shownAcl(
  grants: readonly (readonly [grantee: string, permission: string])[],
): string {
  const xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
  const shown = grants.map(([grantee, permission]) => {
    const isGroup = !grantee.includes('@');
    const name = isGroup
      ? `<URI>http://acs.amazonaws.com/groups/global/${grantee}</URI>`
      : `<ID>${grantee}</ID><DisplayName>${grantee}</DisplayName>`;
    const type = isGroup ? 'Group' : 'CanonicalUser';
    return `<Grant><Grantee ${xsi} xsi:type="${type}">${name}</Grantee><Permission>${permission}</Permission></Grant>`;
  });
  return `<Owner><ID>p1:ada@c1</ID><DisplayName>p1:ada@c1</DisplayName></Owner><AccessControlList>${shown.join('')}</AccessControlList>`;
}

/** Returns a request body: an AccessControlPolicy document that contains `inside`. */
export function aclDocument(inside: string): Given {
  return { body: `<AccessControlPolicy xmlns="urn:x">${inside}</AccessControlPolicy>` };
}

export const READ_FOR_ALL =
  '<AccessControlList><Grant><Grantee><URI>http://acs.amazonaws.com/groups/global/AllUsers</URI></Grantee><Permission>READ</Permission></Grant></AccessControlList>';

/** Returns test rows with malformed or invalid XML bodies and the expected errors. `line` is a request line. */
export function badAclDocuments(line: string): RefusalRow[] {
  const grant = (grantee: string, permission = 'READ') =>
    `<Grant><Grantee>${grantee}</Grantee><Permission>${permission}</Permission></Grant>`;
  const list = (inside: string) => aclDocument(`<AccessControlList>${inside}</AccessControlList>`);
  const malformed = { status: 400, Code: 'MalformedACLError' };
  const rows: readonly (readonly [string, Given, RefusalRow[3]])[] = [
    ['neither a canned ACL nor an XML body', {}, malformed],
    ['an empty body', { body: '' }, malformed],
    ['a body that is not XML', { body: 'x' }, malformed],
    ['an XML document with another root element', { body: '<AccessControlList/>' }, malformed],
    ['an incomplete XML document', { body: '<AccessControlPolicy>' }, malformed],
    ['no AccessControlList', aclDocument(''), malformed],
    [
      'two AccessControlList elements',
      aclDocument('<AccessControlList/><AccessControlList/>'),
      malformed,
    ],
    ['an unknown XML element', aclDocument('<AccessControlList/><Grants/>'), malformed],
    ['a grant without a grantee', list('<Grant><Permission>READ</Permission></Grant>'), malformed],
    [
      'a grant without a permission',
      list('<Grant><Grantee><ID>p2@c1</ID></Grantee></Grant>'),
      malformed,
    ],
    ['an unknown permission', list(grant('<ID>p2@c1</ID>', 'DELETE')), malformed],
    [
      'two permissions',
      list(grant('<ID>p2@c1</ID>', 'READ</Permission><Permission>WRITE')),
      malformed,
    ],
    ['an empty grantee', list(grant('')), malformed],
    ['a grantee with both ID and URI', list(grant('<ID>p2@c1</ID><URI>x</URI>')), malformed],
    [
      'an XML entity declaration',
      { body: `<!DOCTYPE a [<!ENTITY b "p2@c1">]><AccessControlPolicy>&b;</AccessControlPolicy>` },
      malformed,
    ],
    ['an undeclared XML entity', list(grant('<ID>&b;</ID>')), malformed],
    ['an unsupported group', list(grant('<URI>http://x/y</URI>')), argument('URI', 'http://x/y')],
    ['an invalid grantee id', list(grant('<ID>abc</ID>')), argument('CanonicalUser/ID', 'abc')],
    ['an empty id', list(grant('<ID></ID>')), argument('CanonicalUser/ID', '')],
    ['an unknown project', list(grant('<ID>p9@c1</ID>')), argument('CanonicalUser/ID', 'p9@c1')],
    [
      'an unknown e-mail address',
      list(grant('<EmailAddress>a@b</EmailAddress>')),
      { status: 400, Code: 'UnresolvableGrantByEmailAddress', EmailAddress: 'a@b' },
    ],
    [
      '101 grants',
      list(grant('<ID>p2@c1</ID>').repeat(101)),
      { status: 400, Code: 'LimitExceeded' },
    ],
    [
      'another owner',
      aclDocument('<Owner><ID>p2:eve@c1</ID></Owner><AccessControlList/>'),
      { status: 403, Code: 'AccessDenied' },
    ],
    [
      'both ACL headers and an XML body',
      { ...aclDocument(READ_FOR_ALL), headers: { 'x-*-acl': 'private' } },
      { status: 400, Code: 'UnexpectedContent' },
    ],
    [
      'a body of more than 1 MiB',
      list(' '.repeat(1024 * 1024)),
      { status: 400, Code: 'MaxMessageLengthExceeded' },
    ],
  ];
  return rows.map(([claim, given, refusal]) => [`[acl-21] ${claim}`, line, given, refusal]);
}

/**
 * Defines tests that send the request once with each invalid ACL, in headers and in the XML body,
 * and expect an error.
 */
export function refusesBadAcls(wire: Wire, line: string, setUp?: () => Promise<void>): void {
  wire.refuses([...badAclHeaders(line), ...badAclDocuments(line)], setUp);
}
