/**
 * Checks whether a caller may write an object or use a multipart upload. A request with tags, an ACL or a lock requires
 * additional permissions.
 */

import { DAY_MS } from '../../base/durations.ts';
import { principalId } from '../../base/principal.ts';
import type { AclRequest } from '../../object-store/access.ts';
import type { Caller } from '../../object-store/caller.ts';
import type { LockRequest, ObjectRef, WriteConditions } from '../../object-store/object-store.ts';
import type { Grant, Permission } from '../../object-store/rules/access/acl.ts';
import {
  CANNED_ACLS,
  cannedGrants,
  type Owners,
} from '../../object-store/rules/access/canned-acl.ts';
import type { Tag } from '../../object-store/tags.ts';
import { allow, type AuthorizationRequest } from './access.ts';
import { formatAcl, parseAcl } from '../schema/acl-text.ts';
import type { Asked } from './condition-values.ts';
import type { BucketRow, UploadRow, VersionRow } from '../schema/rows.ts';
import { parseTags } from '../schema/tag-text.ts';

const ENCRYPTED = 's3:x-amz-server-side-encryption-customer-algorithm';
const STORAGE_CLASS = 's3:x-amz-storage-class';

export interface AskedWrite {
  readonly key: string;
  readonly acl?: AclRequest | undefined;
  readonly tags?: readonly Tag[] | undefined;
  readonly lock?: LockRequest | undefined;
  readonly conditions?: WriteConditions | undefined;
  /** `customerKey` is present in a request, and `encryption` in a stored object, if the object is encrypted. */
  readonly customerKey?: unknown;
  readonly encryption?: unknown;
  /** The object that a copy request reads. */
  readonly source?: ObjectRef | undefined;
  readonly attributes?: unknown;
  /** True if a copy request states explicitly that the copy keeps the attributes of its source. */
  readonly statesCopy?: true | undefined;
}

/**
 * Throws `AccessDenied` unless the caller may write the object with these tags, this ACL and these locks. `latest`
 * returns the key's current version.
 */
export function allowWrite(
  caller: Caller,
  bucket: BucketRow,
  request: AskedWrite,
  latest: () => VersionRow | undefined,
): void {
  const { key, acl, tags, lock } = request;
  const asked = () => askedOfWrite(request, caller.askedAt ?? caller.signedAt);
  const allowed = (part: Pick<AuthorizationRequest, 'action' | 'creates' | 'version'>) =>
    allow(caller, bucket, { ...part, key, asked });
  allowed({ action: 'PutObject', version: latest });
  if (acl !== undefined && !isPrivate(acl)) allowed({ action: 'PutObjectAcl', creates: true });
  if (tags !== undefined) allowed({ action: 'PutObjectTagging', creates: true });
  if (lock?.retention) allowed({ action: 'PutObjectRetention', creates: true });
  if (lock?.legalHold !== undefined) allowed({ action: 'PutObjectLegalHold', creates: true });
}

/** Returns whether the request states the default ACL, which some clients send with every put. */
function isPrivate(acl: AclRequest): boolean {
  return 'canned' in acl && acl.canned === 'private';
}

interface AskedUpload {
  readonly action: 'AbortMultipartUpload' | 'ListMultipartUploadParts' | 'PutObject';
  readonly key: string;
  /**
   * The multipart upload; undefined if it is not open. Whether the upload is open is revealed only to a caller with
   * permission to use it.
   */
  readonly upload: UploadRow | undefined;
  /** Returns the key's current version. */
  readonly latest: () => VersionRow | undefined;
  /** The object from which a part is copied. */
  readonly source?: ObjectRef | undefined;
}

/** Throws `AccessDenied` unless the caller may perform the action on the multipart upload. */
export function allowUpload(
  caller: Caller,
  bucket: BucketRow,
  { action, key, upload, latest, source }: AskedUpload,
): void {
  const about = action === 'PutObject' ? { version: latest } : { upload };
  const asked = () => ({ ...askedOfUpload(upload, bucket), ...askedOfSource(source) });
  allow(caller, bucket, { action, key, ...about, asked });
}

