/** How durable a commit of the state file is when it returns, and who waits for the disk. */

import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';

import type Database from 'better-sqlite3';

import { shareSyncs, type SyncFile } from '../../base/share-syncs.ts';

/** Each commit is durable when it returns, but for those that are made by way of this class. */
export class Commits {
  readonly #db: Database.Database;
  /** Undefined where the file system has no memory to share: the file has a rollback journal there. */
  #log: number | undefined;
  readonly #sync: SyncFile;

  /** Of a database that was read or written since it is open: before, it has no log. */
  constructor(db: Database.Database, sync: SyncFile = promisify(fdatasync)) {
    this.#db = db;
    this.#sync = shareSyncs(sync);
    const isLogged = db.pragma('journal_mode', { simple: true }) === 'wal';
    this.#log = isLogged ? openSync(`${db.name}-wal`, 'r+') : undefined;
    db.pragma('synchronous = FULL');
    // macOS alone: there, an ordinary sync leaves the bytes in the drive's cache.
    db.pragma('fullfsync = ON');
  }

  /** One commit, durable with the next one that is; a power cut before takes it back whole. */
  lightly<T>(work: () => T): T {
    this.#db.pragma('synchronous = NORMAL');
    try {
      return this.#db.transaction(work)();
    } finally {
      this.#db.pragma('synchronous = FULL');
    }
  }

  /** One commit; resolves when it is durable. The disk is not waited for by anybody else, and those that wait share it. */
  async durably(work: () => void): Promise<void> {
    if (this.#log === undefined) return this.#db.transaction(work)();
    this.lightly(work);
    await this.#sync(this.#log);
  }

  /** Before the database is closed, which removes the log. Nothing may be waiting; a second time does nothing. */
  close(): void {
    if (this.#log !== undefined) closeSync(this.#log);
    this.#log = undefined;
  }
}
