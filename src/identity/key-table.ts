/** The rows of access keys, with whom they belong to. */

import type Database from 'better-sqlite3';

import { defined } from '../base/defined.ts';
import type { UserPrincipal } from '../base/principal.ts';
import type { AccessKey, ListedKey } from './identity.ts';

export type StoredKey = AccessKey & ListedKey;

interface KeyRow {
  readonly access_key_id: string;
  readonly secret: string;
  readonly project: string;
  readonly user: string;
  readonly customer: string;
  readonly full_access: 0 | 1;
  readonly created_at: number;
  readonly expires_at: number | null;
}

const KEYS = `
  SELECT access_key_id, secret, project.name AS project, user.name AS user, customer.name AS customer,
    full_access, access_key.created_at, expires_at
  FROM access_key
  JOIN membership USING (project_id, user_id)
  JOIN project USING (project_id)
  JOIN user USING (user_id)
  JOIN customer ON customer.customer_id = user.customer_id`;

/** Each does nothing when its row is there: two processes may begin at once. */
const HOLDER = [
  `INSERT INTO customer (name, created_at) VALUES (@customer, @at) ON CONFLICT DO NOTHING`,
  `INSERT INTO project (customer_id, name, created_at)
   SELECT customer_id, @project, @at FROM customer WHERE name = @customer ON CONFLICT DO NOTHING`,
  `INSERT INTO user (customer_id, name, created_at)
   SELECT customer_id, @user, @at FROM customer WHERE name = @customer ON CONFLICT DO NOTHING`,
];

const WHERE_HOLDER = `
  FROM customer JOIN project USING (customer_id) JOIN user USING (customer_id)
  WHERE customer.name = @customer AND project.name = @project AND user.name = @user`;

const SELECT_MEMBERSHIP = `
  SELECT 1 FROM membership WHERE (project_id, user_id) IN (SELECT project_id, user_id ${WHERE_HOLDER})`;

/** Access that was given is taken away by no later call. */
const GRANT = `
  INSERT INTO membership (project_id, user_id, full_access)
  SELECT project_id, user_id, @fullAccess ${WHERE_HOLDER}
  ON CONFLICT DO UPDATE SET full_access = max(full_access, excluded.full_access)`;

export class KeyTable {
  readonly #database: Database.Database;
  readonly #selectOne: Database.Statement<[string], KeyRow>;
  readonly #selectAll: Database.Statement<[], KeyRow>;

  constructor(database: Database.Database) {
    this.#database = database;
    this.#selectOne = database.prepare(`${KEYS} WHERE access_key_id = ?`);
    this.#selectAll = database.prepare(
      `${KEYS} ORDER BY customer, project, user, access_key.created_at, access_key_id`,
    );
  }

  find(accessKeyId: string): StoredKey | undefined {
    const row = this.#selectOne.get(accessKeyId);
    return row && toKey(row);
  }

  all(): readonly StoredKey[] {
    return this.#selectAll.all().map(toKey);
  }

  /** Makes customer, project, user and membership where they are missing; tells whether the membership was. */
  ensureHolder(principal: UserPrincipal, at: number): boolean {
    const { project, user, customer, fullAccess } = principal;
    const named = { project, user, customer };
    for (const sql of HOLDER) this.#database.prepare(sql).run({ ...named, at });
    const isNew = this.#database.prepare(SELECT_MEMBERSHIP).get(named) === undefined;
    this.#database.prepare(GRANT).run({ ...named, fullAccess: fullAccess ? 1 : 0 });
    return isNew;
  }

  insert({ accessKeyId, secretAccessKey, principal, createdAt }: StoredKey): void {
    const { project, user, customer } = principal;
    this.#database
      .prepare(
        `INSERT INTO access_key (access_key_id, project_id, user_id, secret, created_at)
         SELECT @accessKeyId, project_id, user_id, @secretAccessKey, @createdAt ${WHERE_HOLDER}`,
      )
      .run({ accessKeyId, secretAccessKey, createdAt, project, user, customer });
  }

  setEnd(accessKeyId: string, expiresAt: number): void {
    this.#database
      .prepare('UPDATE access_key SET expires_at = ? WHERE access_key_id = ?')
      .run(expiresAt, accessKeyId);
  }

  delete(accessKeyId: string): void {
    this.#database.prepare('DELETE FROM access_key WHERE access_key_id = ?').run(accessKeyId);
  }

  deleteEnded(now: number): void {
    this.#database.prepare('DELETE FROM access_key WHERE expires_at <= ?').run(now);
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
  });
}
