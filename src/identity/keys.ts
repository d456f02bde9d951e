/** Implements `KeyAdmin` with the identity database. */

import { defined } from '../base/defined.ts';
import { invariant } from '../base/errors.ts';
import { principalId, type UserNames } from '../base/principal.ts';
import type { AccessKey, KeyAdmin, ListedKey, RotateRequest } from './identity.ts';
import type { IdentityDatabase } from './identity-database.ts';
import { IdentityError } from './identity-error.ts';
import { KeyCache } from './key-cache.ts';
import { KeyTable, type StoredKey } from './key-table.ts';
import { userNotFound } from './member-table.ts';
import { furtherKeyId, newSecret } from './names.ts';

/**
 * The maximum number of valid access keys of a user: the key that clients use now, and the key to which they are being
 * switched.
 */
const MAX_LIVE_KEYS = 2;

export class Keys implements KeyAdmin {
  readonly #database: IdentityDatabase;
  readonly #table: KeyTable;
  readonly #cache: KeyCache;

  constructor(database: IdentityDatabase) {
    this.#database = database;
    this.#table = new KeyTable(database);
    this.#cache = new KeyCache(database, this.#table);
  }

  findKey(accessKeyId: string): AccessKey | undefined {
    return this.#cache.find(accessKeyId);
  }

  listKeys(): readonly ListedKey[] {
    return this.#table
      .all()
      .filter((key) => this.#isLive(key))
      .map(withoutSecret);
  }

  currentKey(holder: UserNames): AccessKey | undefined {
    return this.#keysOf(holder).findLast(({ expiresAt }) => expiresAt === undefined);
  }

  addKey(holder: UserNames): ListedKey {
    return this.#database.change((at) => {
      checkLimit(this.#keysOf(holder));
      return this.insert(holder, furtherKeyId(holder), at);
    });
  }

  rotateKey({ accessKeyId, graceMs }: RotateRequest) {
    return this.#database.change((at) => {
      const old = this.#find(accessKeyId);
      if (old.expiresAt !== undefined) throw rotatedBefore(old);
      const expiresAt = at + graceMs;
      // Without a grace period, the old key is deleted, so the number of keys does not grow.
      if (graceMs > 0) checkLimit(this.#keysOf(old.principal));
      if (graceMs > 0) this.#table.setEnd(accessKeyId, expiresAt);
      else this.#table.delete(accessKeyId);
      const key = this.insert(old.principal, furtherKeyId(old.principal), at);
      return { key, old: withoutSecret({ ...old, expiresAt }) };
    });
  }

  removeKey(accessKeyId: string): void {
    this.#database.change(() => this.#table.delete(this.#find(accessKeyId).accessKeyId));
  }

  /**
   * Adds an access key with a new secret. Must be called within `IdentityDatabase.change`. Throws
   * IdentityError `NotFound` if the user does not exist.
   */
  insert(holder: UserNames, accessKeyId: string, at: number): ListedKey {
    this.#table.insert(accessKeyId, newSecret(), holder, at);
    const inserted = this.#table.find(accessKeyId);
    if (inserted === undefined) throw userNotFound(holder);
    invariant(
      principalId(inserted.principal) === principalId(holder),
      `key ${accessKeyId} belongs to another user`,
    );
    return withoutSecret(inserted);
  }

  #find(accessKeyId: string): StoredKey {
    const key = this.#table.find(accessKeyId);
    if (key !== undefined && this.#isLive(key)) return key;
    throw new IdentityError(
      'NotFound',
      `key ${accessKeyId} does not exist`,
      'to list all keys: holdfast admin keys list',
    );
  }

  #keysOf(holder: UserNames): readonly StoredKey[] {
    return this.#table.of(holder).filter((key) => this.#isLive(key));
  }

  #isLive({ expiresAt }: AccessKey): boolean {
    return expiresAt === undefined || this.#database.now() < expiresAt;
  }
}

function checkLimit(keys: readonly StoredKey[]): void {
  if (keys.length < MAX_LIVE_KEYS) return;
  const removable = keys.find(({ expiresAt }) => expiresAt !== undefined) ?? keys[0];
  throw new IdentityError(
    'Conflict',
    `cannot add a key: the user has ${MAX_LIVE_KEYS} valid keys already`,
    `remove one of them first: holdfast admin keys remove '${removable?.accessKeyId ?? 'KEY'}'`,
  );
}

function rotatedBefore({ accessKeyId }: StoredKey): IdentityError {
  return new IdentityError(
    'Conflict',
    `cannot rotate key ${accessKeyId}: it was already rotated and expires soon`,
    'to list the key that replaces it: holdfast admin keys list',
  );
}

function withoutSecret(key: StoredKey): ListedKey {
  const { accessKeyId, principal, createdAt, expiresAt, disabled } = key;
  return { accessKeyId, principal, createdAt, disabled, ...defined({ expiresAt }) };
}
