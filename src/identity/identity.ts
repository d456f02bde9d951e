/** Access keys: how a gateway finds the key of a signature, and how commands add, rotate and remove keys. */

import type { UserNames, UserPrincipal } from '../base/principal.ts';

export interface AccessKey {
  /** `project:user@customer` (specification, "Authentication" 4); `project:user+word@customer` for each further key. */
  readonly accessKeyId: string;
  /** Must not be logged, or shown to any user but the owner of the key. */
  readonly secretAccessKey: string;
  readonly principal: UserPrincipal;
  /** When the key ends, in milliseconds since 1970. Absent if it is valid until it is removed. */
  readonly expiresAt?: number;
}

export interface Identity {
  /** Returns the key if it is valid now and its user is not disabled. Runs for every request, so it must be fast. */
  findKey(accessKeyId: string): AccessKey | undefined;
}

/** A key without its secret, which may be shown. */
export interface ListedKey extends Omit<AccessKey, 'secretAccessKey'> {
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Whether the user is disabled, which makes all keys of the user invalid. */
  readonly disabled: boolean;
}

/**
 * Administration of access keys. All changes are durable when they return, and apply from the next request. Only `findKey`
 * and `currentKey` return secrets.
 */
export interface KeyAdmin extends Identity {
  /** Returns the keys that have not ended, sorted by customer, project, user and age, oldest first. */
  listKeys(): readonly ListedKey[];
  /** Returns the newest key of the user that has no end; new tools should use this key. */
  currentKey(holder: UserNames): AccessKey | undefined;
  /** Adds a key to a user. Throws IdentityError `NotFound`, or `Conflict` if the user has two valid keys. */
  addKey(holder: UserNames): ListedKey;
  /** Adds a key to the user of the given key, which then ends after `graceMs`. Throws IdentityError. */
  rotateKey(request: RotateRequest): { readonly key: ListedKey; readonly old: ListedKey };
  /** Deletes a key. Throws IdentityError `NotFound`. */
  removeKey(accessKeyId: string): void;
}

export interface RotateRequest {
  readonly accessKeyId: string;
  /** Milliseconds until the old key ends; 0 deletes it immediately. */
  readonly graceMs: number;
}
