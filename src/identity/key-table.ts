/** Reads and writes the table of access keys. Joins each key with its user. */

import { defined } from '../base/defined.ts';
import type { UserNames } from '../base/principal.ts';
import type { AccessKey, ListedKey } from './identity.ts';
import type { IdentityDatabase } from './identity-database.ts';

export type StoredKey = AccessKey & ListedKey;

interface KeyRow {
  readonly access_key_id: string;
  readonly secret: string;
  readonly project: string;
  readonly user: string;
  readonly customer: string;
  readonly full_access: 0 | 1;
  readonly disabled: 0 | 1;
  readonly created_at: number;
  readonly expires_at: number | null;
}

const KEYS = `
  SELECT access_key_id, secret, project, user, customer, full_access, disabled, access_key.created_at, expires_at
  FROM access_key JOIN member USING (project_id, user_id)`;

/** Sorts each user's oldest key first. The order is total, so every list has the same order. */
const IN_ORDER = 'ORDER BY customer, project, user, access_key.created_at, access_key_id';

const LIVE = `
  SELECT access_key_id AS accessKeyId, expires_at AS expiresAt FROM access_key JOIN user USING (user_id)
  WHERE disabled_at IS NULL AND (expires_at IS NULL OR expires_at > ?)`;

/** An access key that can sign requests now. */
interface LiveKey {
  readonly accessKeyId: string;
  readonly expiresAt: number | null;
}

const INSERT = `
  INSERT INTO access_key (access_key_id, project_id, user_id, secret, created_at)
  SELECT @accessKeyId, project_id, user_id, @secret, @at FROM member
  WHERE customer = @customer AND project = @project AND user = @user`;

export class KeyTable {
  readonly #database: IdentityDatabase;
  readonly #selectOne;
  readonly #selectAll;

  constructor(database: IdentityDatabase) {
    this.#database = database;
    this.#selectOne = database.prepare<[string], KeyRow>(`${KEYS} WHERE access_key_id = ?`);
    this.#selectAll = database.prepare<[], KeyRow>(`${KEYS} ${IN_ORDER}`);
  }

  /** Returns an access key, even if it has expired or its user is disabled. */
  find(accessKeyId: string): StoredKey | undefined {
    const row = this.#selectOne.get(accessKeyId);
    return row && toKey(row);
  }

  all(): readonly StoredKey[] {
    return this.#selectAll.all().map(toKey);
  }

  /** Returns the access keys that have not expired at `now` and whose users are not disabled, without secrets. */
  live(now: number): readonly LiveKey[] {
    return this.#database.prepare<[number], LiveKey>(LIVE).all(now);
  }

  of({ user, project, customer }: UserNames): readonly StoredKey[] {
    return this.#database
      .prepare<[string, string, string], KeyRow>(
        `${KEYS} WHERE customer = ? AND project = ? AND user = ? ${IN_ORDER}`,
      )
      .all(customer, project, user)
      .map(toKey);
  }

  insert(accessKeyId: string, secret: string, holder: UserNames, at: number): void {
    const { user, project, customer } = holder;
    this.#database.prepare(INSERT).run({ accessKeyId, secret, at, user, project, customer });
  }

  setEnd(accessKeyId: string, expiresAt: number): void {
    this.#database
      .prepare('UPDATE access_key SET expires_at = ? WHERE access_key_id = ?')
      .run(expiresAt, accessKeyId);
  }

  delete(accessKeyId: string): void {
    this.#database.prepare('DELETE FROM access_key WHERE access_key_id = ?').run(accessKeyId);
  }
}

function toKey(row: KeyRow): StoredKey {
  const { project, user, customer } = row;
  return defined({
    accessKeyId: row.access_key_id,
    secretAccessKey: row.secret,
    principal: {
      kind: 'user' as const,
      project,
      user,
      customer,
      fullAccess: row.full_access === 1,
    },
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    disabled: row.disabled === 1,
  });
}
