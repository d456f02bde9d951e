/**
 * Overwrites that look encrypted, and renames that would store too many bytes twice. They are held until the
 * user approves them, each for the version that it would replace, or rejects them.
 */

import type Database from 'better-sqlite3';

import type { ExpectedHead } from '../model/hold.ts';
import type { LocalEntry } from '../model/types.ts';
import { Emptiness } from './emptiness.ts';

export interface HeldOverwrite {
  readonly key: string;
  /** The file as it was read. */
  readonly entry: LocalEntry;
  /** Of its content. */
  readonly sha256: string;
  /** A message for the user. */
  readonly why: string;
  /** The version that it would replace; undefined for a key without one. */
  readonly head: ExpectedHead | undefined;
  /** Key of the old name of a renamed file. Its object stays until the rename is approved. */
  readonly movedFrom?: string;
}

export type HeldMove = Pick<HeldOverwrite, 'key' | 'entry'>;

type Row = Readonly<Record<string, string | null>>;

export class HeldOverwritesTable {
  readonly #db: Database.Database;
  readonly #emptiness: Emptiness;
  readonly #put: Database.Statement<[Row]>;
  readonly #bind: Database.Statement<[Row]>;
  readonly #drop: Database.Statement<[string]>;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#emptiness = new Emptiness(db, 'held_overwrites');
    this.#put = db.prepare(
      `INSERT OR REPLACE INTO held_overwrites (key, entry, sha256, why, state, moved_from, etag, version_id)
         VALUES (@key, @entry, @sha256, @why, 'held', @movedFrom, @etag, @versionId)`,
    );
    this.#bind = db.prepare(
      `UPDATE held_overwrites SET etag = @etag, version_id = @versionId, approval = NULL,
           state = iif(state = 'approved', 'held', state)
         WHERE key = @key AND (etag IS NOT @etag OR version_id IS NOT @versionId)`,
    );
    this.#drop = db.prepare('DELETE FROM held_overwrites WHERE key = ?');
  }

  /** If true, no overwrite is held, approved or rejected. */
  get isCertainlyEmpty(): boolean {
    return this.#emptiness.isCertain;
  }

  hold({ key, entry, sha256, why, head, movedFrom = null }: HeldOverwriteParts): void {
    this.#emptiness.end();
    this.#put.run({ key, entry: JSON.stringify(entry), sha256, why, movedFrom, ...columns(head) });
  }

  /** Records that it would replace another version now. An approval for the former one ends. */
  bind(key: string, head: ExpectedHead | undefined): void {
    this.#bind.run({ key, ...columns(head) });
  }

  /** Called when the overwrite is done, or the file changed or does not exist. */
  release(key: string): void {
    if (!this.#emptiness.isCertain) this.#drop.run(key);
  }

  /** Approves all held overwrites, for the content and the versions recorded now. */
  approve(approval: string): void {
    this.#db
      .prepare(`UPDATE held_overwrites SET state = 'approved', approval = ? WHERE state = 'held'`)
      .run(approval);
  }

  /** Keeps the bucket unchanged for as long as these files are unchanged. */
  reject(): void {
    this.#db.prepare(`UPDATE held_overwrites SET state = 'rejected' WHERE state = 'held'`).run();
  }

  /** Renames that are held or were rejected. */
  moves(): readonly HeldMove[] {
    if (this.#emptiness.isCertain) return [];
    const rows = this.#db
      .prepare(
        `SELECT key, entry FROM held_overwrites WHERE moved_from IS NOT NULL AND state <> 'approved'`,
      )
      .all() as { key: string; entry: string }[];
    return rows.map(({ key, entry }) => ({ key, entry: JSON.parse(entry) as LocalEntry }));
  }

  /** Keys of all held overwrites. */
  held(): readonly string[] {
    return this.#db
      .prepare(`SELECT key FROM held_overwrites WHERE state = 'held'`)
      .pluck()
      .all() as string[];
  }
}

type HeldOverwriteParts = Omit<HeldOverwrite, 'movedFrom'> & {
  readonly movedFrom?: string | null;
};

function columns(head: ExpectedHead | undefined): Row {
  return { etag: head?.etag ?? null, versionId: head?.versionId ?? null };
}
