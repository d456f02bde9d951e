/**
 * Derives the access keys of share links. The keys are not stored: the ID and secret of a key are derived from the
 * installation's secret and from the scope of the link. So a key is valid only for its link. A link is valid for at
 * most seven days. Replacing the installation's secret revokes all links earlier.
 */

import { createHmac } from 'node:crypto';

import type { LinkPrincipal } from '../../base/principal.ts';
import type { Target } from '../paths.ts';
import type { WireQuery } from '../wire.ts';
import type { SigningCredentials } from './signing-key.ts';
import { sameSignature } from './string-to-sign.ts';

/** The method, bucket, key and version that a share link allows. */
export type LinkScope = Omit<LinkPrincipal, 'kind'>;

/** The key that signs a share link, and the principal of requests with this link. */
export interface LinkKey extends SigningCredentials {
  readonly principal: LinkPrincipal;
}

/**
 * Matches the access key ID of a share link. It cannot match the access key ID of a user, because that ID contains `@`.
 */
const LINK_ID = /^link:[A-Za-z0-9_-]{22}$/;
/** The number of bytes in a link ID after `link:`. 16 bytes cannot be guessed and are still short in a URL. */
const ID_BYTES = 16;

/** The length of the installation's secret in bytes. */
export const LINK_SECRET_BYTES = 32;

/** Returns the ID of a bucket, or undefined if the bucket does not exist. A bucket ID is never reused. */
export type BucketIdOf = (bucket: string) => number | undefined;

export class LinkKeys {
  #secret: Uint8Array;
  readonly #bucketIdOf: BucketIdOf;

  /**
   * `bucketIdOf` ties a link to its bucket. Otherwise the link would also be valid for a new bucket that has the name
   * of the deleted bucket.
   */
  constructor(secret: Uint8Array, bucketIdOf: BucketIdOf) {
    this.#secret = secret;
    this.#bucketIdOf = bucketIdOf;
  }

  /** Replaces the installation's secret. All existing links become invalid. */
  replaceSecret(secret: Uint8Array): void {
    this.#secret = secret;
  }

  /** Returns the key that signs a link with this scope. */
  keyFor(scope: LinkScope): LinkKey {
    const bucketId = this.#bucketIdOf(scope.bucket);
    const id = this.#mac('id', scopeText(scope, bucketId)).subarray(0, ID_BYTES);
    const accessKeyId = `link:${id.toString('base64url')}`;
    const secretAccessKey = this.#mac('secret', accessKeyId).toString('base64url');
    return { accessKeyId, secretAccessKey, principal: { kind: 'link', ...scope } };
  }

  /**
   * Returns the key with this ID if it was derived for the scope of this request. Otherwise returns undefined. A client
   * cannot guess the ID or secret for another request.
   */
  find(accessKeyId: string, request: LinkRequest): LinkKey | undefined {
    const scope = isLinkId(accessKeyId) ? scopeOf(request) : undefined;
    if (!scope || this.#bucketIdOf(scope.bucket) === undefined) return undefined;
    const key = this.keyFor(scope);
    return sameSignature(key.accessKeyId, accessKeyId) ? key : undefined;
  }

  #mac(purpose: 'id' | 'secret', text: string): Buffer {
    return createHmac('sha256', this.#secret).update(`${purpose}\0${text}`).digest();
  }
}

/** Returns whether an access key ID has the form of a share link's ID. */
export function isLinkId(accessKeyId: string): boolean {
  return LINK_ID.test(accessKeyId);
}

/** The parts of a request to which a share link is limited. */
export interface LinkRequest {
  readonly method: string;
  readonly target: Target;
  readonly query: WireQuery;
}

const DOES: Readonly<Record<string, LinkScope['does']>> = { GET: 'get', HEAD: 'get', PUT: 'put' };

/** Returns the scope of a request, or undefined if links do not support the request. */
function scopeOf({ method, target: { bucket, key }, query }: LinkRequest): LinkScope | undefined {
  const does = DOES[method];
  if (does === undefined || bucket === undefined || key === undefined) return undefined;
  const versionId = query.find(([name]) => name === 'versionId')?.[1];
  return versionId === undefined ? { does, bucket, key } : { does, bucket, key, versionId };
}

/** Returns a text that is unique for each combination of scope and bucket. */
function scopeText(
  { does, bucket, key, versionId }: LinkScope,
  bucketId: number | undefined,
): string {
  return JSON.stringify([does, bucketId ?? null, bucket, key, versionId ?? null]);
}
