/** Identities in a SQLite file of mode 0600. */

import type Database from 'better-sqlite3';

import type { Clock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import { invariant } from '../base/errors.ts';
import { principalId, type UserPrincipal } from '../base/principal.ts';
import type { AccessKey, KeyAdmin, KeyHolder, ListedKey, RotateRequest } from './identity.ts';
import { IdentityError } from './identity-error.ts';
import { openIdentityFile } from './identity-file.ts';
import { KeyTable, type StoredKey } from './key-table.ts';
import { checkNames, furtherKeyId, newSecret } from './names.ts';

export interface SqliteIdentity extends KeyAdmin {
  /** The user that everything begins with, who has full access. The first time it gets a key, never again. */
  ensureFirstUser(request: { readonly user: string }): UserPrincipal;
  close(): void;
}

export interface IdentityOptions {
  /** In a folder that exists. */
  readonly path: string;
  readonly clock: Clock;
}

const CUSTOMER = 'local';
export const FIRST_PROJECT = 'holdfast';
/** One to use and one to go over to: more would only be forgotten. */
const MAX_LIVE_KEYS = 2;

/** Opens the file, or makes it. Throws for a file of a later version of Holdfast. */
export function openSqliteIdentity({ path, clock }: IdentityOptions): SqliteIdentity {
  return new SqliteIdentityStore(openIdentityFile(path), clock);
}

/** More keys than one machine's store has users; beyond it all are read again. */
const MAX_CACHED_KEYS = 1_000;

class SqliteIdentityStore implements SqliteIdentity {
  readonly #database: Database.Database;
  readonly #clock: Clock;
  readonly #table: KeyTable;
  readonly #dataVersion: Database.Statement<[], number>;
  readonly #cache = new Map<string, AccessKey>();
  #cachedVersion = -1;

  constructor(database: Database.Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#dataVersion = database.prepare<[], number>('PRAGMA data_version').pluck();
    this.#table = new KeyTable(database);
  }

  findKey(accessKeyId: string): AccessKey | undefined {
    this.#forgetWhatOthersChanged();
    const key = this.#cache.get(accessKeyId) ?? this.#table.find(accessKeyId);
    if (key === undefined || !this.#isLive(key)) return undefined;
    if (this.#cache.size >= MAX_CACHED_KEYS) this.#cache.clear();
    this.#cache.set(accessKeyId, key);
    return key;
  }

  listKeys(): readonly ListedKey[] {
    return this.#table
      .all()
      .filter((key) => this.#isLive(key))
      .map(withoutSecret);
  }

  currentKey(holder: KeyHolder): AccessKey | undefined {
    return this.#keysOf(holder).findLast(({ expiresAt }) => expiresAt === undefined);
  }

  ensureFirstUser({ user }: { readonly user: string }): UserPrincipal {
    const principal = principalOf({ user, project: FIRST_PROJECT }, true);
    this.#change((at) => {
      if (this.#table.ensureHolder(principal, at))
        this.#insert(principal, at, principalId(principal));
    });
    return principal;
  }

  addKey({ fullAccess, ...holder }: KeyHolder & { readonly fullAccess: boolean }): ListedKey {
    checkNames(holder);
    return this.#change((at) => {
      checkRoom(this.#keysOf(holder));
      const principal = principalOf(holder, fullAccess);
      const isNew = this.#table.ensureHolder(principal, at);
      return this.#insert(principal, at, isNew ? principalId(principal) : furtherKeyId(principal));
    });
  }

  rotateKey({ accessKeyId, graceMs }: RotateRequest) {
    return this.#change((at) => {
      const old = this.#find(accessKeyId);
      if (old.expiresAt !== undefined) throw rotatedBefore(old);
      const expiresAt = at + graceMs;
      // Without a grace the new key takes the old one's room.
      if (graceMs > 0) checkRoom(this.#keysOf(old.principal));
      this.#table.setEnd(accessKeyId, expiresAt);
      this.#table.deleteEnded(at);
      const key = this.#insert(old.principal, at, furtherKeyId(old.principal));
      return { key, old: withoutSecret({ ...old, expiresAt }) };
    });
  }

  removeKey(accessKeyId: string): void {
    this.#change(() => this.#table.delete(this.#find(accessKeyId).accessKeyId));
  }

  close(): void {
    this.#cache.clear();
    this.#database.close();
  }

  /** One transaction; keys that have ended go with it, and nothing is believed from before it. */
  #change<T>(change: (at: number) => T): T {
    const at = this.#clock.now();
    const work = this.#database.transaction(() => {
      this.#table.deleteEnded(at);
      return change(at);
    });
    try {
      return work.immediate();
    } finally {
      this.#cache.clear();
    }
  }

  #insert(principal: UserPrincipal, createdAt: number, accessKeyId: string): ListedKey {
    this.#table.insert({ accessKeyId, secretAccessKey: newSecret(), principal, createdAt });
    const made = this.#table.find(accessKeyId);
    invariant(made, `make key ${accessKeyId}: it cannot be read back`);
    return withoutSecret(made);
  }

  #find(accessKeyId: string): StoredKey {
    const key = this.#table.find(accessKeyId);
    if (key !== undefined && this.#isLive(key)) return key;
    throw new IdentityError(
      'NotFound',
      `find key ${accessKeyId}: there is none of that id`,
      'holdfast credentials list shows those there are',
    );
  }

  #keysOf({ user, project }: KeyHolder): readonly StoredKey[] {
    const keys = this.#table.all().filter((key) => this.#isLive(key));
    return keys.filter(({ principal: p }) => p.user === user && p.project === project);
  }

  #isLive({ expiresAt }: AccessKey): boolean {
    return expiresAt === undefined || this.#clock.now() < expiresAt;
  }

  /** Another process rotated or removed a key: its commits change the version, ours do not. */
  #forgetWhatOthersChanged(): void {
    const version = this.#dataVersion.get() ?? 0;
    if (version === this.#cachedVersion) return;
    this.#cache.clear();
    this.#cachedVersion = version;
  }
}

function principalOf({ user, project }: KeyHolder, fullAccess: boolean): UserPrincipal {
  return { kind: 'user', project, user, customer: CUSTOMER, fullAccess };
}

function checkRoom(known: readonly StoredKey[]): void {
  if (known.length < MAX_LIVE_KEYS) return;
  const dispensable = known.find(({ expiresAt }) => expiresAt !== undefined) ?? known[0];
  throw new IdentityError(
    'Conflict',
    `make key: ${MAX_LIVE_KEYS} keys of that user are live already`,
    `end one first: holdfast credentials remove '${dispensable?.accessKeyId ?? 'KEY'}'`,
  );
}

function rotatedBefore({ accessKeyId }: StoredKey): IdentityError {
  return new IdentityError(
    'Conflict',
    `rotate key ${accessKeyId}: it was rotated before, and is about to end`,
    'holdfast credentials list shows the key that took its place',
  );
}

function withoutSecret(key: StoredKey): ListedKey {
  const { accessKeyId, principal, createdAt, expiresAt } = key;
  return { accessKeyId, principal, createdAt, ...defined({ expiresAt }) };
}
