/** Decides whether a share link allows an action. A link allows only the one action that it was created for. */

import type { LinkPrincipal } from '../../base/principal.ts';
import type { Action } from '../action.ts';

/** The requested action on an object. */
export interface LinkUse {
  readonly action: Action;
  readonly bucket: string;
  readonly key?: string | undefined;
  /** The id of the requested version, if that version exists. */
  readonly versionId?: string | undefined;
}

/** Returns whether the link allows the action, unless a Deny of the bucket's policy matches. */
export function isLinkUse(link: LinkPrincipal, use: LinkUse): boolean {
  return isObjectOf(link, use) && isDoneBy(link, use);
}

function isObjectOf(link: LinkPrincipal, { bucket, key }: LinkUse): boolean {
  return bucket === link.bucket && key === link.key;
}

function isDoneBy({ does, versionId }: LinkPrincipal, use: LinkUse): boolean {
  if (does === 'put') return use.action === 'PutObject';
  if (versionId === undefined) return use.action === 'GetObject';
  // A version that does not exist has no id. The request is allowed, so that its caller gets NoSuchVersion.
  return use.action === 'GetObjectVersion' && (use.versionId ?? versionId) === versionId;
}
