/** All changes that the mass-change guard holds, deletes and overwrites together, for review by the user. */

import { createHash } from 'node:crypto';

import type Database from 'better-sqlite3';

import { defined } from '../../base/defined.ts';
import type { Hold } from '../model/hold.ts';
import type { LocalEntry } from '../model/types.ts';

export interface HeldChange {
  /** The path of a folder's object ends in `/`. */
  readonly path: string;
  readonly change: 'delete' | 'overwrite' | 'rename';
  /** Why it is held, if the number of changes is not the reason. */
  readonly why?: string;
}

/** In the byte order of paths. */
export interface HeldChangesPage {
  readonly changes: readonly HeldChange[];
  /** Number of all held changes. */
  readonly total: number;
  /** Present exactly when there is another page. */
  readonly next?: string;
  /**
   * Digest of all held changes with their new content and the versions that they replace. An approval names
   * it, so it covers only what the user saw.
   */
  readonly digest: string;
}

interface Row {
  readonly path: string;
  readonly change: HeldChange['change'];
  readonly why: string | null;
  readonly sha256: string | null;
  readonly etag: string | null;
  readonly version_id: string | null;
}

const HELD = `
  SELECT d.key AS path, 'delete' AS change, s.why AS why, NULL AS sha256, d.etag AS etag, d.version_id AS version_id
    FROM held_deletes AS d LEFT JOIN signs AS s ON s.key = d.key
   WHERE d.approval IS NULL AND d.key > @after
  UNION ALL
  SELECT key, iif(moved_from IS NULL, 'overwrite', 'rename'), why, sha256, etag, version_id
    FROM held_overwrites WHERE state = 'held' AND key > @after`;

/** Of one key, a later row replaces an earlier one. */
const HOLDS = `
  SELECT key, 'overwrite' AS change, state, etag, version_id, approval, entry, sha256 FROM held_overwrites
   WHERE key IN (SELECT value FROM json_each(@keys))
  UNION ALL
  SELECT key, 'delete', iif(approval IS NULL, 'held', 'approved'), etag, version_id, approval, NULL, NULL
    FROM held_deletes WHERE key IN (SELECT value FROM json_each(@keys))
  UNION ALL
  SELECT moved_from, 'renamed away', 'held', NULL, NULL, NULL, NULL, NULL FROM held_overwrites
   WHERE state <> 'approved' AND moved_from IN (SELECT value FROM json_each(@keys))`;

interface HoldRow extends Pick<Row, 'etag' | 'version_id' | 'sha256'> {
  readonly key: string;
  readonly change: Hold['change'];
  readonly state: Hold['state'];
  readonly approval: string | null;
  readonly entry: string | null;
}

export interface HeldCounts {
  /** Held deletes. */
  readonly deletes: number;
  /** Held overwrites. */
  readonly overwrites: number;
  /** Held renames. */
  readonly renames: number;
  /** Overwrites that the user rejected. */
  readonly rejected: number;
  /** Held deletes of files that have encrypted copies. */
  readonly suspectDeletes: number;
  /** Files that lost their content, held or not. */
  readonly lost: number;
}

const COUNTS = `
  SELECT (SELECT count(*) FROM held_deletes WHERE approval IS NULL) AS deletes,
         (SELECT count(*) FROM held_overwrites WHERE state = 'held' AND moved_from IS NULL) AS overwrites,
         (SELECT count(*) FROM held_overwrites WHERE state = 'held' AND moved_from IS NOT NULL) AS renames,
         (SELECT count(*) FROM held_overwrites WHERE state = 'rejected') AS rejected,
         (SELECT count(*) FROM held_deletes WHERE approval IS NULL AND key IN (SELECT key FROM signs)) AS suspectDeletes,
         (SELECT count(*) FROM signs WHERE kind <> 'beside') AS lost`;

/** Hexadecimal digits, short enough to copy by hand. Only the user chooses which files are held. */
const DIGEST_LENGTH = 16;

export class HeldChanges {
  readonly #page: Database.Statement<[{ after: string; limit: number }], Row>;
  readonly #all: Database.Statement<[{ after: string }], Row>;
  readonly #count: Database.Statement<[{ after: string }], number>;
  /** Number of rows changed by this connection, which is the only one of the state file. */
  readonly #changes: Database.Statement<[], number>;
  readonly #countAll: Database.Statement<[], HeldCounts>;
  readonly #holds: Database.Statement<[{ keys: string }], HoldRow>;
  /** Digest of all held changes, cached until the next change. */
  readonly digest = this.#cached(() => this.#readDigest());
  /** Cached until the next change. */
  readonly counts = this.#cached(() => this.#readCounts());

  constructor(db: Database.Database) {
    this.#changes = db.prepare<[], number>('SELECT total_changes()').pluck();
    this.#countAll = db.prepare(COUNTS);
    this.#holds = db.prepare(HOLDS);
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
    return { changes, total: this.count(), digest: this.digest(), ...defined({ next }) };
  }

  among(keys: readonly string[]): ReadonlyMap<string, Hold> {
    const rows = this.#holds.all({ keys: JSON.stringify(keys) });
    return new Map(rows.map((row) => [row.key, holdOf(row)]));
  }

  count(): number {
    return this.#count.get({ after: '' }) ?? 0;
  }

  #cached<T>(read: () => T): () => T {
    let last: { readonly changes: number; readonly value: T } | undefined;
    return () => {
      const changes = this.#changes.get() ?? 0;
      if (last?.changes !== changes) last = { changes, value: read() };
      return last.value;
    };
  }

  #readCounts(): HeldCounts {
    const none = { deletes: 0, overwrites: 0, renames: 0, rejected: 0, suspectDeletes: 0, lost: 0 };
    return this.#countAll.get() ?? none;
  }

  #readDigest(): string {
    const hash = createHash('sha256');
    for (const { path, change, sha256, etag, version_id } of this.#all.iterate({ after: '' }))
      hash.update(JSON.stringify([path, change, sha256, etag, version_id]));
    return hash.digest('hex').slice(0, DIGEST_LENGTH);
  }
}

function holdOf({ change, state, etag, version_id, approval, entry, sha256 }: HoldRow): Hold {
  const head =
    etag === null ? undefined : { etag, ...defined({ versionId: version_id ?? undefined }) };
  return defined({
    change,
    state,
    head,
    approval: approval ?? undefined,
    // Only this program writes the state file, so the JSON is trusted.
    entry: entry === null ? undefined : (JSON.parse(entry) as LocalEntry),
    sha256: sha256 ?? undefined,
  });
}
