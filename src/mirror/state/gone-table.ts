/** Versions that deletes of this job hid. If the file returns, its bytes need not be uploaded again. */

import type Database from 'better-sqlite3';

import type { BaselineEntry } from '../model/types.ts';
import { Emptiness } from './emptiness.ts';

/** The latest deletes: enough for a folder that is moved away and returns, in a few megabytes. */
const REMEMBERED = 10_000;
/** Smaller files are uploaded as fast as copied. */
const WORTH_BYTES = 64 * 1024;

export class RecentlyDeletedTable {
  readonly #emptiness: Emptiness;
  readonly #put: Database.Statement<[string, string]>;
  readonly #trim: Database.Statement<[number]>;
  readonly #drop: Database.Statement<[string]>;
  readonly #row: Database.Statement<[string]>;

  constructor(db: Database.Database) {
    this.#emptiness = new Emptiness(db, 'gone');
    this.#put = db.prepare('INSERT OR REPLACE INTO gone (key, entry) VALUES (?, ?)');
    this.#trim = db.prepare('DELETE FROM gone WHERE number <= (SELECT max(number) FROM gone) - ?');
    this.#drop = db.prepare('DELETE FROM gone WHERE key = ?');
    this.#row = db.prepare<[string]>('SELECT entry FROM gone WHERE key = ?').pluck();
  }

  /** The caller runs this inside a transaction. */
  remember(key: string, entry: BaselineEntry): void {
    if (entry.versionId === undefined || entry.sizeBytes < WORTH_BYTES) return;
    this.#emptiness.end();
    this.#put.run(key, JSON.stringify(entry));
    this.#trim.run(REMEMBERED);
  }

  forget(key: string): void {
    if (!this.#emptiness.isCertain) this.#drop.run(key);
  }

  /** The baseline row of the version of the key with this content. The version may no longer exist. */
  get(key: string, sha256: string): BaselineEntry | undefined {
    if (this.#emptiness.isCertain) return undefined;
    const text = this.#row.get(key) as string | undefined;
    const entry = text === undefined ? undefined : (JSON.parse(text) as BaselineEntry);
    return entry?.sha256 === sha256 ? entry : undefined;
  }
}
