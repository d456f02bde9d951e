/** Durability of commits to the state file, and who waits for the disk. */

import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';

import type Database from 'better-sqlite3';

import { shareSyncs, type SyncFile } from '../../base/share-syncs.ts';

/** Commits are durable when they return, except those through `withoutSync`. */
export class Commits {
  readonly #db: Database.Database;
  /**
   * The WAL file. Undefined if the file system has no shared memory: then the database has a rollback
   * journal.
   */
  #log: number | undefined;
  readonly #sync: SyncFile;

  /** The database must have been read or written since it was opened: before that, it has no WAL file. */
  constructor(db: Database.Database, sync: SyncFile = promisify(fdatasync)) {
    this.#db = db;
    this.#sync = shareSyncs(sync);
    const isLogged = db.pragma('journal_mode', { simple: true }) === 'wal';
    this.#log = isLogged ? openSync(`${db.name}-wal`, 'r+') : undefined;
    db.pragma('synchronous = FULL');
    // macOS only: an ordinary fsync leaves the bytes in the drive's cache.
    db.pragma('fullfsync = ON');
  }

  /**
   * One commit that becomes durable with the next durable commit. A power failure before that undoes it as a
   * whole.
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
   * One commit; resolves when it is durable. Other callers do not wait for the disk, and concurrent calls
   * share one sync.
   */
  async durably(work: () => void): Promise<void> {
    if (this.#log === undefined) return this.#db.transaction(work)();
    this.withoutSync(work);
    await this.#sync(this.#log);
  }

  /**
   * Called before the database is closed, which removes the WAL file. No `durably` may be pending; a second
   * call has no effect.
   */
  close(): void {
    if (this.#log !== undefined) closeSync(this.#log);
    this.#log = undefined;
  }
}
