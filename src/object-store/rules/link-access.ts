/** What a download link may do: the one thing that it was made for, and nothing that is near it. */

import type { LinkPrincipal } from '../../base/principal.ts';
import type { Action } from '../action.ts';

/** What is wanted, as the door to the store asks for it. */
export interface LinkUse {
  readonly action: Action;
  readonly bucket: string;
  readonly key?: string | undefined;
  /** Of the version that it is about, where there is one. */
  readonly versionId?: string | undefined;
}

/** A denial by the bucket's policy is still to be looked for: it wins. */
export function isLinkUse(link: LinkPrincipal, use: LinkUse): boolean {
  return isObjectOf(link, use) && isDoneBy(link, use);
}

function isObjectOf(link: LinkPrincipal, { bucket, key }: LinkUse): boolean {
  return bucket === link.bucket && key === link.key;
}

function isDoneBy({ does, versionId }: LinkPrincipal, use: LinkUse): boolean {
  if (does === 'put') return use.action === 'PutObject';
  if (versionId === undefined) return use.action === 'GetObject';
  // A version that is not there has no id: who asks for it learns that it is missing.
  return use.action === 'GetObjectVersion' && (use.versionId ?? versionId) === versionId;
}
