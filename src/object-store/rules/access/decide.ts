/**
 * Decides whether a request is allowed, as a pure function (specification, "Access rights (ACL)", "Authentication" 6;
 * semantics B.5, B.6). The rules apply in this order:
 *
 *  1. A matching Deny in the bucket policy denies the request, even for owners and whatever an ACL grants. But the
 *     bucket's owner can always read, change and delete the policy (decision 8).
 *  2. Only the bucket's owner may delete the bucket. Only the owners of the bucket and of a version may permanently
 *     delete that version. No policy or ACL can grant these permissions to other users.
 *  3. The bucket's project may perform every action on the bucket, and may create objects in it. An object's project may
 *     perform every action on the object. So a bucket's owner cannot read or delete an object of another project.
 *  4. An Allow in the bucket policy can grant everything that the bucket's project may do, because the bucket's owner sets
 *     the policy.
 *  5. A bucket's ACL grants permissions on the bucket and permits changing its objects. An object's ACL grants
 *     permissions on the object. To delete an object of another project, a caller needs a permission on the bucket and
 *     WRITE on the object.
 *  6. All other requests are denied. A request whose evaluation exceeds the limits of `policy-work.ts` is denied too,
 *     because a statement that was not evaluated could deny it.
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
  /** The object. Required for an action on an object or an upload. */
  readonly object?: ObjectAccess | undefined;
  /** The condition values of the request. If absent, no condition key has a value. */
  readonly conditions?: ConditionValues | undefined;
  /**
   * True if the request body has not been read to its end. The request is then denied only if it would be denied with
   * every possible body.
   */
  readonly unread?: true | undefined;
  /** The step budget and the cache of policy evaluation. If absent, the decision has its own step budget. */
  readonly work?: PolicyWork | undefined;
}

export interface BucketAccess {
  readonly name: string;
  readonly owner: UserNames;
  /** The bucket's ACL. If absent, only the owner's project has permissions, for which it needs no grant. */
  readonly acl?: readonly Grant[] | undefined;
  readonly policy?: Policy | undefined;
  readonly publicAccessBlock?: PublicAccessBlock | undefined;
}

export interface ObjectAccess {
  readonly key: string;
  readonly versionId?: string | undefined;
  /** The storage user ID of the object's owner. Absent if the object does not exist yet. */
  readonly owner?: string | undefined;
  readonly acl?: readonly Grant[] | undefined;
}

/** The reason why a request is allowed or denied. */
export type AccessReason =
  | { readonly kind: 'policy'; readonly statement: Statement }
  | { readonly kind: 'grant'; readonly grant: Grant; readonly on: 'bucket' | 'object' }
  /** The principal owns the bucket or the object, or belongs to the project that owns it. */
  | { readonly kind: 'owner' | 'project' }
  | { readonly kind: 'link' }
  /** The request is denied because only an owner may perform the action (rule 2). */
  | { readonly kind: 'owner-only' }
  /** The request is denied because evaluating the policy exceeds the limits of a decision. */
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
  // Check the bucket first. For most requests that is sufficient, so the object need not be looked up.
  const reason = allowedByBucket(request) ?? allowedByObject(request);
  return reason ? { allowed: true, by: reason } : { allowed: false, by: { kind: 'nothing' } };
}

/**
 * Decides a read of an object that does not exist. If the read is allowed, the caller learns that the object is
 * missing. The read is allowed for a caller that may list the bucket, and for a presigned URL of the object (semantics
 * B.5). A Deny that matches the request itself overrides both.
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

/** Returns the reason to deny the request by rules 1 and 2; undefined if they do not deny it. */
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
 * Returns the reason to allow the request by the part of rules 3 to 5 that depends only on the bucket, or undefined. A
 * presigned URL of the service is allowed regardless of its creator's permissions ("Authentication" 8).
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
 * Returns whether the bucket's project, policy and ACL can allow the action. They cannot allow an action on an object
 * of a different project, unless the action replaces the object.
 */
function isControlledByBucket({ action, bucket, object }: AccessRequest): boolean {
  const { on, replaces } = actionRule(action);
  if (on !== 'object' || replaces || object?.owner === undefined) return true;
  return belongsTo(object.owner, bucket.owner);
}

/**
 * Returns whether the user with this ID belongs to the project. Project names contain no colon and customer names no
 * `@`, so the prefix and the suffix of an ID are unambiguous.
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
 * Returns the reason to allow an action on an object of another project, or undefined. A permission on the bucket is
 * not sufficient, because the object's ACL must grant the action too.
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
