/**
 * The authorization decision, as a pure function (specification, "Access rights (ACL)", "Authentication" 6; semantics B.5, B.6).
 *
 *  1. A matching Deny of the bucket policy denies the request, even to owners and against every ACL. Only the bucket's
 *     owner can still read, change and delete that policy (decision 8).
 *  2. Only the bucket's owner deletes the bucket, and only the owners of bucket and version delete a version
 *     permanently: no policy or ACL can grant that to other users.
 *  3. The bucket's project may do everything to the bucket and to what is to be put in it; an object's project
 *     everything to the object. So a bucket's owner neither reads nor deletes what another project's user put there.
 *  4. An Allow of the policy gives what the bucket's project could do itself, since a policy is its owner's word.
 *  5. An ACL grants its permissions: the bucket's on the bucket and on changes of its objects, the object's on the object.
 *     To delete an object of another project takes a permission on the bucket, and WRITE on the object.
 *  6. All other requests are denied, and so are those whose evaluation exceeds the limits of `policy-work.ts`: a statement
 *     that was not evaluated could deny them.
 */

import { type Principal, principalId, type UserNames } from '../../../base/principal.ts';
import { StepLimitError } from '../../../base/step-budget.ts';
import { type Action, actionRule } from '../../action.ts';
import { isLinkUse } from '../link-access.ts';
import { type Grant, grantOf } from './acl.ts';
import type { ConditionValues } from './policy-conditions.ts';
import { type Policy, type Statement, statementOf } from './policy.ts';
import { PolicyWork, ValueLimitError } from './policy-work.ts';
import type { PublicAccessBlock } from './public-access.ts';

export interface AccessRequest {
  readonly principal: Principal;
  readonly action: Action;
  readonly bucket: BucketAccess;
  /** To be given for what is done to an object or an upload. */
  readonly object?: ObjectAccess | undefined;
  /** Absent: nothing is known of the request. */
  readonly conditions?: ConditionValues | undefined;
  /** The request is not read to its end: only what holds whatever it will say is denied. */
  readonly unread?: true | undefined;
  /** Absent: a decision of its own. */
  readonly work?: PolicyWork | undefined;
}

export interface BucketAccess {
  readonly name: string;
  readonly owner: UserNames;
  /** If absent, no grantee but the owner's project has permissions, and that project needs no grant. */
  readonly acl?: readonly Grant[] | undefined;
  readonly policy?: Policy | undefined;
  readonly publicAccessBlock?: PublicAccessBlock | undefined;
}

export interface ObjectAccess {
  readonly key: string;
  readonly versionId?: string | undefined;
  /** Storage user id. Absent where nothing is there, or is only to be made. */
  readonly owner?: string | undefined;
  readonly acl?: readonly Grant[] | undefined;
}

/** What decided. */
export type AccessReason =
  | { readonly kind: 'policy'; readonly statement: Statement }
  | { readonly kind: 'grant'; readonly grant: Grant; readonly on: 'bucket' | 'object' }
  /** The principal is of the project that the bucket or the object belongs to, or owns it. */
  | { readonly kind: 'owner' | 'project' }
  | { readonly kind: 'link' }
  /** It is the owner's alone. */
  | { readonly kind: 'owner-only' }
  /** To evaluate the policy for this request takes more than a decision may. */
  | { readonly kind: 'limit'; readonly why: string }
  | { readonly kind: 'nothing' };

export interface Decision {
  readonly allowed: boolean;
  readonly by: AccessReason;
}

type LimitedRequest = AccessRequest & { readonly work: PolicyWork };

const NO_VALUES: ConditionValues = new Map<string, readonly string[]>();

export function decideAccess(request: AccessRequest): Decision {
  return withinLimits(request, decidePresent);
}

function decidePresent(request: LimitedRequest): Decision {
  const denial = deniedBy(request);
  if (denial) return { allowed: false, by: denial };
  // The bucket comes first: it decides most requests, which then need no lookup of the object.
  const reason = allowedByBucket(request) ?? allowedByObject(request);
  return reason ? { allowed: true, by: reason } : { allowed: false, by: { kind: 'nothing' } };
}

/**
 * Decides a read of an object that does not exist. Only a caller that may list the bucket learns that the object is
 * missing (semantics B.5), unless a Deny matches the request itself.
 */
export function decideMissing(request: AccessRequest): Decision {
  return withinLimits(request, decideAbsent);
}

function decideAbsent(request: LimitedRequest): Decision {
  const denial = deniedBy(request);
  if (denial) return { allowed: false, by: denial };
  if (request.principal.kind !== 'link') {
    return decideAccess({ ...request, action: 'ListBucket', object: undefined });
  }
  const by = allowedByBucket(request);
  return by ? { allowed: true, by } : { allowed: false, by: { kind: 'nothing' } };
}

function withinLimits(
  request: AccessRequest,
  decide: (request: LimitedRequest) => Decision,
): Decision {
  const { work = new PolicyWork() } = request;
  try {
    return decide({ ...request, work });
  } catch (error) {
    if (!(error instanceof StepLimitError) && !(error instanceof ValueLimitError)) throw error;
    return { allowed: false, by: { kind: 'limit', why: error.message } };
  }
}

