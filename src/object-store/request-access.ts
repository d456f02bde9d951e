/**
 * Defines an authorization check that needs only the request line and the caller. The check runs before the XML or JSON
 * document in the request body is read, because the document can be large.
 */

import type { Action } from './action.ts';

/** The action of a request, as far as it is known before the request body is read. */
export interface RequestedAction {
  readonly action: Action;
  readonly bucket: string;
  /** The object's key. Absent if the action applies to the bucket, or to objects that the document names. */
  readonly key?: string | undefined;
  readonly versionId?: string | undefined;
  readonly uploadId?: string | undefined;
}

/**
 * Authorizes the requests of one caller before their bodies are read. The store authorizes each complete request again
 * when it executes the request.
 */
export interface RequestAccess {
  /**
   * Throws `NoSuchBucket` if the bucket does not exist. Throws `AccessDenied` if the action would be denied with every
   * possible request body.
   */
  allow(requested: RequestedAction): void;
}
