/**
 * A naive second implementation of access control. Tests compare its decisions with those of the
 * engine. It follows only the specification ("Bucket", "Object and version", "Access rights (ACL)",
 * "Authentication" 1 and 6) and semantics (decisions 8 to 10, B.5, B.6). It imports no code from
 * `rules/`, and reads policies, ACLs and names in unparsed form.
 */

import { allHold, block, isLike, type NaiveBlock, type NaiveValues } from './naive-conditions.ts';

export interface NaiveGrant {
  /** Grantee: `project:user@customer`, `project@customer`, `AllUsers` or `AuthenticatedUsers`. */
  readonly grantee: string;
  /** Permission: READ, WRITE, READ_ACP, WRITE_ACP or FULL_CONTROL. */
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
  /** Owner of the bucket in the form `project:user@customer`. */
  readonly owner: string;
  readonly acl: readonly NaiveGrant[];
  readonly policy?: NaivePolicy | undefined;
  readonly ignorePublicAcls: boolean;
  readonly restrictPublicBuckets: boolean;
}

export interface NaiveObject {
  readonly key: string;
  /** Owner of the object. Undefined if the object does not exist or the request creates it. */
  readonly owner: string | undefined;
  readonly acl: readonly NaiveGrant[];
}

export interface NaiveRequest {
  /** Caller in the form `project:user@customer`. Undefined if the request is anonymous. */
  readonly user: string | undefined;
  /** Name of the action without the prefix `s3:`. */
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

/** Returns the project of a user. For `project:user@customer` it returns `project@customer`. */
const projectOf = (user: string) => user.replace(/:.*@/, '@');

/**
 * Decides whether a request is allowed. `object` is undefined if the action applies to the bucket.
 */
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

  // B.6: an explicit Deny overrides every permission, even the owner's. The owner can always read
  // and change the policy itself (decision 8).
  const keepsPolicy = /^(Get|Put|Delete)BucketPolicy$/.test(action) && user === bucket.owner;
  if (says('Deny') && !keepsPolicy) return no('deny');

  // Authentication 6: only the bucket's owner may delete a bucket. Only the owners of the bucket
  // and of the object may permanently delete a version.
  if (action === 'DeleteBucket' && user !== bucket.owner) return no('owner-only');
  const isThere = object?.owner !== undefined;
  const mayRemove = user !== undefined && [bucket.owner, object?.owner].includes(user);
  if (action === 'DeleteObjectVersion' && isThere && !mayRemove) return no('owner-only');

  // As in S3, the policy of a bucket cannot allow access to objects that another project owns.
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
    // Bucket: all users of the owner's project have full access to the bucket.
    if (isOf(bucket.owner)) return yes('project');
    if (allows) return yes('policy');
    return gives(bucket.acl, BUCKET_RIGHTS[action]) ? yes('list') : no('nothing');
  }

  // The bucket's permissions apply to an object that does not exist yet. The user who started a
  // multipart upload also has access to it.
  const isUpload = UPLOADS.has(action);
  if (isUpload && object.owner !== undefined && isOf(object.owner)) return yes('project');
  if (isUpload || object.owner === undefined) {
    if (isOf(bucket.owner)) return yes('project');
    if (allows) return yes('policy');
    return PUTS.has(action) && gives(bucket.acl, 'WRITE') ? yes('list') : no('nothing');
  }

  // Object: the project that owns the object has full access to it. Replacing the object also
  // requires write access to the bucket.
  if (isOf(object.owner)) return yes('project');
  const ours = projectOf(object.owner) === projectOf(bucket.owner);
  if (action === 'PutObject') {
    if (isOf(bucket.owner)) return yes('project');
    if (allows) return yes('policy');
    return gives(bucket.acl, 'WRITE') || gives(object.acl, 'WRITE') ? yes('list') : no('nothing');
  }
  if (allows && ours) return yes('policy');
  if (action === 'DeleteObject' || action === 'DeleteObjectVersion') {
    // Decision 9: to delete an object of another project, even the bucket's owner needs the WRITE
    // permission in the object's ACL.
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

/** ACL permission that allows each action on a bucket (Access rights (ACL), B.5). */
const BUCKET_RIGHTS: Readonly<Record<string, string>> = {
  ListBucket: 'READ',
  ListBucketVersions: 'READ',
  ListBucketMultipartUploads: 'READ',
  GetBucketLocation: 'READ',
  GetBucketAcl: 'READ_ACP',
  PutBucketAcl: 'WRITE_ACP',
};

/** ACL permission that allows each action on an object. */
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

/**
 * Actions on objects that do not exist yet, for which WRITE on the bucket is sufficient. A PUT can
 * also set the ACL and the tags.
 */
const PUTS = new Set([
  'PutObject',
  'PutObjectAcl',
  'PutObjectTagging',
  'DeleteObject',
  'DeleteObjectVersion',
]);

const UPLOADS = new Set(['AbortMultipartUpload', 'ListMultipartUploadParts']);

/**
 * Returns the grants of a canned ACL to grantees other than the owner (B.5). The last two canned
 * ACLs apply only to objects.
 */
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

/**
 * Returns true if the policy's principal includes the user. A principal can be `*`, a user id,
 * `user/ID` or a project.
 */
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
 * Returns true if S3 would call the policy public: it gives all users some permission. A condition
 * makes it non-public if it limits the users, or limits the network to at most a /8 (IPv4) or /32
 * (IPv6).
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
