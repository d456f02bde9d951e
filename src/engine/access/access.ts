/** The one door to buckets and objects, on both threads: every call says what it wants to do. */

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

/** What a caller wants to do in a bucket, or to one of its objects. */
export interface Wish {
  readonly action: Action;
  readonly key?: string;
  /** The version that it is about, where there is one; also a delete marker. Looked for only where it matters. */
  readonly version?: VersionRow | (() => VersionRow | undefined) | undefined;
  /** The upload that it is about, where there is one. */
  readonly upload?: Pick<UploadRow, 'owner'> | undefined;
  /** It is about a version that is only to be made. */
  readonly creates?: true;
  /** What the request says beside that, for the conditions of a policy. */
  readonly asked?: (() => Asked) | undefined;
  /** What else it says is still to be read, and may speak in its favour. */
  readonly unread?: true | undefined;
  /** Shared by all decisions of one bulk delete. */
  readonly work?: PolicyWork | undefined;
}

/** Throws `AccessDenied`, and `SlowDown` where a bulk delete takes more work than one request may. */
export function allow(caller: Caller, bucket: BucketRow, wish: Wish): void {
  const { allowed, by } = decide(caller, bucket, wish);
  if (!allowed) throw denied(wish, by);
}

export function isAllowed(caller: Caller, bucket: BucketRow, wish: Wish): boolean {
  return decide(caller, bucket, wish).allowed;
}

/** The decision with its reason. What is missing is denied as if it were not, to whoever may not list the bucket. */
export function decide(caller: Caller, row: BucketRow, wish: Wish): Decision {
  const { work = new PolicyWork(stepsOfDecision()) } = wish;
  const spentBefore = work.budget.spent;
  try {
    return decideWith(work, caller, row, wish);
  } finally {
    countPolicySteps(work.budget.spent - spentBefore);
  }
}

function decideWith(work: PolicyWork, caller: Caller, row: BucketRow, wish: Wish): Decision {
  const { action, key, asked, creates, unread } = wish;
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
  const object = new WishedObject(key, wish);
  const conditions = new RequestValues({ caller, asked, version: () => object.version });
  const question = { principal, action, bucket, object, conditions, unread, work };
  const { on, bucketRight } = actionRule(action);
  const mustExist = on === 'object' && bucketRight === undefined && !creates;
  // Else what was not looked for would be taken for missing, which takes less.
  invariant(
    !mustExist || 'version' in wish,
    `${action}: the version is to be named, or to be made`,
  );
  return mustExist && object.version === undefined
    ? decideMissing(question)
    : decideAccess(question);
}

/** An object as the question needs it: who puts one in their own bucket is answered before it is looked for. */
class WishedObject implements ObjectAccess {
  readonly key: string;
  readonly #wish: Wish;
  #looked = false;
  #version: VersionRow | undefined;

  constructor(key: string, wish: Wish) {
    this.key = key;
    this.#wish = wish;
  }

  /** A delete marker is a version to whoever names it, and nothing to others. */
  get version(): VersionRow | undefined {
    if (this.#looked) return this.#version;
    this.#looked = true;
    const { action, version } = this.#wish;
    const found = typeof version === 'function' ? version() : version;
    const isNamed = found?.isDeleteMarker === 0 || action.includes('Version');
    this.#version = isNamed ? found : undefined;
    return this.#version;
  }

  get versionId(): string | undefined {
    return this.version?.versionId;
  }

  get owner(): string | undefined {
    return this.#wish.upload?.owner ?? this.version?.owner;
  }

  get acl(): readonly Grant[] | undefined {
    return parseAcl(this.version?.acl ?? null);
  }
}

/**
 * The message says neither whether the object exists nor how a policy is written. Fewer keys in one request may help a bulk
 * delete that exceeds a limit; to repeat any other request does not.
 */
function denied({ action, work }: Wish, by: AccessReason): StorageError {
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
