/** Commits transactions to the state file. Concurrent callers share disk syncs. */

import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';

import type Database from 'better-sqlite3';

import { shareSyncs, type SyncFile } from '../../base/share-syncs.ts';

/** Commits transactions. Each transaction is durable when the call ends, except with `withoutSync`. */
export class Commits {
  readonly #db: Database.Database;
  /**
   * File descriptor of the WAL file. Undefined if the file system has no shared memory, because the database then uses
   * a rollback journal.
   */
  #log: number | undefined;
  readonly #sync: SyncFile;

  /**
   * The caller must have read or written the database since it was opened, because the WAL file does not exist before
   * that.
   */
  constructor(db: Database.Database, sync: SyncFile = promisify(fdatasync)) {
    this.#db = db;
    this.#sync = shareSyncs(sync);
    const isLogged = db.pragma('journal_mode', { simple: true }) === 'wal';
    this.#log = isLogged ? openSync(`${db.name}-wal`, 'r+') : undefined;
    db.pragma('synchronous = FULL');
    // On macOS, an ordinary fsync leaves the data in the drive's cache.
    db.pragma('fullfsync = ON');
  }

  /**
   * Runs a transaction without a disk sync. The transaction becomes durable with the next durable commit. A power
   * failure before that undoes it completely.
   */
  withoutSync<T>(work: () => T): T {
    this.#db.pragma('synchronous = NORMAL');
    try {
      return this.#db.transaction(work)();
    } finally {
      this.#db.pragma('synchronous = FULL');
    }
  }

  /**
   * Runs a transaction and resolves when it is durable. The disk sync does not block the thread, and concurrent calls
   * share one sync.
   */
  async durably(work: () => void): Promise<void> {
    if (this.#log === undefined) return this.#db.transaction(work)();
    this.withoutSync(work);
    await this.#sync(this.#log);
  }

  /**
   * Closes the WAL file. Call this function before closing the database, and only while no `durably` call is pending. A
   * second call has no effect.
   */
  close(): void {
    if (this.#log !== undefined) closeSync(this.#log);
    this.#log = undefined;
  }
}
