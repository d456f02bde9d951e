/** The open file of identities: its transactions, and when what was read of it is out of date. */

import type Database from 'better-sqlite3';

import type { Clock } from '../base/clock.ts';
import { IdentityError } from './identity-error.ts';

/** Projects with a user who has full access and can use it. */
const GUARDED = `
  SELECT DISTINCT project_id, project || '@' || customer AS id FROM member
  WHERE full_access AND NOT disabled AND project_id IN (SELECT project_id FROM project)`;

interface Guarded {
  readonly project_id: number;
  readonly id: string;
}

export class IdentityDatabase {
  readonly #database: Database.Database;
  readonly #clock: Clock;
  readonly #dataVersion: Database.Statement<[], number>;
  #seenVersion = -1;
  #version = 0;

  constructor(database: Database.Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#dataVersion = database.prepare<[], number>('PRAGMA data_version').pluck();
  }

  now(): number {
    return this.#clock.now();
  }

  prepare<P extends unknown[] = unknown[], R = unknown>(sql: string): Database.Statement<P, R> {
    return this.#database.prepare<P, R>(sql);
  }

  /** Another number whenever the file may have changed: other processes' commits change its version, ours do not. */
  version(): number {
    const seen = this.#dataVersion.get() ?? 0;
    if (seen !== this.#seenVersion) this.#version += 1;
    this.#seenVersion = seen;
    return this.#version;
  }

  /** One transaction; keys that have ended go with it. Durable when it returns. */
  change<T>(work: (at: number) => T): T {
    const at = this.now();
    const transaction = this.#database.transaction(() => {
      this.prepare('DELETE FROM access_key WHERE expires_at <= ?').run(at);
      return work(at);
    });
    try {
      return transaction.immediate();
    } finally {
      this.#version += 1;
    }
  }

  /** As `change`; what takes a project's last full access away is undone, and throws IdentityError `Conflict`. */
  changeAccess<T>(work: (at: number) => T): T {
    return this.change((at) => {
      const before = this.prepare<[], Guarded>(GUARDED).all();
      const result = work(at);
      const after = new Set(
        this.prepare<[], Guarded>(GUARDED)
          .all()
          .map(({ id }) => id),
      );
      const exists = this.prepare<[number], 1>('SELECT 1 FROM project WHERE project_id = ?');
      const left = before.find((each) => !after.has(each.id) && exists.get(each.project_id));
      if (left) throw lastFullAccess(left.id);
      return result;
    });
  }

  close(): void {
    this.#database.close();
  }
}

function lastFullAccess(project: string): IdentityError {
  return new IdentityError(
    'Conflict',
    `change users of ${project}: nobody would be left there with full access`,
    'grant it to another user first: holdfast users grant USER',
  );
}
