/**
 * Access keys of share links. They are not stored: the id and secret are derived from one secret of the installation and
 * from the scope of the link, so that a key is valid only for its link. Replacing the secret revokes all links. Otherwise, a
 * link is valid for at most seven days.
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

/** The access key id of a user contains `@`, so it never has this form. */
const LINK_ID = /^link:[A-Za-z0-9_-]{22}$/;
/** Long enough that an id cannot be guessed, and short in a URL. */
const ID_BYTES = 16;

/** The length of the installation's secret. */
export const LINK_SECRET_BYTES = 32;

/** Returns a number that no other bucket ever has; undefined if the bucket does not exist. */
export type BucketIdOf = (bucket: string) => number | undefined;

export class LinkKeys {
  #secret: Uint8Array;
  readonly #bucketIdOf: BucketIdOf;

  /** `bucketIdOf` ties a link to its bucket, because a name can be reused after the bucket was deleted. */
  constructor(secret: Uint8Array, bucketIdOf: BucketIdOf) {
    this.#secret = secret;
    this.#bucketIdOf = bucketIdOf;
  }

  /** Revokes all earlier links. */
  replaceSecret(secret: Uint8Array): void {
    this.#secret = secret;
  }

  /** Returns the key that signs the link of this scope. */
  keyFor(scope: LinkScope): LinkKey {
    const bucketId = this.#bucketIdOf(scope.bucket);
    const id = this.#mac('id', scopeText(scope, bucketId)).subarray(0, ID_BYTES);
    const accessKeyId = `link:${id.toString('base64url')}`;
    const secretAccessKey = this.#mac('secret', accessKeyId).toString('base64url');
    return { accessKeyId, secretAccessKey, principal: { kind: 'link', ...scope } };
  }

  /** Returns the key with this id if it was derived for this request. Ids and secrets of other requests cannot be guessed. */
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

/** Whether an access key id has the form of a link's. */
export function isLinkId(accessKeyId: string): boolean {
  return LINK_ID.test(accessKeyId);
}

/** The members of a request that a link is restricted to. */
export interface LinkRequest {
  readonly method: string;
  readonly target: Target;
  readonly query: WireQuery;
}

const DOES: Readonly<Record<string, LinkScope['does']>> = { GET: 'get', HEAD: 'get', PUT: 'put' };

/** Undefined for a request that links do not support. */
function scopeOf({ method, target: { bucket, key }, query }: LinkRequest): LinkScope | undefined {
  const does = DOES[method];
  if (does === undefined || bucket === undefined || key === undefined) return undefined;
  const versionId = query.find(([name]) => name === 'versionId')?.[1];
  return versionId === undefined ? { does, bucket, key } : { does, bucket, key, versionId };
}

/** Returns a text that is unique for each scope. */
function scopeText(
  { does, bucket, key, versionId }: LinkScope,
  bucketId: number | undefined,
): string {
  return JSON.stringify([does, bucketId ?? null, bucket, key, versionId ?? null]);
}
