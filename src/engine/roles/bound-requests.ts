/** What one caller could be allowed, whatever the document of the request says that is still to be read. */

import { defined } from '../../base/defined.ts';
import { type Action, actionRule } from '../../object-store/action.ts';
import type { RequestAccess, RequestWish } from '../../object-store/request-access.ts';
import { allow, isAllowed } from '../access/access.ts';
import { BoundCalls } from './bound-calls.ts';
import { existingBucket } from '../reads/read-object.ts';
import { namelessDenied } from '../disk/refusals.ts';
import { findVersion } from '../schema/version-lookup.ts';

export class BoundRequests extends BoundCalls implements RequestAccess {
  allow(wish: RequestWish): void {
    const { action, bucket, key, uploadId } = wish;
    if (action === 'CreateBucket') {
      if (this.caller.principal.kind !== 'user') throw namelessDenied('create bucket');
    } else if (key !== undefined) {
      if (uploadId === undefined) this.#allowObject({ ...wish, key });
      else this.upload({ bucket, key, uploadId }, 'PutObject');
    } else if (actionRule(action).on === 'object') this.#allowSomeObject(wish);
    // The document is a list, and what conditions ask of it.
    else this.bucket(bucket, action, action === 'PutBucketAcl' ? { unread: true } : {});
  }

  /** What the object is to get stands in the document, and conditions may be about it. */
  #allowObject({ action, key, ...wish }: RequestWish & { readonly key: string }): void {
    const { reader } = this.parts;
    const bucket = existingBucket(reader, wish.bucket);
    const ref = defined({ key, versionId: wish.versionId });
    const version = findVersion(reader.versions, bucket.bucketId, ref);
    allow(this.caller, bucket, { action, key, version, unread: true });
  }

  /** The document names the objects. Some may belong to the caller, unless that is nobody who could own one. */
  #allowSomeObject({ action, bucket: name }: RequestWish): void {
    const bucket = existingBucket(this.parts.reader, name);
    const { caller } = this;
    if (caller.principal.kind === 'user') return;
    const some = { key: '', version: undefined, unread: true } as const;
    const ofVersions: Action | undefined = OF_VERSIONS[action];
    if (ofVersions && isAllowed(caller, bucket, { action: ofVersions, ...some })) return;
    allow(caller, bucket, { action, ...some });
  }
}

/** What it takes for a version that the document names. */
const OF_VERSIONS: Partial<Record<Action, Action>> = { DeleteObject: 'DeleteObjectVersion' };
