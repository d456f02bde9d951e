/**
 * Decides whether a presigned URL of the service allows an action. Such a URL allows only the action for which it was
 * created.
 */

import type { LinkPrincipal } from '../../base/principal.ts';
import type { Action } from '../action.ts';

/** The action that is requested on an object. */
export interface LinkUse {
  readonly action: Action;
  readonly bucket: string;
  readonly key?: string | undefined;
  /** The ID of the requested version; undefined if that version does not exist. */
  readonly versionId?: string | undefined;
}

/** Returns whether the presigned URL allows the action. A Deny in the bucket policy can still deny it. */
export function isLinkUse(link: LinkPrincipal, use: LinkUse): boolean {
  return isObjectOf(link, use) && isDoneBy(link, use);
}

function isObjectOf(link: LinkPrincipal, { bucket, key }: LinkUse): boolean {
  return bucket === link.bucket && key === link.key;
}

function isDoneBy({ does, versionId }: LinkPrincipal, use: LinkUse): boolean {
  if (does === 'put') return use.action === 'PutObject';
  if (versionId === undefined) return use.action === 'GetObject';
  // A version that does not exist has no ID here. The request is allowed, so that the caller gets the error
  // NoSuchVersion.
  return use.action === 'GetObjectVersion' && (use.versionId ?? versionId) === versionId;
}
