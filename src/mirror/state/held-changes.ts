/** All that the brake holds, deletes and overwrites together, as the user reviews it. */

import { createHash } from 'node:crypto';

import type Database from 'better-sqlite3';

import { defined } from '../../base/defined.ts';

export interface HeldChange {
  /** That of a folder's object ends in `/`. */
  readonly path: string;
  readonly change: 'delete' | 'overwrite';
  /** Why it is held, where its number is not the reason. */
  readonly why?: string;
}

/** In the byte order of paths. */
export interface HeldChangesPage {
  readonly changes: readonly HeldChange[];
  /** Of all that wait. */
  readonly total: number;
  /** Present exactly when there is more. */
  readonly next?: string;
  /** Of all that wait, with the content that overwrites would bring: approved is what was seen. */
  readonly digest: string;
}

interface Row {
  readonly path: string;
  readonly change: HeldChange['change'];
  readonly why: string | null;
  readonly sha256: string | null;
}

const HELD = `
  SELECT d.key AS path, 'delete' AS change, s.why AS why, NULL AS sha256
    FROM held_deletes AS d LEFT JOIN signs AS s ON s.key = d.key
   WHERE d.approved = 0 AND d.key > @after
  UNION ALL
  SELECT key, 'overwrite', why, sha256 FROM held_overwrites WHERE state = 'held' AND key > @after`;

/** Hexadecimal digits that a person may copy; nobody but the user chooses what is held. */
const DIGEST_LENGTH = 16;

export class HeldChanges {
  readonly #page: Database.Statement<[{ after: string; limit: number }], Row>;
  readonly #all: Database.Statement<[{ after: string }], Row>;
  readonly #count: Database.Statement<[{ after: string }], number>;

  /** Of rows, by this connection: the state file has no other. */
  readonly #changes: Database.Statement<[], number>;
  /** Of all that is held: read once for the pages of one review. */
  #digest: { readonly changes: number; readonly text: string } | undefined;

  constructor(db: Database.Database) {
    this.#changes = db.prepare<[], number>('SELECT total_changes()').pluck();
    this.#page = db.prepare(`${HELD} ORDER BY path LIMIT @limit`);
    this.#all = db.prepare(`${HELD} ORDER BY path`);
    this.#count = db.prepare<[{ after: string }], number>(`SELECT count(*) FROM (${HELD})`).pluck();
  }

  page(after: string, limit: number): HeldChangesPage {
    const rows = this.#page.all({ after, limit: limit + 1 });
    const changes = rows
      .slice(0, limit)
      .map(({ path, change, why }) => defined({ path, change, why: why ?? undefined }));
    const next = rows.length > limit ? changes.at(-1)?.path : undefined;
    const total = this.#count.get({ after: '' }) ?? 0;
    return { changes, total, digest: this.digest(), ...defined({ next }) };
  }

  digest(): string {
    const changes = this.#changes.get() ?? 0;
    if (this.#digest?.changes !== changes) this.#digest = { changes, text: this.#readDigest() };
    return this.#digest.text;
  }

  #readDigest(): string {
    const hash = createHash('sha256');
    for (const { path, change, sha256 } of this.#all.iterate({ after: '' }))
      hash.update(JSON.stringify([path, change, sha256]));
    return hash.digest('hex').slice(0, DIGEST_LENGTH);
  }
}
