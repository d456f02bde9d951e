/**
 * Defines the operations GetBucketAcl, PutBucketAcl, GetObjectAcl and PutObjectAcl. A client sends an ACL either in
 * headers or in an XML body (specification, "Access rights (ACL)"; semantics B.5).
 */

import { defined } from '../../base/defined.ts';
import type { AccessControlList, AclRequest } from '../../object-store/access.ts';
import type { ObjectRef } from '../../object-store/object-store.ts';
import { type Permission, PERMISSIONS } from '../../object-store/rules/access/acl.ts';
import { isStorageError, StorageError } from '../../object-store/storage-error.ts';
import { text, words } from '../codecs.ts';
import { type Part, query } from '../message.ts';
import { document } from '../xml/document.ts';
import { writeElement } from '../xml/element.ts';
import { malformedXml } from '../xml/parse.ts';
import { closed, type Field, leaf, many, optional, required, type Schema } from '../xml/schema.ts';
import {
  acl,
  type AnyGrant,
  granteeNames,
  type GranteeNames,
  groupOf,
  userOrProject,
  type WithAcl,
} from './acl-headers.ts';
import { type BucketInput, type Nothing, ownerSchema } from './buckets.ts';
import {
  MAX_REQUEST_TAGS,
  type Operation,
  type RequestDocument,
  responseDocument,
} from './operation.ts';

interface AclInput {
  readonly acl: AclRequest;
}

export interface PutBucketAclInput extends BucketInput, AclInput {}
export interface PutObjectAclInput extends ObjectRef, AclInput {}

const granteeElement = closed<GranteeNames>({
  id: optional('ID', leaf(text)),
  displayName: optional('DisplayName', leaf(text)),
  uri: optional('URI', leaf(text)),
  emailAddress: optional('EmailAddress', leaf(text)),
});

const XSI = 'http://www.w3.org/2001/XMLSchema-instance';

/**
 * The `Grantee` element. The attribute `xsi:type` is written because clients expect it. Parsing ignores the attribute
 * and derives the type from the child elements.
 */
const grantee: Field<GranteeNames> = {
  ...required('Grantee', granteeElement),
  write: (value) => {
    if (value === undefined) return '';
    const type =
      value.uri !== undefined
        ? 'Group'
        : value.id !== undefined
          ? 'CanonicalUser'
          : 'AmazonCustomerByEmail';
    const attributes = [
      ['xmlns:xsi', XSI],
      ['xsi:type', type],
    ] as const;
    return writeElement('Grantee', granteeElement.write(value), attributes);
  },
};

interface GrantElement {
  readonly grantee: GranteeNames;
  readonly permission: Permission;
}

const grantElement = closed<GrantElement>({
  grantee,
  permission: required('Permission', leaf(words(...PERMISSIONS))),
});

const grant: Schema<AnyGrant> = {
  write: (value) => grantElement.write({ ...value, grantee: granteeNames(value) }),
  parse: (content) => fromGrant(grantElement.parse(content)),
};

function fromGrant({ grantee: { id, uri, emailAddress }, permission }: GrantElement): AnyGrant {
  if ([id, uri, emailAddress].filter((each) => each !== undefined).length !== 1) {
    throw malformedXml('a Grantee must have exactly one of ID, URI and EmailAddress');
  }
  if (emailAddress !== undefined) return { emailAddress, permission };
  return { grantee: uri === undefined ? userOrProject(id ?? '') : groupOf(uri), permission };
}

interface AclElement {
  readonly owner?: string;
  readonly list: { readonly grants: readonly AnyGrant[] };
}

const accessControlPolicy = document<AclElement>(
  'AccessControlPolicy',
  closed<AclElement>({
    owner: optional('Owner', ownerSchema),
    list: required('AccessControlList', closed({ grants: many('Grant', grant) })),
  }),
);

const listAnswer = responseDocument<unknown, AccessControlList, AclElement>(
  accessControlPolicy,
  ({ owner, grants }) => ({ owner, list: { grants } }),
  ({ owner = '', list }) => ({ owner, grants: list.grants.filter((each) => 'grantee' in each) }),
);

/**
 * Returns whether the client sends an ACL in headers. Grants without an owner are sent in headers, because other
 * services require the owner in an XML document.
 */
function goesInHeaders(requested: AclRequest): boolean {
  return 'canned' in requested || (requested.owner === undefined && requested.grants.length > 0);
}

/**
 * The XML document with the ACL in the request body. Decoding throws UnexpectedContent if the request has both ACL
 * headers and a body, and MalformedACLError if it has neither ACL headers nor a valid document.
 */
const aclBody: RequestDocument<AclInput> = {
  malformed: 'MalformedACLError',
  encode: ({ acl: requested }, { xmlNamespace }) => {
    if ('canned' in requested || goesInHeaders(requested)) return undefined;
    const { owner, grants } = requested;
    return accessControlPolicy.write(defined({ owner, list: { grants } }), xmlNamespace);
  },
  decode: (body, { acl: byHeaders }) => {
    if (byHeaders === undefined) return { acl: readDocument(body) };
    if (body === '') return {};
    throw new StorageError(
      'UnexpectedContent',
      'read access control list: the request must not have both ACL headers and a body',
    );
  },
};

function readDocument(body: string): AclRequest {
  try {
    const { owner, list } = accessControlPolicy.read(body, MAX_REQUEST_TAGS);
    return defined({ owner, grants: list.grants });
  } catch (error) {
    if (!isStorageError(error, 'MalformedXML')) throw error;
    throw new StorageError('MalformedACLError', error.message, { cause: error });
  }
}

/** The ACL headers of requests that may send an ACL document instead. */
const aclHeaders: Part<WithAcl> = {
  encode: (message, writer) => {
    if (message.acl !== undefined && goesInHeaders(message.acl)) acl.encode(message, writer);
  },
  decode: (reader, into) => acl.decode(reader, into),
};

const versionId = query('versionId', 'versionId', text, { nonEmpty: true });

export const getBucketAcl: Operation<BucketInput, AccessControlList> = {
  method: 'GET',
  target: 'bucket',
  subresource: 'acl',
  request: { parts: [] },
  response: { status: 200, parts: [], body: listAnswer },
};

export const putBucketAcl: Operation<PutBucketAclInput, Nothing> = {
  method: 'PUT',
  target: 'bucket',
  subresource: 'acl',
  request: { parts: [aclHeaders], body: aclBody },
  response: { status: 200, parts: [] },
};

export const getObjectAcl: Operation<ObjectRef, AccessControlList> = {
  ...getBucketAcl,
  target: 'object',
  request: { parts: [versionId] },
};

export const putObjectAcl: Operation<PutObjectAclInput, Nothing> = {
  method: 'PUT',
  target: 'object',
  subresource: 'acl',
  request: { parts: [versionId, aclHeaders], body: aclBody },
  response: { status: 200, parts: [] },
};
