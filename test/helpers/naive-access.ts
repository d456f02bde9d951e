/**
 * Who may do what, said a second time: from the specification ("Bucket", "Object and version", "Access rights (ACL)",
 * "Authentication" 1 and 6) and semantics (decisions 8 to 10, B.5, B.6) alone, by brute force, for the tests that compare
 * the engine with it. It imports nothing from `rules/`, and takes what is written: documents, lists and names.
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
  /** `project:user@customer`. */
  readonly owner: string;
  readonly acl: readonly NaiveGrant[];
  readonly policy?: NaivePolicy | undefined;
  readonly ignorePublicAcls: boolean;
  readonly restrictPublicBuckets: boolean;
}

export interface NaiveObject {
  readonly key: string;
  /** Undefined: it is not there, or only to be made. */
  readonly owner: string | undefined;
  readonly acl: readonly NaiveGrant[];
}

export interface NaiveRequest {
  /** `project:user@customer`; undefined: nobody has authenticated. */
  readonly user: string | undefined;
  /** Without `s3:`. */
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

/** Of `project:user@customer`, the project: `project@customer`. */
const projectOf = (user: string) => user.replace(/:.*@/, '@');

/** Without an object, what is done is done to the bucket. */
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

  // B.6: an explicit Deny comes first, even for the owner, who only keeps the policy itself (decision 8).
  const keepsPolicy = /^(Get|Put|Delete)BucketPolicy$/.test(action) && user === bucket.owner;
  if (says('Deny') && !keepsPolicy) return no('deny');

  // Authentication 6: only the owner deletes a bucket; only the owners of bucket and object remove a version for good.
  if (action === 'DeleteBucket' && user !== bucket.owner) return no('owner-only');
  const isThere = object?.owner !== undefined;
  const mayRemove = user !== undefined && [bucket.owner, object?.owner].includes(user);
  if (action === 'DeleteObjectVersion' && isThere && !mayRemove) return no('owner-only');

  // A policy is the word of the bucket's owner: it gives nothing of what belongs to another project, as in S3.
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
    // Bucket: all users of its project have full rights on it.
    if (isOf(bucket.owner)) return yes('project');
    if (allows) return yes('policy');
    return gives(bucket.acl, BUCKET_RIGHTS[action]) ? yes('list') : no('nothing');
  }

  // What is not there yet is the business of the bucket; of an upload that is not complete, of who began it too.
  const isUpload = UPLOADS.has(action);
  if (isUpload && object.owner !== undefined && isOf(object.owner)) return yes('project');
  if (isUpload || object.owner === undefined) {
    if (isOf(bucket.owner)) return yes('project');
    if (allows) return yes('policy');
    return PUTS.has(action) && gives(bucket.acl, 'WRITE') ? yes('list') : no('nothing');
  }

  // Object: its owner's project has full rights on it. To put another in its place is to write into the bucket.
  if (isOf(object.owner)) return yes('project');
  const ours = projectOf(object.owner) === projectOf(bucket.owner);
  if (action === 'PutObject') {
    if (isOf(bucket.owner)) return yes('project');
    if (allows) return yes('policy');
    return gives(bucket.acl, 'WRITE') || gives(object.acl, 'WRITE') ? yes('list') : no('nothing');
  }
  if (allows && ours) return yes('policy');
  if (action === 'DeleteObject' || action === 'DeleteObjectVersion') {
    // Decision 9: even the bucket's owner cannot delete what others own, unless they let him write it.
    const writes = isOf(bucket.owner) || allows || gives(bucket.acl, 'WRITE');
    return writes && (ours || gives(object.acl, 'WRITE')) ? yes('list') : no('nothing');
  }
  return gives(object.acl, OBJECT_RIGHTS[action]) ? yes('list') : no('nothing');
}

/** Whether somebody is told that nothing is there, instead of being denied (B.5, "404 versus 403"). */
export function maySeeThatItIsMissing(
  request: NaiveRequest,
  bucket: NaiveBucket,
  key: string,
): boolean {
  const missing = { key, owner: undefined, acl: [] };
  if (mayDo(request, bucket, missing).reason === 'deny') return false;
  return mayDo({ ...request, action: 'ListBucket' }, bucket, undefined).allowed;
}

/** Access rights (ACL), and B.5: what a right on a bucket lets somebody do. */
const BUCKET_RIGHTS: Readonly<Record<string, string>> = {
  ListBucket: 'READ',
  ListBucketVersions: 'READ',
  ListBucketMultipartUploads: 'READ',
  GetBucketLocation: 'READ',
  GetBucketAcl: 'READ_ACP',
  PutBucketAcl: 'WRITE_ACP',
};

/** And a right on an object. */
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

/** What WRITE on a bucket lets somebody do with what is not there; whoever puts an object gives it list and tags. */
const PUTS = new Set([
  'PutObject',
  'PutObjectAcl',
  'PutObjectTagging',
  'DeleteObject',
  'DeleteObjectVersion',
]);

const UPLOADS = new Set(['AbortMultipartUpload', 'ListMultipartUploadParts']);

/** B.5: what lists with a name give to others than the owner. The last two mean something on objects alone. */
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

/** `*` is everyone; a user is named by an id, after `user/`, or by the project. */
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
 * As S3 has it: a policy is public when it allows everyone something, and no condition keeps that to addresses of a
 * network (not wider than /8, or /32 of IPv6) or to users that are named.
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
