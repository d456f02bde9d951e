/**
 * Declares access keys and their administration: how a gateway finds the key of a signature, and
 * how commands add, rotate and remove keys.
 */

import type { UserNames, UserPrincipal } from '../base/principal.ts';

export interface AccessKey {
  /**
   * The form is `project:user@customer` (specification, "Authentication" 4), or
   * `project:user+word@customer` for each further key of the user.
   */
  readonly accessKeyId: string;
  /** Must not be logged, or shown to any user but the owner of the key. */
  readonly secretAccessKey: string;
  readonly principal: UserPrincipal;
  /**
   * When the key expires, in milliseconds since 1970. Absent if it is valid until it is removed.
   */
  readonly expiresAt?: number;
}

export interface Identity {
  /**
   * Returns the key if it is valid now and its user is not disabled; otherwise undefined. Runs for
   * every request, so it must be fast.
   */
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
 * Administers access keys. A change is durable when its method returns, and applies from the next
 * request. Only `findKey` and `currentKey` return secrets.
 */
export interface KeyAdmin extends Identity {
  /**
   * Returns the keys that have not expired, sorted by customer, project, user and age, oldest
   * first.
   */
  listKeys(): readonly ListedKey[];
  /**
   * Returns the newest key of the user among those that never expire, or undefined. New tools
   * should use this key.
   */
  currentKey(holder: UserNames): AccessKey | undefined;
  /**
   * Adds a key to a user. Throws IdentityError `NotFound` for an unknown user, and `Conflict` if
   * the user has two valid keys.
   */
  addKey(holder: UserNames): ListedKey;
  /**
   * Adds a key to the user of an existing key, and lets the existing key expire after `graceMs`.
   * Throws IdentityError `NotFound` for an unknown key. Throws `Conflict` if the key was rotated
   * before or, with a grace period, if the user has two valid keys.
   */
  rotateKey(request: RotateRequest): { readonly key: ListedKey; readonly old: ListedKey };
  /** Deletes a key. Throws IdentityError `NotFound` for an unknown key. */
  removeKey(accessKeyId: string): void;
}

export interface RotateRequest {
  readonly accessKeyId: string;
  /** Milliseconds until the old key expires; 0 deletes it immediately. */
  readonly graceMs: number;
}
