/**
 * Decides whether a request is allowed, as a pure function (specification, "Access rights (ACL)", "Authentication" 6;
 * semantics B.5, B.6).
 *
 *  1. A matching Deny of the bucket policy denies the request, even to owners and against every ACL. Only the bucket's
 *     owner can still read, change and delete that policy (decision 8).
 *  2. Only the bucket's owner deletes the bucket, and only the owners of bucket and version delete a version
 *     permanently: no policy or ACL can grant that to other users.
 *  3. The bucket's project may perform every action on the bucket and create objects in it. An object's project may
 *     perform every action on the object. So the bucket's owner can neither read nor delete an object of another project.
 *  4. An Allow of the policy grants what the bucket's project may do itself, because the bucket's owner sets the policy.
 *  5. An ACL grants its permissions: a bucket's ACL on the bucket and on changes of its objects, an object's ACL on the
 *     object. To delete an object of another project, a caller needs a permission on the bucket and WRITE on the object.
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
  /** Required for an action on an object or an upload. */
  readonly object?: ObjectAccess | undefined;
  /** If absent, no condition key has a value. */
  readonly conditions?: ConditionValues | undefined;
  /**
   * Set if the request has not been read to its end. In that case, only a request that would be denied with any content is
   * denied.
   */
  readonly unread?: true | undefined;
  /** If absent, the decision has a step budget of its own. */
  readonly work?: PolicyWork | undefined;
}

export interface BucketAccess {
  readonly name: string;
  readonly owner: UserNames;
  /** If absent, only the owner's project has permissions, for which it needs no grant. */
  readonly acl?: readonly Grant[] | undefined;
  readonly policy?: Policy | undefined;
  readonly publicAccessBlock?: PublicAccessBlock | undefined;
}

export interface ObjectAccess {
  readonly key: string;
  readonly versionId?: string | undefined;
  /** Storage user id. Absent if the object does not exist yet. */
  readonly owner?: string | undefined;
  readonly acl?: readonly Grant[] | undefined;
}

/** The reason for a decision. */
export type AccessReason =
  | { readonly kind: 'policy'; readonly statement: Statement }
  | { readonly kind: 'grant'; readonly grant: Grant; readonly on: 'bucket' | 'object' }
  /** The principal owns the bucket or the object, or belongs to the project that does. */
  | { readonly kind: 'owner' | 'project' }
  | { readonly kind: 'link' }
  /** Only an owner may perform the action (rule 2). */
  | { readonly kind: 'owner-only' }
  /** The evaluation of the policy exceeds the limits of a decision. */
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
 * Decides a read of an object that does not exist. If it is allowed, the caller learns that the object is missing. It is
 * allowed for a caller that may list the bucket and for a share link to the object (semantics B.5), unless a Deny matches
 * the request itself.
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

/** Returns the reason to deny the request by rules 1 and 2, or undefined. */
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

/**
 * Returns the reason to allow the request by the part of rules 3 to 5 that depends on the bucket, or undefined. A share
 * link is allowed whatever permissions its creator has ("Authentication" 8).
 */
function allowedByBucket(request: LimitedRequest): AccessReason | undefined {
  const { principal, action, bucket, object } = request;
  if (principal.kind === 'link') {
    const { key, versionId } = object ?? {};
    const isUse = isLinkUse(principal, { action, bucket: bucket.name, key, versionId });
    return isUse ? { kind: 'link' } : undefined;
  }
  if (!isControlledByBucket(request)) return undefined;
  if (isOfProject(principal, bucket.owner)) {
    return { kind: isUser(principal, bucket.owner) ? 'owner' : 'project' };
  }
  return allowedByPolicy(request) ?? grantedByBucket(request);
}

/**
 * Returns the reason to allow the request by the part of rules 3 to 5 that depends on the object's owner and ACL, or
 * undefined.
 */
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

/**
 * Returns whether the bucket's project, policy and ACL can allow the action. They cannot if it applies to an object of
 * another project, unless it replaces that object.
 */
function isControlledByBucket({ action, bucket, object }: AccessRequest): boolean {
  const { on, replaces } = actionRule(action);
  if (on !== 'object' || replaces || object?.owner === undefined) return true;
  return belongsTo(object.owner, bucket.owner);
}

/**
 * Returns whether the user with this id belongs to the project. Project names contain no colon and customer names no `@`,
 * so the prefix and the suffix of an id are unambiguous.
 */
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
  const requested = isNew ? newObjectPermission : bucketPermission;
  return requested && granted(request, 'bucket', requested);
}

/**
 * Returns the reason to allow an action on an object of another project, or undefined. A permission on the bucket is not
 * sufficient: the object's ACL must grant it, too.
 */
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
