/** The access keys of the identity database. */

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

/** One to use and one to go over to: more would only be forgotten. */
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
      checkRoom(this.#keysOf(holder));
      return this.insert(holder, furtherKeyId(holder), at);
    });
  }

  rotateKey({ accessKeyId, graceMs }: RotateRequest) {
    return this.#database.change((at) => {
      const old = this.#find(accessKeyId);
      if (old.expiresAt !== undefined) throw rotatedBefore(old);
      const expiresAt = at + graceMs;
      // Without a grace the new key takes the old one's room.
      if (graceMs > 0) checkRoom(this.#keysOf(old.principal));
      if (graceMs > 0) this.#table.setEnd(accessKeyId, expiresAt);
      else this.#table.delete(accessKeyId);
      const key = this.insert(old.principal, furtherKeyId(old.principal), at);
      return { key, old: withoutSecret({ ...old, expiresAt }) };
    });
  }

  removeKey(accessKeyId: string): void {
    this.#database.change(() => this.#table.delete(this.#find(accessKeyId).accessKeyId));
  }

  /** Within a change. Throws IdentityError `NotFound` for a user that is not there. */
  insert(holder: UserNames, accessKeyId: string, at: number): ListedKey {
    this.#table.insert(accessKeyId, newSecret(), holder, at);
    const made = this.#table.find(accessKeyId);
    if (made === undefined) throw userNotFound(holder);
    invariant(
      principalId(made.principal) === principalId(holder),
      `key ${accessKeyId}: of another`,
    );
    return withoutSecret(made);
  }

  #find(accessKeyId: string): StoredKey {
    const key = this.#table.find(accessKeyId);
    if (key !== undefined && this.#isLive(key)) return key;
    throw new IdentityError(
      'NotFound',
      `find key ${accessKeyId}: there is none of that id`,
      'holdfast keys list shows those there are',
    );
  }

  #keysOf(holder: UserNames): readonly StoredKey[] {
    return this.#table.of(holder).filter((key) => this.#isLive(key));
  }

  #isLive({ expiresAt }: AccessKey): boolean {
    return expiresAt === undefined || this.#database.now() < expiresAt;
  }
}

function checkRoom(known: readonly StoredKey[]): void {
  if (known.length < MAX_LIVE_KEYS) return;
  const dispensable = known.find(({ expiresAt }) => expiresAt !== undefined) ?? known[0];
  throw new IdentityError(
    'Conflict',
    `make key: ${MAX_LIVE_KEYS} keys of that user are live already`,
    `end one first: holdfast keys remove '${dispensable?.accessKeyId ?? 'KEY'}'`,
  );
}

function rotatedBefore({ accessKeyId }: StoredKey): IdentityError {
  return new IdentityError(
    'Conflict',
    `rotate key ${accessKeyId}: it was rotated before, and is about to end`,
    'holdfast keys list shows the key that took its place',
  );
}

function withoutSecret(key: StoredKey): ListedKey {
  const { accessKeyId, principal, createdAt, expiresAt, disabled } = key;
  return { accessKeyId, principal, createdAt, disabled, ...defined({ expiresAt }) };
}
