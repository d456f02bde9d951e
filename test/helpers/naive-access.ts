/**
 * A second, naive implementation of access control, for tests that compare it with the engine. It follows only the
 * specification ("Bucket", "Object and version", "Access rights (ACL)", "Authentication" 1 and 6) and semantics
 * (decisions 8 to 10, B.5, B.6). It imports nothing from `rules/`, and its input is unparsed: policy documents, ACLs
 * and names.
 */

import { allHold, block, isLike, type NaiveBlock, type NaiveValues } from './naive-conditions.ts';

export interface NaiveGrant {
  /** `project:user@customer`, `project@customer`, `AllUsers` or `AuthenticatedUsers`. */
  readonly grantee: string;
  /** READ, WRITE, READ_ACP, WRITE_ACP or FULL_CONTROL. */
  readonly permission: string;
}

export interface NaiveStatement {
  readonly Effect: string;
  readonly Principal?: unknown;
  readonly NotPrincipal?: unknown;
  readonly Action?: unknown;
  readonly NotAction?: unknown;
  readonly Resource?: unknown;
  readonly NotResource?: unknown;
  readonly Condition?: NaiveBlock;
}

export interface NaivePolicy {
  readonly Version?: string | undefined;
  readonly Statement: NaiveStatement | readonly NaiveStatement[];
}

export interface NaiveBucket {
  readonly name: string;
  /** User in the form `project:user@customer`. */
  readonly owner: string;
  readonly acl: readonly NaiveGrant[];
  readonly policy?: NaivePolicy | undefined;
  readonly ignorePublicAcls: boolean;
  readonly restrictPublicBuckets: boolean;
}

export interface NaiveObject {
  readonly key: string;
  /** Undefined if the object does not exist or the request creates it. */
  readonly owner: string | undefined;
  readonly acl: readonly NaiveGrant[];
}

export interface NaiveRequest {
  /** User in the form `project:user@customer`; undefined for an anonymous request. */
  readonly user: string | undefined;
  /** Action name without the prefix `s3:`. */
  readonly action: string;
  readonly values: NaiveValues;
}

export type NaiveReason = 'deny' | 'owner-only' | 'project' | 'policy' | 'list' | 'nothing';
export interface NaiveAnswer {
  readonly allowed: boolean;
  readonly reason: NaiveReason;
}

const no = (reason: NaiveReason): NaiveAnswer => ({ allowed: false, reason });
const yes = (reason: NaiveReason): NaiveAnswer => ({ allowed: true, reason });

/** Returns the project of a user: `project:user@customer` becomes `project@customer`. */
const projectOf = (user: string) => user.replace(/:.*@/, '@');

