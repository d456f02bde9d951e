/** Checks a caller's permissions before the XML or JSON document in the request body is read. */

import { defined } from '../../base/defined.ts';
import { type Action, actionRule } from '../../object-store/action.ts';
import type { RequestAccess, RequestedAction } from '../../object-store/request-access.ts';
import { allow, isAllowed } from '../access/access.ts';
import type { CallerContext } from './caller-context.ts';
import { existingBucket } from '../reads/read-object.ts';
import { namelessDenied } from '../disk/refusals.ts';
import { findVersion } from '../schema/version-lookup.ts';

export class CallerRequestAccess implements RequestAccess {
  readonly #context: CallerContext;

  constructor(context: CallerContext) {
    this.#context = context;
  }

  allow(requested: RequestedAction): void {
    const { action, bucket, key, uploadId } = requested;
    if (action === 'CreateBucket') {
      if (this.#context.caller.principal.kind !== 'user') throw namelessDenied('create bucket');
    } else if (key !== undefined) {
      if (uploadId === undefined) this.#allowObject({ ...requested, key });
      else this.#context.upload({ bucket, key, uploadId }, 'PutObject');
    } else if (actionRule(action).on === 'object') this.#allowSomeObject(requested);
    // For `PutBucketAcl`, policy conditions can depend on the ACL in the request body, which has not been read yet.
    else this.#context.bucket(bucket, action, action === 'PutBucketAcl' ? { unread: true } : {});
  }

  /**
   * Checks an action on an object. Policy conditions on tags, an ACL or a lock cannot be evaluated yet, because these
   * are in the document.
   */
  #allowObject({ action, key, ...requested }: RequestedAction & { readonly key: string }): void {
    const { reader } = this.#context.parts;
    const bucket = existingBucket(reader, requested.bucket);
    const ref = defined({ key, versionId: requested.versionId });
    const version = findVersion(reader.versions, bucket.bucketId, ref);
    allow(this.#context.caller, bucket, { action, key, version, unread: true });
  }

  /**
   * Checks an action on objects that only the document names. A user may own some of these objects, so a user is not
   * refused before the document is read. Anonymous callers and presigned URLs own no objects.
   */
  #allowSomeObject({ action, bucket: name }: RequestedAction): void {
    const bucket = existingBucket(this.#context.parts.reader, name);
    const { caller } = this.#context;
    if (caller.principal.kind === 'user') return;
    const some = { key: '', version: undefined, unread: true } as const;
    const ofVersions: Action | undefined = OF_VERSIONS[action];
    if (ofVersions && isAllowed(caller, bucket, { action: ofVersions, ...some })) return;
    allow(caller, bucket, { action, ...some });
  }
}

/** The action that is required if the document contains a version ID for the object. */
const OF_VERSIONS: Partial<Record<Action, Action>> = { DeleteObject: 'DeleteObjectVersion' };
