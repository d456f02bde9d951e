/** Checks whether a caller may act on a bucket or an object. Runs on the main thread and on the writer thread. */

import { invariant } from '../../base/errors.ts';
import { type Action, actionRule } from '../../object-store/action.ts';
import type { Caller } from '../../object-store/caller.ts';
import type { Grant } from '../../object-store/rules/access/acl.ts';
import {
  type AccessReason,
  decideAccess,
  decideMissing,
  type Decision,
  type ObjectAccess,
} from '../../object-store/rules/access/decide.ts';
import { PolicyWork } from '../../object-store/rules/access/policy-work.ts';
import { StorageError } from '../../object-store/storage-error.ts';
import { parseAcl } from '../schema/acl-text.ts';
import { RowAccess } from './bucket-access.ts';
import { type Asked, RequestValues } from './condition-values.ts';
import { countPolicySteps, stepsOfDecision } from './policy-meter.ts';
import type { BucketRow, UploadRow, VersionRow } from '../schema/rows.ts';

/** An authorization request: may the caller perform this action on this bucket or object? */
export interface AuthorizationRequest {
  readonly action: Action;
  readonly key?: string;
  /**
   * The version that the action affects, if it exists. It can be a delete marker. If `version` is a function, it is
   * called only when the decision depends on the version.
   */
  readonly version?: VersionRow | (() => VersionRow | undefined) | undefined;
  /** The multipart upload that the action affects, if it exists. */
  readonly upload?: Pick<UploadRow, 'owner'> | undefined;
  /** True if the action creates a new version, so that no existing version is required. */
  readonly creates?: true;
  /**
   * Returns values of the request that policy conditions can compare, in addition to the caller's and the version's
   * values.
   */
  readonly asked?: (() => Asked) | undefined;
  /**
   * True if the request body has not been read yet. The request is then denied only if it would be denied with every
   * possible body.
   */
  readonly unread?: true | undefined;
  /** The step budget and the cache that all decisions of one bulk delete share. Absent in any other request. */
  readonly work?: PolicyWork | undefined;
}

/**
 * Throws `AccessDenied` if the caller may not perform the action. Throws `SlowDown` if a bulk delete exceeds the limit
 * for policy evaluation.
 */
export function allow(caller: Caller, bucket: BucketRow, request: AuthorizationRequest): void {
  const { allowed, by } = decide(caller, bucket, request);
  if (!allowed) throw denied(request, by);
}

export function isAllowed(
  caller: Caller,
  bucket: BucketRow,
  request: AuthorizationRequest,
): boolean {
  return decide(caller, bucket, request).allowed;
}

/**
 * Returns whether the action is allowed, and the reason. A caller without permission to list the bucket gets the same
 * decision for a missing object as for an object that it may not read.
 */
export function decide(caller: Caller, row: BucketRow, request: AuthorizationRequest): Decision {
  const { work = new PolicyWork(stepsOfDecision()) } = request;
  const spentBefore = work.budget.spent;
  try {
    return decideWith(work, caller, row, request);
  } finally {
    countPolicySteps(work.budget.spent - spentBefore);
  }
}

function decideWith(
  work: PolicyWork,
  caller: Caller,
  row: BucketRow,
  request: AuthorizationRequest,
): Decision {
  const { action, key, asked, creates, unread } = request;
  const bucket = new RowAccess(row);
  const { principal } = caller;
  if (key === undefined) {
    return decideAccess({
      principal,
      action,
      bucket,
      conditions: new RequestValues({ caller, asked }),
      unread,
      work,
    });
  }
  const object = new RequestedObject(key, request);
  const conditions = new RequestValues({ caller, asked, version: () => object.version });
  const question = { principal, action, bucket, object, conditions, unread, work };
  const { on, bucketPermission } = actionRule(action);
  const mustExist = on === 'object' && bucketPermission === undefined && !creates;
  // Fail if the caller of this function forgot to look up the version. Otherwise an existing version would count as
  // missing, and reading it would require fewer permissions.
  invariant(
    !mustExist || 'version' in request,
    `${action}: the request names no version and creates none`,
  );
  return mustExist && object.version === undefined
    ? decideMissing(question)
    : decideAccess(question);
}

/**
 * The object of an authorization request. Looks up the version on first use, because a put by the bucket's owner does
 * not need it.
 */
class RequestedObject implements ObjectAccess {
  readonly key: string;
  readonly #request: AuthorizationRequest;
  #looked = false;
  #version: VersionRow | undefined;

  constructor(key: string, request: AuthorizationRequest) {
    this.key = key;
    this.#request = request;
  }

  /**
   * Returns the version, or undefined if it does not exist. Returns a delete marker only if the action is on a version
   * ID.
   */
  get version(): VersionRow | undefined {
    if (this.#looked) return this.#version;
    this.#looked = true;
    const { action, version } = this.#request;
    const found = typeof version === 'function' ? version() : version;
    const isNamed = found?.isDeleteMarker === 0 || action.includes('Version');
    this.#version = isNamed ? found : undefined;
    return this.#version;
  }

  get versionId(): string | undefined {
    return this.version?.versionId;
  }

  get owner(): string | undefined {
    return this.#request.upload?.owner ?? this.version?.owner;
  }

  get acl(): readonly Grant[] | undefined {
    return parseAcl(this.version?.acl ?? null);
  }
}

/**
 * Returns the error for a denied request. The message must reveal neither whether the object exists nor what the policy
 * contains. A bulk delete that exceeds a limit gets `SlowDown`, because it may succeed with fewer keys.
 */
function denied({ action, work }: AuthorizationRequest, by: AccessReason): StorageError {
  const what = action.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  if (by.kind === 'limit') {
    const refusal = `${what}: the policy of the bucket cannot be evaluated for this request: ${by.why}`;
    return work === undefined
      ? new StorageError('AccessDenied', refusal)
      : new StorageError('SlowDown', `${refusal}; delete fewer keys in one request`);
  }
  return new StorageError(
    'AccessDenied',
    `${what}: ${REASONS[by.kind] ?? 'access is not granted'}`,
  );
}

const REASONS: Readonly<Partial<Record<AccessReason['kind'], string>>> = {
  policy: 'the policy of the bucket denies it',
  'owner-only': 'only the owner may do that',
};
