/**
 * Derives the access keys of share links, which are not stored. The ID and the secret of a key are derived from one secret
 * of the installation and from the scope of the link, so that a key is valid only for its link. Replacing the secret of the
 * installation revokes all links. Otherwise, a link is valid for at most seven days.
 */

import { createHmac } from 'node:crypto';

import type { LinkPrincipal } from '../../base/principal.ts';
import type { Target } from '../paths.ts';
import type { WireQuery } from '../wire.ts';
import type { SigningCredentials } from './signing-key.ts';
import { sameSignature } from './string-to-sign.ts';

/** The request that a link allows. */
export type LinkScope = Omit<LinkPrincipal, 'kind'>;

/** The key that signs a link, and the principal of its requests. */
export interface LinkKey extends SigningCredentials {
  readonly principal: LinkPrincipal;
}

/** Matches the access key ID of a link. The access key ID of a user contains `@`, so it never has this form. */
const LINK_ID = /^link:[A-Za-z0-9_-]{22}$/;
/**
 * The length in bytes of the part of an ID after `link:`. It is long enough that an ID cannot be guessed, and short in a
 * URL.
 */
const ID_BYTES = 16;

/** The length of the installation's secret in bytes. */
export const LINK_SECRET_BYTES = 32;

/** Returns the number of a bucket, which no other bucket ever has, or undefined if the bucket does not exist. */
export type BucketIdOf = (bucket: string) => number | undefined;

export class LinkKeys {
  #secret: Uint8Array;
  readonly #bucketIdOf: BucketIdOf;

  /** `bucketIdOf` ties a link to its bucket, because a name can be reused after its bucket is deleted. */
  constructor(secret: Uint8Array, bucketIdOf: BucketIdOf) {
    this.#secret = secret;
    this.#bucketIdOf = bucketIdOf;
  }

  /** Replaces the secret of the installation, which revokes all links that were created before. */
  replaceSecret(secret: Uint8Array): void {
    this.#secret = secret;
  }

  /** Returns the key that signs the link with this scope. */
  keyFor(scope: LinkScope): LinkKey {
    const bucketId = this.#bucketIdOf(scope.bucket);
    const id = this.#mac('id', scopeText(scope, bucketId)).subarray(0, ID_BYTES);
    const accessKeyId = `link:${id.toString('base64url')}`;
    const secretAccessKey = this.#mac('secret', accessKeyId).toString('base64url');
    return { accessKeyId, secretAccessKey, principal: { kind: 'link', ...scope } };
  }

  /**
   * Returns the key with this ID if it was derived for this request, and otherwise undefined. A client cannot guess the ID
   * or the secret of the key for another request.
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

/** Returns whether an access key ID has the form of a link's ID. */
export function isLinkId(accessKeyId: string): boolean {
  return LINK_ID.test(accessKeyId);
}

/** The parts of a request to which a link is restricted. */
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

/** Returns a text that is different for each scope and bucket. */
function scopeText(
  { does, bucket, key, versionId }: LinkScope,
  bucketId: number | undefined,
): string {
  return JSON.stringify([does, bucketId ?? null, bucket, key, versionId ?? null]);
}
