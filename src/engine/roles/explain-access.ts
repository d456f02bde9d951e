/** Explains to an administrator whether a request would be allowed, and which rule decides. */

import { defined } from '../../base/defined.ts';
import type { Action } from '../../object-store/action.ts';
import type { Caller } from '../../object-store/caller.ts';
import type { AccessReason } from '../../object-store/rules/access/decide.ts';
import { checkBucketName, checkKey } from '../../object-store/rules/naming.ts';
import { decide } from '../access/access.ts';
import { RowAccess } from '../access/bucket-access.ts';
import type { Asked } from '../access/condition-values.ts';
import type { MetadataReader } from '../reads/metadata-reader.ts';
import { noSuchBucket } from '../disk/refusals.ts';
import type { BucketRow } from '../schema/rows.ts';
import { findVersion } from '../schema/version-lookup.ts';

export interface AccessInquiry {
  readonly caller: Caller;
  readonly action: Action;
  readonly bucket: string;
  /** The object's key; absent for an action on the bucket. */
  readonly key?: string | undefined;
  readonly versionId?: string | undefined;
  /** Additional values of the request that policy conditions can compare, by condition key. */
  readonly asked: Asked;
}

export interface AccessExplanation {
  readonly allowed: boolean;
  readonly by: AccessReason;
  /** The decisive policy statement, as a number counted from 1. Absent if no statement decides. */
  readonly statement?: number;
  /**
   * Whether the object exists; always true for an action on the bucket. A response does not reveal that an object is
   * missing to a caller that may not list the bucket.
   */
  readonly exists: boolean;
  /** Whether the caller has full access in the bucket's project. Present only for actions that require full access. */
  readonly fullAccess?: boolean;
}

/**
 * Returns whether the request would be allowed, and why. Throws `NoSuchBucket`, or `InvalidArgument` for an invalid
 * version ID. Logs and changes nothing.
 */
export function explainAccess(reader: MetadataReader, inquiry: AccessInquiry): AccessExplanation {
  const { caller, action, bucket: name, key, versionId, asked } = inquiry;
  checkBucketName(name);
  if (key !== undefined) checkKey(key);
  const bucket = reader.buckets.bucket(name);
  if (bucket === undefined) throw noSuchBucket(name);
  const version =
    key === undefined
      ? undefined
      : findVersion(reader.versions, bucket.bucketId, { key, ...defined({ versionId }) });
  const request = key === undefined ? { action } : { action, key, version };
  const { allowed, by } = decide(caller, bucket, { ...request, asked: () => asked });
  const exists = key === undefined || version?.isDeleteMarker === 0;
  return { allowed, by, exists, ...statementAt(bucket, by), ...privilege(caller, bucket, action) };
}

function statementAt(bucket: BucketRow, by: AccessReason): { readonly statement?: number } {
  if (by.kind !== 'policy') return {};
  const index = new RowAccess(bucket).policy?.statements.indexOf(by.statement) ?? -1;
  return index < 0 ? {} : { statement: index + 1 };
}

/**
 * The actions that require full access: changing legal holds and bypassing governance retention (specification,
 * "Authentication" 7).
 */
const TAKES_FULL_ACCESS: ReadonlySet<Action> = new Set([
  'BypassGovernanceRetention',
  'PutObjectLegalHold',
]);

function privilege(
  { principal }: Caller,
  { project, customer }: BucketRow,
  action: Action,
): { readonly fullAccess?: boolean } {
  if (!TAKES_FULL_ACCESS.has(action)) return {};
  const isOwn =
    principal.kind === 'user' && principal.project === project && principal.customer === customer;
  return { fullAccess: isOwn && principal.fullAccess };
}
