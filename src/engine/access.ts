/** The one door to buckets and objects, on both threads: every call says what it wants to do. */

import type { Action } from '../object-store/action.ts';
import type { Caller } from '../object-store/caller.ts';
import { checkAccess, checkOwner, checkVersionOwner } from '../object-store/rules/access.ts';
import { checkLinkAccess } from '../object-store/rules/link-access.ts';
import type { BucketRow, VersionRow } from './rows.ts';

/** What a caller wants to do in a bucket, or to one of its objects. */
export interface Wish {
  readonly action: Action;
  readonly key?: string;
  /** The version that it is about, where there is one; also a delete marker. */
  readonly version?: VersionRow | undefined;
}

/** Throws `AccessDenied`. */
export function allow(caller: Caller, bucket: BucketRow, { action, key, version }: Wish): void {
  const { principal } = caller;
  if (principal.kind === 'link') {
    const { name } = bucket;
    checkLinkAccess(principal, { action, bucket: name, key, versionId: version?.versionId });
  } else if (action === 'DeleteBucket') checkOwner(principal, bucket);
  else if (action === 'DeleteObjectVersion' && version)
    checkVersionOwner(principal, bucket, version.owner);
  else checkAccess(principal, bucket);
}