/** Decides whether a request is allowed. `object` is undefined for actions on the bucket. */
export function mayDo(
  { user, action, values }: NaiveRequest,
  bucket: NaiveBucket,
  object: NaiveObject | undefined,
): NaiveAnswer {
  const isOf = (owner: string) => user !== undefined && projectOf(user) === projectOf(owner);
  const says = (effect: string) =>
    statements(bucket.policy).some(
      (each) => each.Effect === effect && isAbout(each, { user, action, values }, bucket, object),
    );

  // B.6: an explicit Deny has priority, even for the owner. The owner can still access the policy
  // itself (decision 8).
  const keepsPolicy = /^(Get|Put|Delete)BucketPolicy$/.test(action) && user === bucket.owner;
  if (says('Deny') && !keepsPolicy) return no('deny');

  // Authentication 6: only the owner may delete a bucket, and only the owners of bucket and object
  // may permanently delete a version.
  if (action === 'DeleteBucket' && user !== bucket.owner) return no('owner-only');
  const isThere = object?.owner !== undefined;
  const mayRemove = user !== undefined && [bucket.owner, object?.owner].includes(user);
  if (action === 'DeleteObjectVersion' && isThere && !mayRemove) return no('owner-only');

  // As in S3, a policy of the bucket's owner cannot allow access to objects that belong to another
  // project.
  const trusted = !(bucket.restrictPublicBuckets && isPublic(bucket.policy));
  const allows = trusted && says('Allow');
  const gives = (list: readonly NaiveGrant[], right: string | undefined) =>
    right !== undefined &&
    list.some(
      ({ grantee, permission }) =>
        (permission === right || permission === 'FULL_CONTROL') &&
        isGrantee(user, grantee, bucket.ignorePublicAcls),
    );

  if (object === undefined) {
    // Bucket: all users of the owner's project have full access to it.
    if (isOf(bucket.owner)) return yes('project');
    if (allows) return yes('policy');
    return gives(bucket.acl, BUCKET_RIGHTS[action]) ? yes('list') : no('nothing');
  }

  // Objects that do not exist yet are subject to the bucket's permissions. An incomplete upload also belongs to its
  // creator.
  const isUpload = UPLOADS.has(action);
  if (isUpload && object.owner !== undefined && isOf(object.owner)) return yes('project');
  if (isUpload || object.owner === undefined) {
    if (isOf(bucket.owner)) return yes('project');
    if (allows) return yes('policy');
    return PUTS.has(action) && gives(bucket.acl, 'WRITE') ? yes('list') : no('nothing');
  }

  // Object: its owner's project has full access. Replacing the object requires write access to the
  // bucket.
  if (isOf(object.owner)) return yes('project');
  const ours = projectOf(object.owner) === projectOf(bucket.owner);
  if (action === 'PutObject') {
    if (isOf(bucket.owner)) return yes('project');
    if (allows) return yes('policy');
    return gives(bucket.acl, 'WRITE') || gives(object.acl, 'WRITE') ? yes('list') : no('nothing');
  }
  if (allows && ours) return yes('policy');
  if (action === 'DeleteObject' || action === 'DeleteObjectVersion') {
    // Decision 9: even the bucket's owner can delete another project's object only with WRITE permission in the
    // object's ACL.
    const writes = isOf(bucket.owner) || allows || gives(bucket.acl, 'WRITE');
    return writes && (ours || gives(object.acl, 'WRITE')) ? yes('list') : no('nothing');
  }
  return gives(object.acl, OBJECT_RIGHTS[action]) ? yes('list') : no('nothing');
}

/** Returns true if the caller gets 404 instead of 403 for a missing object (B.5, "404 versus 403"). */
export function maySeeThatItIsMissing(
  request: NaiveRequest,
  bucket: NaiveBucket,
  key: string,
): boolean {
  const missing = { key, owner: undefined, acl: [] };
  if (mayDo(request, bucket, missing).reason === 'deny') return false;
  return mayDo({ ...request, action: 'ListBucket' }, bucket, undefined).allowed;
}

/** ACL permission that allows each bucket action (Access rights (ACL), B.5). */
const BUCKET_RIGHTS: Readonly<Record<string, string>> = {
  ListBucket: 'READ',
  ListBucketVersions: 'READ',
  ListBucketMultipartUploads: 'READ',
  GetBucketLocation: 'READ',
  GetBucketAcl: 'READ_ACP',
  PutBucketAcl: 'WRITE_ACP',
};

/** ACL permission that allows each object action. */
const OBJECT_RIGHTS: Readonly<Record<string, string>> = {
  GetObject: 'READ',
  GetObjectVersion: 'READ',
  GetObjectAttributes: 'READ',
  GetObjectVersionAttributes: 'READ',
  GetObjectAcl: 'READ_ACP',
  GetObjectVersionAcl: 'READ_ACP',
  PutObjectAcl: 'WRITE_ACP',
  PutObjectVersionAcl: 'WRITE_ACP',
};

/** Actions on new objects that WRITE on the bucket allows. They include setting the ACL and tags in a PUT. */
const PUTS = new Set([
  'PutObject',
  'PutObjectAcl',
  'PutObjectTagging',
  'DeleteObject',
  'DeleteObjectVersion',
]);

const UPLOADS = new Set(['AbortMultipartUpload', 'ListMultipartUploadParts']);

