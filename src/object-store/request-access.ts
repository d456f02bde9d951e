/**
 * Declares an authorization check that needs only the request line and the caller. It runs before the document of the
 * request is read, because the document may be large.
 */

import type { Action } from './action.ts';

/** The action of a request, as far as it is known without the document. */
export interface RequestedAction {
  readonly action: Action;
  readonly bucket: string;
  /** Absent if the action applies to the bucket, or to objects that the document names. */
  readonly key?: string | undefined;
  readonly versionId?: string | undefined;
  readonly uploadId?: string | undefined;
}

/**
 * Authorizes requests of one caller before they are read. The store authorizes the complete request again when it executes
 * it.
 */
export interface RequestAccess {
  /** Throws `NoSuchBucket`, or `AccessDenied` if the action would be denied with any document. */
  allow(requested: RequestedAction): void;
}
