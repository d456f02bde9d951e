/**
 * Defines access keys and their administration. A gateway finds the access key of a request here, and commands add,
 * rotate and remove access keys.
 */

import type { UserNames, UserPrincipal } from '../base/principal.ts';

export interface AccessKey {
  /**
   * The access key ID. A user's first key has the ID `project:user@customer` (specification,
   * "Authentication" 4). Each further key has an ID of the form `project:user+word@customer`.
   */
  readonly accessKeyId: string;
  /** The secret. Must not be logged, or shown to any user except the owner of the key. */
  readonly secretAccessKey: string;
  readonly principal: UserPrincipal;
  /**
   * The time at which the key expires, in milliseconds since 1970. Absent if the key is valid until
   * it is removed.
   */
  readonly expiresAt?: number;
}

export interface Identity {
  /**
   * Returns the access key if it is valid now and its user is not disabled; otherwise undefined.
   * Called for every request, so it must be fast.
   */
  findKey(accessKeyId: string): AccessKey | undefined;
}

/** An access key without its secret, which may be shown to users. */
export interface ListedKey extends Omit<AccessKey, 'secretAccessKey'> {
  /** The time at which the key was created, in milliseconds since 1970. */
  readonly createdAt: number;
  /** Whether the user is disabled. None of the user's keys is then valid. */
  readonly disabled: boolean;
}

/**
 * Administers access keys. When a method returns, its change is durable, and it applies to all
 * later requests. Only `findKey` and `currentKey` return secrets.
 */
export interface KeyAdmin extends Identity {
  /**
   * Returns all access keys that have not expired, sorted by customer, project, user and age, with
   * the oldest first.
   */
  listKeys(): readonly ListedKey[];
  /** Returns the user's newest access key without an expiry time, or undefined. New clients should use this key. */
  currentKey(holder: UserNames): AccessKey | undefined;
  /**
   * Adds an access key for a user. Throws IdentityError `NotFound` for an unknown user, and
   * `Conflict` if the user already has two valid keys.
   */
  addKey(holder: UserNames): ListedKey;
  /**
   * Adds a new access key for the user of an existing key, and lets the existing key expire after
   * `graceMs`. Throws IdentityError `NotFound` for an unknown key. Throws `Conflict` if the
   * existing key was already rotated or, with a grace period, if the user already has two valid
   * keys.
   */
  rotateKey(request: RotateRequest): { readonly key: ListedKey; readonly old: ListedKey };
  /** Deletes an access key. Throws IdentityError `NotFound` for an unknown key. */
  removeKey(accessKeyId: string): void;
}

export interface RotateRequest {
  readonly accessKeyId: string;
  /** The time until the existing key expires, in milliseconds. With 0, the key is deleted immediately. */
  readonly graceMs: number;
}
