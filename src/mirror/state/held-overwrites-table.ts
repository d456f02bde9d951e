/**
 * Overwrites with the signs of encryption, and new names that would keep too many bytes twice: they wait for the user,
 * who lets them pass or leaves the bucket as it is.
 */

import type Database from 'better-sqlite3';

import type { LocalEntry } from '../types.ts';

export interface HeldOverwrite {
  readonly key: string;
  /** The file as it was read. */
  readonly entry: LocalEntry;
  /** Of its content. */
  readonly sha256: string;
  /** For people. */
  readonly why: string;
  /** Key of the name that it had before, whose object stays as long as this is not approved. */
  readonly movedFrom?: string;
}

export type HeldMove = Pick<HeldOverwrite, 'key' | 'entry'>;

export class HeldOverwritesTable {
  readonly #db: Database.Database;
  /** All that are in the table, so that a scan asks it for nothing. */
  readonly #keys: Set<string>;
  readonly #put: Database.Statement<[string, string, string, string, string | null]>;
  readonly #drop: Database.Statement<[string]>;
  readonly #entry: Database.Statement<[string]>;
  readonly #isApproved: Database.Statement<[string, string]>;
  readonly #keeps: Database.Statement<[string]>;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#keys = new Set(db.prepare('SELECT key FROM held_overwrites').pluck().all() as string[]);
    this.#put = db.prepare(
      `INSERT OR REPLACE INTO held_overwrites (key, entry, sha256, why, state, moved_from)
         VALUES (?, ?, ?, ?, 'held', ?)`,
    );
    this.#drop = db.prepare('DELETE FROM held_overwrites WHERE key = ?');
    this.#entry = db
      .prepare<[string]>(`SELECT entry FROM held_overwrites WHERE key = ? AND state <> 'approved'`)
      .pluck();
    this.#isApproved = db
      .prepare<[string, string]>(
        `SELECT 1 FROM held_overwrites WHERE key = ? AND sha256 = ? AND state = 'approved'`,
      )
      .pluck();
    this.#keeps = db.prepare(
      `SELECT 1 FROM held_overwrites WHERE moved_from = ? AND state <> 'approved'`,
    );
  }

  hold({ key, entry, sha256, why, movedFrom }: HeldOverwrite): void {
    this.#put.run(key, JSON.stringify(entry), sha256, why, movedFrom ?? null);
    this.#keys.add(key);
  }

  /** It is done, or the file is another one or gone. */
  release(key: string): void {
    if (this.#keys.delete(key)) this.#drop.run(key);
  }

  /** The file as it is held or was rejected; undefined for one that may be mirrored. */
  entry(key: string): LocalEntry | undefined {
    if (!this.#keys.has(key)) return undefined;
    const entry = this.#entry.get(key) as string | undefined;
    return entry === undefined ? undefined : (JSON.parse(entry) as LocalEntry);
  }

  isApproved(key: string, sha256: string): boolean {
    return this.#keys.has(key) && this.#isApproved.get(key, sha256) !== undefined;
  }

  /** All that wait pass from now on, with the content that they have now. Returns how many they are. */
  approve(): number {
    return this.#decide('approved');
  }

  /** The bucket stays as it is for as long as these files are as they are now. Returns how many they are. */
  reject(): number {
    return this.#decide('rejected');
  }

  #decide(state: 'approved' | 'rejected'): number {
    return this.#db.prepare(`UPDATE held_overwrites SET state = ? WHERE state = 'held'`).run(state)
      .changes;
  }

  /** New names that wait or were rejected. */
  moves(): readonly HeldMove[] {
    if (this.#keys.size === 0) return [];
    const rows = this.#db
      .prepare(
        `SELECT key, entry FROM held_overwrites WHERE moved_from IS NOT NULL AND state <> 'approved'`,
      )
      .all() as { key: string; entry: string }[];
    return rows.map(({ key, entry }) => ({ key, entry: JSON.parse(entry) as LocalEntry }));
  }

  /** Whether the object of this key is all that the bucket has of a file whose new name is held. */
  keeps(key: string): boolean {
    return this.#keys.size > 0 && this.#keeps.get(key) !== undefined;
  }

  /** All that wait. */
  held(): readonly string[] {
    return this.#db
      .prepare(`SELECT key FROM held_overwrites WHERE state = 'held'`)
      .pluck()
      .all() as string[];
  }
}
