/**
 * Runs transactions on the open identity database, and reports when cached rows may be outdated.
 *
 * A sole writer (the daemon) keeps an empty write transaction open between its changes. Other processes can then read
 * the file, but SQLite rejects their changes. So cached rows stay valid until this process itself changes the file.
 */

import Database from 'better-sqlite3';

import type { Clock } from '../base/clock.ts';
import { errorCode } from '../base/errors.ts';
import { IdentityError } from './identity-error.ts';

/** Selects the projects with at least one enabled user who has full access. */
const WITH_FULL_ACCESS = `
  SELECT DISTINCT project_id, project || '@' || customer AS id FROM member
  WHERE full_access AND NOT disabled AND project_id IN (SELECT project_id FROM project)`;

interface ProjectWithFullAccess {
  readonly project_id: number;
  readonly id: string;
}

export interface DatabaseOptions {
  /**
   * Prevents other processes from changing the file until `close`, so that looking up a cached key
   * needs no SQL statement. Default: false.
   */
  readonly soleWriter?: boolean;
}

export class IdentityDatabase {
  readonly #database: Database.Database;
  readonly #clock: Clock;
  readonly #dataVersion: Database.Statement<[], number>;
  readonly #isSoleWriter: boolean;
  #seenVersion = -1;
  #version = 0;

  /**
   * Opens the database. A sole writer locks the file. Throws IdentityError `Conflict` if another
   * process has locked the file.
   */
  constructor(database: Database.Database, clock: Clock, options: DatabaseOptions = {}) {
    this.#database = database;
    this.#clock = clock;
    this.#dataVersion = database.prepare<[], number>('PRAGMA data_version').pluck();
    this.#isSoleWriter = options.soleWriter ?? false;
    if (this.#isSoleWriter) withBusyRefused(() => this.#lock());
  }

  now(): number {
    return this.#clock.now();
  }

  prepare<P extends unknown[] = unknown[], R = unknown>(sql: string): Database.Statement<P, R> {
    return this.#database.prepare<P, R>(sql);
  }

  /**
   * Returns a number that changes whenever the file may have changed. While this process holds the
   * lock, no SQL statement is needed; otherwise SQLite's `data_version` shows whether another
   * process has committed a change.
   */
  version(): number {
    if (this.#database.inTransaction) return this.#version;
    const seen = this.#dataVersion.get() ?? 0;
    if (seen !== this.#seenVersion) this.#version += 1;
    this.#seenVersion = seen;
    return this.#version;
  }

  /**
   * Runs `work` in one transaction, which also deletes expired keys, and returns the result. The
   * transaction is then durable. Throws IdentityError `Conflict` if another process holds the lock.
   */
  change<T>(work: (at: number) => T): T {
    const at = this.now();
    const transaction = this.#database.transaction(() => {
      this.prepare('DELETE FROM access_key WHERE expires_at <= ?').run(at);
      return work(at);
    });
    this.#unlock();
    try {
      return withBusyRefused(() => transaction.immediate());
    } finally {
      this.#version += 1;
      this.#lockAgain();
    }
  }

  /**
   * Runs `work` like `change`. If an existing project would lose its last enabled user with full access, rolls back and
   * throws IdentityError `Conflict`.
   */
  changeAccess<T>(work: (at: number) => T): T {
    return this.change((at) => {
      const before = this.prepare<[], ProjectWithFullAccess>(WITH_FULL_ACCESS).all();
      const result = work(at);
      const after = new Set(
        this.prepare<[], ProjectWithFullAccess>(WITH_FULL_ACCESS)
          .all()
          .map(({ id }) => id),
      );
      const exists = this.prepare<[number], 1>('SELECT 1 FROM project WHERE project_id = ?');
      const lost = before.find((each) => !after.has(each.id) && exists.get(each.project_id));
      if (lost) throw lastFullAccess(lost.id);
      return result;
    });
  }

  close(): void {
    this.#unlock();
    this.#database.close();
  }

  #lock(): void {
    this.#database.exec('BEGIN IMMEDIATE');
  }

  /**
   * Locks the file again after a change. Ignores SQLite errors, because the change is already committed. If locking
   * fails, `version` reads `data_version` until the next change.
   */
  #lockAgain(): void {
    if (!this.#isSoleWriter) return;
    try {
      this.#lock();
    } catch (error) {
      if (!(error instanceof Database.SqliteError)) throw error;
    }
  }

  /** Ends the write transaction that keeps other processes from writing, if it is open. */
  #unlock(): void {
    if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
  }
}

function withBusyRefused<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (errorCode(error)?.startsWith('SQLITE_BUSY') !== true) throw error;
    throw new IdentityError(
      'Conflict',
      'cannot change users and keys: another Holdfast process has locked them',
      'run the command again: Holdfast may have started meanwhile',
    );
  }
}

function lastFullAccess(project: string): IdentityError {
  return new IdentityError(
    'Conflict',
    `cannot change the users of ${project}: no user of the project would have full access`,
    'grant full access to another user first: holdfast admin users grant USER',
  );
}