/** Steps 1 and 2. */
function deniedBy(request: LimitedRequest): AccessReason | undefined {
  const { principal, action, bucket, object } = request;
  const owns = isUser(principal, bucket.owner);
  const statement =
    POLICY_ACTIONS.has(action) && owns ? undefined : matchingStatement(request, 'Deny');
  if (statement) return { kind: 'policy', statement };
  if (action === 'DeleteBucket' && !owns) return { kind: 'owner-only' };
  if (action !== 'DeleteObjectVersion' || owns || object?.owner === undefined) return undefined;
  const isOwner = principal.kind === 'user' && principalId(principal) === object.owner;
  return isOwner ? undefined : { kind: 'owner-only' };
}

const POLICY_ACTIONS: ReadonlySet<Action> = new Set([
  'DeleteBucketPolicy',
  'GetBucketPolicy',
  'PutBucketPolicy',
]);

function isUser(principal: Principal, { project, user, customer }: UserNames): boolean {
  if (principal.kind !== 'user' || principal.user !== user) return false;
  return principal.project === project && principal.customer === customer;
}

/** Of steps 3 to 5 what is the bucket's to give; and a link, whatever its maker may ("Authentication" 8). */
function allowedByBucket(request: LimitedRequest): AccessReason | undefined {
  const { principal, action, bucket, object } = request;
  if (principal.kind === 'link') {
    const { key, versionId } = object ?? {};
    const isMeant = isLinkUse(principal, { action, bucket: bucket.name, key, versionId });
    return isMeant ? { kind: 'link' } : undefined;
  }
  if (!isControlledByBucket(request)) return undefined;
  if (isOfProject(principal, bucket.owner)) {
    return { kind: isUser(principal, bucket.owner) ? 'owner' : 'project' };
  }
  return allowedByPolicy(request) ?? grantedByBucket(request);
}

/** Of them what is given by who owns the object. */
function allowedByObject(request: LimitedRequest): AccessReason | undefined {
  const { principal, action, object } = request;
  if (principal.kind === 'link' || object?.owner === undefined) return undefined;
  if (principal.kind === 'user' && belongsTo(object.owner, principal)) {
    return { kind: principalId(principal) === object.owner ? 'owner' : 'project' };
  }
  const { on, permission } = actionRule(action);
  if (on !== 'object') return undefined;
  return (permission && granted(request, 'object', permission)) ?? grantedByBoth(request);
}

function isOfProject(
  principal: Principal,
  { project, customer }: Pick<UserNames, 'customer' | 'project'>,
): boolean {
  if (principal.kind !== 'user') return false;
  return principal.project === project && principal.customer === customer;
}

/** Whether it is the bucket's to give: all but what is done to an object that another project owns. */
function isControlledByBucket({ action, bucket, object }: AccessRequest): boolean {
  const { on, replaces } = actionRule(action);
  if (on !== 'object' || replaces || object?.owner === undefined) return true;
  return belongsTo(object.owner, bucket.owner);
}

/** Project names have no colon and customers no `@`, so that an id ends and begins like that in one way only. */
function belongsTo(
  id: string,
  { project, customer }: Pick<UserNames, 'customer' | 'project'>,
): boolean {
  return id.startsWith(`${project}:`) && id.endsWith(`@${customer}`);
}

function allowedByPolicy(request: LimitedRequest): AccessReason | undefined {
  const { policy, publicAccessBlock } = request.bucket;
  if (policy?.isPublic && publicAccessBlock?.restrictPublicBuckets) return undefined;
  const statement = matchingStatement(request, 'Allow');
  return statement && { kind: 'policy', statement };
}

function matchingStatement(
  {
    principal,
    action,
    bucket: { policy },
    object,
    conditions = NO_VALUES,
    unread,
    work,
  }: LimitedRequest,
  effect: Statement['effect'],
): Statement | undefined {
  const request = { principal, action, key: object?.key, conditions, unread, work };
  return policy && statementOf(policy, effect, request);
}

function grantedByBucket(request: LimitedRequest): AccessReason | undefined {
  const { on, permission, bucketPermission, newObjectPermission } = actionRule(request.action);
  if (on === 'bucket') return permission && granted(request, 'bucket', permission);
  const isNew = newObjectPermission !== undefined && request.object?.owner === undefined;
  const asked = isNew ? newObjectPermission : bucketPermission;
  return asked && granted(request, 'bucket', asked);
}

/** To what is another project's the bucket's list does not reach by itself, nor does being of the bucket's project. */
function grantedByBoth(request: LimitedRequest): AccessReason | undefined {
  const { principal, action, bucket } = request;
  const { bucketPermission } = actionRule(action);
  if (bucketPermission === undefined || isControlledByBucket(request)) return undefined;
  const mayInBucket =
    isOfProject(principal, bucket.owner) ||
    (allowedByPolicy(request) ?? granted(request, 'bucket', bucketPermission)) !== undefined;
  return mayInBucket ? granted(request, 'object', bucketPermission) : undefined;
}

function granted(
  { principal, bucket, object }: AccessRequest,
  on: 'bucket' | 'object',
  permission: Exclude<Grant['permission'], 'FULL_CONTROL'>,
): AccessReason | undefined {
  const ignoreGroups = bucket.publicAccessBlock?.ignorePublicAcls === true;
  const acl = on === 'bucket' ? bucket.acl : object?.acl;
  const grant = grantOf(acl, principal, { permission, ignoreGroups });
  return grant && { kind: 'grant', grant, on };
}
