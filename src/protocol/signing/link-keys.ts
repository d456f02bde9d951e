/**
 * Access keys of download links. None is stored: id and secret of each are derived from one secret of this installation
 * and from what the link is for, so that a link needs no row, and its key is good for nothing else. Another secret
 * ends all links at once; by itself each ends after seven days at the latest.
 */

import { createHmac } from 'node:crypto';

import type { LinkPrincipal } from '../../base/principal.ts';
import type { Target } from '../paths.ts';
import type { WireQuery } from '../wire.ts';
import type { SigningCredentials } from './signing-key.ts';
import { sameSignature } from './string-to-sign.ts';

/** What one link is for. */
export type LinkScope = Omit<LinkPrincipal, 'kind'>;

/** A key that signs one link, and whom it lets act. */
export interface LinkKey extends SigningCredentials {
  readonly principal: LinkPrincipal;
}

/** A user's key id holds an `@`, so that none is taken for a link's. */
const LINK_ID = /^link:[A-Za-z0-9_-]{22}$/;
/** Too many to guess, and short in an address. */
const ID_BYTES = 16;

/** Of the secret that all links of an installation come from. */
export const LINK_SECRET_BYTES = 32;

/** Returns a number that no other bucket ever has; undefined if the bucket does not exist. */
export type BucketIdOf = (bucket: string) => number | undefined;

export class LinkKeys {
  #secret: Uint8Array;
  readonly #bucketIdOf: BucketIdOf;

  /** Names of buckets are free again once these are gone: a link is to the bucket that there was when it was made. */
  constructor(secret: Uint8Array, bucketIdOf: BucketIdOf) {
    this.#secret = secret;
    this.#bucketIdOf = bucketIdOf;
  }

  /** Revokes all earlier links. */
  replaceSecret(secret: Uint8Array): void {
    this.#secret = secret;
  }

  /** The key that signs the one link of this scope. */
  keyFor(scope: LinkScope): LinkKey {
    const bucketId = this.#bucketIdOf(scope.bucket);
    const id = this.#mac('id', scopeText(scope, bucketId)).subarray(0, ID_BYTES);
    const accessKeyId = `link:${id.toString('base64url')}`;
    const secretAccessKey = this.#mac('secret', accessKeyId).toString('base64url');
    return { accessKeyId, secretAccessKey, principal: { kind: 'link', ...scope } };
  }

  /** The key of that id, if it was made for just this request: of any other, nobody knows the id or the secret. */
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

/** Whether an access key id claims to be a link's. */
export function isLinkId(accessKeyId: string): boolean {
  return LINK_ID.test(accessKeyId);
}

/** What of a request a link is held to, beside its signature. */
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

/** No two scopes have one text. */
function scopeText(
  { does, bucket, key, versionId }: LinkScope,
  bucketId: number | undefined,
): string {
  return JSON.stringify([does, bucketId ?? null, bucket, key, versionId ?? null]);
}