/** Returns the grants of a canned ACL to others than the owner (B.5). The last two ACLs apply only to objects. */
export function grantsOf(canned: string, bucketOwner?: string): readonly NaiveGrant[] {
  const to = (grantee: string | undefined, permission: string) =>
    grantee === undefined ? [] : [{ grantee, permission }];
  switch (canned) {
    case 'public-read':
      return to('AllUsers', 'READ');
    case 'public-read-write':
      return [...to('AllUsers', 'READ'), ...to('AllUsers', 'WRITE')];
    case 'authenticated-read':
      return to('AuthenticatedUsers', 'READ');
    case 'bucket-owner-read':
      return to(bucketOwner, 'READ');
    case 'bucket-owner-full-control':
      return to(bucketOwner, 'FULL_CONTROL');
    default:
      return [];
  }
}

function isGrantee(user: string | undefined, grantee: string, ignoreGroups: boolean): boolean {
  if (grantee === 'AllUsers') return !ignoreGroups;
  if (grantee === 'AuthenticatedUsers') return !ignoreGroups && user !== undefined;
  return user !== undefined && (grantee === user || grantee === projectOf(user));
}

function statements(policy: NaivePolicy | undefined): readonly NaiveStatement[] {
  return policy === undefined ? [] : list(policy.Statement as NaiveStatement);
}

const list = <T>(one: T | readonly T[] | undefined): readonly T[] =>
  one === undefined ? [] : Array.isArray(one) ? (one as readonly T[]) : [one as T];

function isAbout(
  statement: NaiveStatement,
  { user, action, values }: NaiveRequest,
  bucket: NaiveBucket,
  object: NaiveObject | undefined,
): boolean {
  const variables = bucket.policy?.Version === '2012-10-17';
  const resource = `arn:aws:s3:::${bucket.name}${object ? `/${object.key}` : ''}`;
  const isAction = (written: unknown) =>
    list(written as string).some((each) =>
      isLike(each.toLowerCase(), `s3:${action}`.toLowerCase()),
    );
  const isResource = (written: unknown) =>
    list(written as string).some((each) => isLike(each, resource, variables ? values : undefined));

  return (
    (statement.Principal === undefined
      ? !isNamed(user, statement.NotPrincipal)
      : isNamed(user, statement.Principal)) &&
    (statement.Action === undefined
      ? !isAction(statement.NotAction)
      : isAction(statement.Action)) &&
    (statement.Resource === undefined
      ? !isResource(statement.NotResource)
      : isResource(statement.Resource)) &&
    allHold(statement.Condition ?? {}, values, variables)
  );
}

/** Returns true if the policy principal includes the user: by `*`, by user id, by `user/ID`, or by project. */
function isNamed(user: string | undefined, written: unknown): boolean {
  return namesIn(written).some((name) => {
    if (name === '*') return true;
    const id = name.replace(/^.*:user\//, '');
    return user !== undefined && (id === user || id === projectOf(user));
  });
}

function namesIn(written: unknown): readonly string[] {
  return written === '*' ? ['*'] : list((written as { AWS: string }).AWS);
}

/**
 * Returns true if a policy is public by the rules of S3: it allows all users something, without a condition that
 * limits it to named users or to a network of at most a /8 (IPv4) or /32 (IPv6).
 */
export function isPublic(policy: NaivePolicy | undefined): boolean {
  return statements(policy).some(
    ({ Effect, Principal, Condition }) =>
      Effect === 'Allow' &&
      (Principal === undefined || namesIn(Principal).includes('*')) &&
      !Object.entries(Condition ?? {}).some(([operator, keys]) =>
        Object.entries(keys).some(([key, values]) =>
          list(values as string).every((value) => isNarrow(operator, key.toLowerCase(), value)),
        ),
      ),
  );
}

function isNarrow(operator: string, key: string, value: string): boolean {
  if (key === 'aws:sourceip' && operator === 'IpAddress') {
    const { network, width = 128 } = block(value);
    return width >= (network.includes(':') ? 32 : 8);
  }
  const isUser = ['aws:userid', 'aws:principalarn'].includes(key);
  return isUser && /^(String|Arn)(Equals|Like)$/.test(operator) && !/[*?$]/.test(value);
}
