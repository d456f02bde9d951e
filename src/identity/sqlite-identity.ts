/** Identities in a SQLite file of mode 0600. */

import { randomBytes } from 'node:crypto';
import { closeSync, fchmodSync, openSync } from 'node:fs';

import Database from 'better-sqlite3';

import type { Clock } from '../base/clock.ts';
import { principalId, type UserPrincipal } from '../base/principal.ts';
import type { AccessKey, Identity } from './identity.ts';
import { SCHEMA, SCHEMA_VERSION } from './schema.ts';

export interface SqliteIdentity extends Identity {
  /** Makes the user and its key the first time; the same key ever after. The user has full access. */
  ensureFirstUser(request: { readonly user: string }): AccessKey;
  close(): void;
}

export interface IdentityOptions {
  /** In a folder that exists. */
  readonly path: string;
  readonly clock: Clock;
}

const FIRST_CUSTOMER = 'local';
const FIRST_PROJECT = 'holdfast';
/** 240 bits as 40 characters of base64url. */
const SECRET_BYTES = 30;
/** Another process may hold the file for one short transaction. */
const BUSY_TIMEOUT_MS = 5_000;

/** Opens the file, or makes it. Throws for a file of a later version of Holdfast. */
export function openSqliteIdentity({ path, clock }: IdentityOptions): SqliteIdentity {
  makePrivate(path);
  const database = new Database(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    prepare(database, path);
    return new SqliteIdentityStore(database, clock);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Before SQLite writes into it, and its journal files take the mode from it. */
function makePrivate(path: string): void {
  const file = openSync(path, 'a', 0o600);
  try {
    fchmodSync(file, 0o600);
  } finally {
    closeSync(file);
  }
}

function prepare(database: Database.Database, path: string): void {
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  const migrate = database.transaction(() => {
    const version = database.pragma('user_version', { simple: true });
    if (version === SCHEMA_VERSION) return;
    if (version !== 0) {
      throw new Error(
        `open identities: ${path} has version ${String(version)}, this Holdfast reads ${SCHEMA_VERSION}; use the newer one`,
      );
    }
    database.exec(SCHEMA);
    database.pragma(`user_version = ${SCHEMA_VERSION}`);
  });
  migrate.immediate();
}

interface KeyRow {
  readonly secret: string;
  readonly project: string;
  readonly user: string;
  readonly customer: string;
  readonly full_access: 0 | 1;
}

/** More keys than one machine's store has users; beyond it all are read again. */
const MAX_CACHED_KEYS = 1_000;

class SqliteIdentityStore implements SqliteIdentity {
  readonly #database: Database.Database;
  readonly #clock: Clock;
  readonly #selectKey: Database.Statement<[string], KeyRow>;
  readonly #dataVersion: Database.Statement<[], number>;
  readonly #keys = new Map<string, AccessKey>();
  #cachedVersion = -1;

  constructor(database: Database.Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#dataVersion = database.prepare<[], number>('PRAGMA data_version').pluck();
    this.#selectKey = database.prepare(`
      SELECT secret, project.name AS project, user.name AS user, customer.name AS customer, full_access
      FROM access_key
      JOIN membership USING (project_id, user_id)
      JOIN project USING (project_id)
      JOIN user USING (user_id)
      JOIN customer ON customer.customer_id = user.customer_id
      WHERE access_key_id = ?
    `);
  }

  findKey(accessKeyId: string): AccessKey | undefined {
    this.#forgetWhatOthersChanged();
    const cached = this.#keys.get(accessKeyId);
    if (cached !== undefined) return cached;
    const row = this.#selectKey.get(accessKeyId);
    if (row === undefined) return undefined;
    const key = toAccessKey(accessKeyId, row);
    if (this.#keys.size >= MAX_CACHED_KEYS) this.#keys.clear();
    this.#keys.set(accessKeyId, key);
    return key;
  }

  ensureFirstUser({ user }: { readonly user: string }): AccessKey {
    const accessKeyId = principalId(firstPrincipal(user));
    const found = this.findKey(accessKeyId);
    if (found !== undefined) return found;
    const insert = this.#database.transaction(() => this.#insertFirstUser(user, accessKeyId));
    insert.immediate();
    const made = this.findKey(accessKeyId);
    if (made === undefined) throw new Error(`make first user ${user}: its key cannot be read back`);
    return made;
  }

  close(): void {
    this.#keys.clear();
    this.#database.close();
  }

  /** Another process rotated or removed a key: its commits change the version, ours do not. */
  #forgetWhatOthersChanged(): void {
    const version = this.#dataVersion.get() ?? 0;
    if (version === this.#cachedVersion) return;
    this.#keys.clear();
    this.#cachedVersion = version;
  }

  #insertFirstUser(user: string, accessKeyId: string): void {
    const at = this.#clock.now();
    const named = { customer: FIRST_CUSTOMER, project: FIRST_PROJECT, user, at };
    for (const sql of FIRST_USER) this.#database.prepare(sql).run(named);
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    this.#database.prepare(FIRST_KEY).run({ ...named, accessKeyId, secret });
  }
}

/** Each does nothing when its row is there: two processes may begin at once. */
const FIRST_USER = [
  `INSERT INTO customer (name, created_at) VALUES (@customer, @at) ON CONFLICT DO NOTHING`,
  `INSERT INTO project (customer_id, name, created_at)
   SELECT customer_id, @project, @at FROM customer WHERE name = @customer ON CONFLICT DO NOTHING`,
  `INSERT INTO user (customer_id, name, created_at)
   SELECT customer_id, @user, @at FROM customer WHERE name = @customer ON CONFLICT DO NOTHING`,
  `INSERT INTO membership (project_id, user_id, full_access)
   SELECT project_id, user_id, 1 FROM customer JOIN project USING (customer_id) JOIN user USING (customer_id)
   WHERE customer.name = @customer AND project.name = @project AND user.name = @user
   ON CONFLICT DO NOTHING`,
];

const FIRST_KEY = `
  INSERT INTO access_key (access_key_id, project_id, user_id, secret, created_at)
  SELECT @accessKeyId, project_id, user_id, @secret, @at
  FROM customer JOIN project USING (customer_id) JOIN user USING (customer_id)
  WHERE customer.name = @customer AND project.name = @project AND user.name = @user
  ON CONFLICT DO NOTHING`;

function firstPrincipal(user: string): UserPrincipal {
  return {
    kind: 'user',
    project: FIRST_PROJECT,
    user,
    customer: FIRST_CUSTOMER,
    fullAccess: true,
  };
}

function toAccessKey(accessKeyId: string, row: KeyRow): AccessKey {
  const { secret, project, user, customer, full_access } = row;
  const principal: UserPrincipal = {
    kind: 'user',
    project,
    user,
    customer,
    fullAccess: full_access === 1,
  };
  return { accessKeyId, secretAccessKey: secret, principal };
}
