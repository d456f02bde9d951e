/** Who holds which access key: what a gateway asks before it believes a signature, and how keys come and go. */

import type { UserNames, UserPrincipal } from '../base/principal.ts';

export interface AccessKey {
  /** `project:user@customer` (specification, "Authentication" 4); of a further key `project:user+word@customer`. */
  readonly accessKeyId: string;
  /** Never to be logged or shown but to its holder. */
  readonly secretAccessKey: string;
  readonly principal: UserPrincipal;
  /** Milliseconds since 1970: from then on it is no key any more. Absent: until it is removed. */
  readonly expiresAt?: number;
}

export interface Identity {
  /** A key that is live now, of a user who is not disabled. Cheap: it is asked on every request. */
  findKey(accessKeyId: string): AccessKey | undefined;
}

/** A key as it may be shown. */
export interface ListedKey extends Omit<AccessKey, 'secretAccessKey'> {
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Its user is: nobody signs with it until that ends. */
  readonly disabled: boolean;
}

/**
 * What a command may do with keys. All changes are durable when they return, and hold from the next request on.
 * Secrets are told by `findKey` and `currentKey` alone.
 */
export interface KeyAdmin extends Identity {
  /** Those that have not ended, by customer, project and user, the oldest first. */
  listKeys(): readonly ListedKey[];
  /** The newest key that does not end, which new tools are to be given. */
  currentKey(holder: UserNames): AccessKey | undefined;
  /** A further key of a user. Throws IdentityError `NotFound`, or `Conflict` for a third live key. */
  addKey(holder: UserNames): ListedKey;
  /** A new key for the holder of this one, which ends after `graceMs`. Throws IdentityError. */
  rotateKey(request: RotateRequest): { readonly key: ListedKey; readonly old: ListedKey };
  /** Ends a key at once. Throws IdentityError `NotFound`. */
  removeKey(accessKeyId: string): void;
}

export interface RotateRequest {
  readonly accessKeyId: string;
  /** 0 ends the old key at once. */
  readonly graceMs: number;
}