function askedOfWrite(request: AskedWrite, now: number): Asked {
  const { acl, tags, lock, conditions, source, attributes, statesCopy } = request;
  return {
    ...askedOfAcl(acl),
    ...askedOfTags(tags),
    ...askedOfLock(lock, now),
    's3:if-match': conditions?.ifMatch,
    's3:if-none-match': conditions?.ifNoneMatch,
    ...askedOfSource(source),
    's3:x-amz-metadata-directive':
      source && attributes !== undefined ? 'REPLACE' : statesCopy ? 'COPY' : undefined,
    [ENCRYPTED]: (request.customerKey ?? request.encryption) === undefined ? undefined : 'AES256',
    [STORAGE_CLASS]: 'STANDARD',
  };
}

function askedOfSource(source: ObjectRef | undefined): Asked {
  return { 's3:x-amz-copy-source': source && `${source.bucket}/${source.key}` };
}

const GRANT_KEYS: readonly (readonly [key: string, permission: Permission])[] = [
  ['s3:x-amz-grant-full-control', 'FULL_CONTROL'],
  ['s3:x-amz-grant-read', 'READ'],
  ['s3:x-amz-grant-read-acp', 'READ_ACP'],
  ['s3:x-amz-grant-write', 'WRITE'],
  ['s3:x-amz-grant-write-acp', 'WRITE_ACP'],
];

/**
 * Returns the condition values of the ACL in a request. All grantees of a permission form one value, so that a
 * condition must hold for all of them.
 */
export function askedOfAcl(acl: AclRequest | undefined): Asked {
  if (acl === undefined) return {};
  if ('canned' in acl) return { 's3:x-amz-acl': acl.canned };
  return Object.fromEntries(
    GRANT_KEYS.map(([key, right]) => {
      const grants = acl.grants.filter(({ permission }) => permission === right);
      const names = grants.map((grant) =>
        'emailAddress' in grant ? `emailAddress=${grant.emailAddress}` : `id=${grant.grantee}`,
      );
      return [key, names.length === 0 ? undefined : names.join(',')];
    }),
  );
}

export function askedOfTags(tags: readonly Tag[] | undefined): Asked {
  if (tags === undefined || tags.length === 0) return {};
  const each = tags.map(({ key, value }) => [`s3:requestobjecttag/${key}`, value] as const);
  return { ...Object.fromEntries(each), 's3:requestobjecttagkeys': tags.map(({ key }) => key) };
}

export function askedOfLock(lock: LockRequest | undefined, now: number): Asked {
  const { retention, legalHold } = lock ?? {};
  return {
    's3:object-lock-legal-hold': legalHold === undefined ? undefined : legalHold ? 'ON' : 'OFF',
    's3:object-lock-mode': retention?.mode,
    's3:object-lock-retain-until-date': retention && new Date(retention.retainUntil).toISOString(),
    's3:object-lock-remaining-retention-days':
      retention && String(Math.ceil((retention.retainUntil - now) / DAY_MS)),
  };
}

/**
 * Returns the condition values of a multipart upload. The ACL, tags and encryption of the request that created the
 * upload apply to all its parts.
 */
function askedOfUpload(upload: UploadRow | undefined, bucket: BucketRow): Asked {
  if (upload === undefined) return {};
  const { owner, encryption } = upload;
  const grants = parseAcl(upload.acl);
  const owners = { owner, bucketOwner: principalId(bucket) };
  const tags = parseTags(upload.tags);
  return {
    ...askedOfAcl(grants && (namedList(grants, owners) ?? { grants })),
    ...askedOfTags(tags),
    [ENCRYPTED]: encryption === null ? undefined : 'AES256',
    [STORAGE_CLASS]: 'STANDARD',
  };
}

function namedList(grants: readonly Grant[], owners: Owners): AclRequest | undefined {
  const stored = formatAcl(grants);
  const canned = CANNED_ACLS.find((each) => formatAcl(cannedGrants(each, owners)) === stored);
  return canned && { canned };
}
