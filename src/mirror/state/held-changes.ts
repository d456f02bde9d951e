/**
 * Stores the changes that the mass-change guard holds: deletes, overwrites that look encrypted, and renames that would
 * store too much data twice. Each held change records the version that it would hide or replace, and an approval is
 * valid only for that version. A key has at most one held change, the latest one.
 */

import { createHash } from 'node:crypto';

import type Database from 'better-sqlite3';

import { defined } from '../../base/defined.ts';
import type { ExpectedHead, Hold } from '../model/hold.ts';
import type { LocalEntry } from '../model/types.ts';
import { Emptiness } from './emptiness.ts';
import { HELD_BYTES, heldGroups, IN_FOLDER, WITH_BASELINE } from './held-groups.ts';
import type { HeldFolder } from './held-groups.ts';

export interface HeldChange {
  /** Path of the file, or of a folder with a trailing `/`. */
  readonly path: string;
  readonly change: 'delete' | 'overwrite' | 'rename';
  /** Why the change is held. Absent if it is held because there were too many changes. */
  readonly why?: string;
  /** Size of the object that the change removes or replaces, or of the renamed file. */
  readonly bytes: number;
}

export interface HeldOverwrite {
  readonly key: string;
  /** The file's state when it was read. */
  readonly entry: LocalEntry;
  /** SHA-256 of the overwrite's new content, in lower-case hex. */
  readonly sha256: string;
  /** Explanation for the user why the overwrite is held. */
  readonly why: string;
  /** The version that the overwrite would replace; undefined if the key has no current version. */
  readonly head: ExpectedHead | undefined;
  /** Key for the old name of a renamed file. Its object stays until the rename is approved. */
  readonly movedFrom?: string;
}

export type HeldMove = Pick<HeldOverwrite, 'key' | 'entry'>;

/** One page of held changes, in byte order of their paths. */
export interface HeldChangesPage {
  readonly changes: readonly HeldChange[];
  /** Number of all held changes. */
  readonly total: number;
  /** Path after which the next page begins; absent on the last page. */
  readonly next?: string;
  /**
   * Digest of all held changes, including their new content and the versions that they would replace. An approval
   * contains the digest, so that it covers only changes that the user has seen.
   */
  readonly digest: string;
}

export interface HeldCounts {
  /** Number of held deletes. */
  readonly deletes: number;
  /** Number of held overwrites. */
  readonly overwrites: number;
  /** Number of held renames. */
  readonly renames: number;
  /** Number of overwrites that the user rejected. */
  readonly rejected: number;
  /** Number of files that are only in the bucket, because the user rejected their deletes. */
  readonly rejectedDeletes: number;
  /** Number of held deletes for files that have encrypted copies. */
  readonly suspectDeletes: number;
  /** Number of files that lost their readable content, whether a change is held or not. */
  readonly lost: number;
}

type Row = Readonly<Record<string, string | null>>;

interface HoldRow {
  readonly key: string;
  readonly change: HeldChange['change'] | 'renamed away';
  readonly state: Hold['state'];
  readonly etag: string | null;
  readonly version_id: string | null;
  readonly approval: string | null;
  readonly entry: string | null;
  readonly sha256: string | null;
}

interface PageRow extends Omit<HeldChange, 'why'> {
  readonly why: string | null;
}

/** All held changes. */
const WHOLE: HeldFolder = { folder: '', isDirect: false };

/** Selects a page of held changes. For a delete, the reason is the anomaly of its file, if there is one. */
const PAGE = `
  SELECT c.key AS path, c.change, coalesce(c.why, a.value ->> 'why') AS why, ${HELD_BYTES} AS bytes
    FROM held_changes AS c LEFT JOIN records AS a ON a.kind = 'anomaly' AND a.key = c.key AND a.part = ''
      ${WITH_BASELINE}
   WHERE c.state = 'held' AND c.key > @after AND ${IN_FOLDER} ORDER BY c.key LIMIT @limit`;

/** Selects the held keys. A held rename also holds the key for the old name, because its object is the only copy. */
const HOLDS = `
  SELECT key, change, state, etag, version_id, approval, entry, sha256
    FROM held_changes WHERE key IN (SELECT value FROM json_each(@keys))
  UNION ALL
  SELECT moved_from, 'renamed away', 'held', NULL, NULL, NULL, NULL, NULL
    FROM held_changes WHERE state <> 'approved' AND moved_from IN (SELECT value FROM json_each(@keys))`;

const COUNTS = `
  SELECT total(state = 'held' AND change = 'delete') AS deletes,
      total(state = 'held' AND change = 'overwrite') AS overwrites,
      total(state = 'held' AND change = 'rename') AS renames,
      total(state = 'rejected' AND change <> 'delete') AS rejected,
      total(state = 'rejected' AND change = 'delete') AS rejectedDeletes,
      total(state = 'held' AND change = 'delete'
        AND key IN (SELECT key FROM records WHERE kind = 'anomaly')) AS suspectDeletes,
      (SELECT count(*) FROM records WHERE kind = 'anomaly' AND value ->> 'kind' <> 'beside') AS lost
    FROM held_changes`;

/** Number of hexadecimal digits in the digest. It is small enough that users can type the digest. */
const DIGEST_LENGTH = 16;
const NONE: HeldCounts = {
  deletes: 0,
  overwrites: 0,
  renames: 0,
  rejected: 0,
  rejectedDeletes: 0,
  suspectDeletes: 0,
  lost: 0,
};
const NO_HOLDS: ReadonlyMap<string, Hold> = new Map();

export class HeldChanges {
  readonly #db: Database.Database;
  readonly #emptiness: Emptiness;
  readonly #holdDelete: Database.Statement<[string, string, string | null]>;
  readonly #holdOverwrite: Database.Statement<[Row]>;
  readonly #bind: Database.Statement<[Row]>;
  readonly #drop: Database.Statement<[string]>;
  readonly #dropRejected: Database.Statement<[string]>;
  readonly #holds: Database.Statement<[{ keys: string }], HoldRow>;
  /** Returns how many rows this connection changed. No other connection writes to the state file. */
  readonly #changes: Database.Statement<[], number>;
  /** Returns the digest of all held changes. The result is cached until the next write. */
  readonly digest = this.#cached(() => this.#readDigest());
  /** Returns the counts of held changes. The result is cached until the next write. */
  readonly counts = this.#cached(() => this.#readCounts());
  /** Returns the held changes as groups. The result is cached until the next write. */
  readonly groups = this.#cached(() => heldGroups(this.#db));

  constructor(db: Database.Database) {
    this.#db = db;
    this.#emptiness = new Emptiness(db, 'held_changes');
    this.#holdDelete = db.prepare(
      `INSERT INTO held_changes (key, change, state, etag, version_id) VALUES (?, 'delete', 'held', ?, ?)
         ON CONFLICT (key) DO UPDATE SET change = 'delete', state = 'held', etag = excluded.etag,
           version_id = excluded.version_id, approval = NULL, entry = NULL, sha256 = NULL, why = NULL, moved_from = NULL
         WHERE change <> 'delete' OR etag IS NOT excluded.etag OR version_id IS NOT excluded.version_id`,
    );
    this.#holdOverwrite = db.prepare(
      `INSERT OR REPLACE INTO held_changes (key, change, state, entry, sha256, why, moved_from, etag, version_id)
         VALUES (@key, @change, 'held', @entry, @sha256, @why, @movedFrom, @etag, @versionId)`,
    );
    this.#bind = db.prepare(
      `UPDATE held_changes SET etag = @etag, version_id = @versionId, approval = NULL,
           state = iif(state = 'approved', 'held', state)
         WHERE key = @key AND change <> 'delete' AND (etag IS NOT @etag OR version_id IS NOT @versionId)`,
    );
    this.#drop = db.prepare('DELETE FROM held_changes WHERE key = ?');
    this.#dropRejected = db.prepare(
      `DELETE FROM held_changes WHERE key = ? AND state = 'rejected' AND change = 'delete'`,
    );
    this.#holds = db.prepare(HOLDS);
    this.#changes = db.prepare<[], number>('SELECT total_changes()').pluck();
  }

  /** Holds a delete. Any approval for deleting another version becomes invalid. */
  holdDelete(key: string, { etag, versionId }: ExpectedHead): void {
    this.#emptiness.end();
    this.#holdDelete.run(key, etag, versionId ?? null);
  }

  holdOverwrite({ key, entry, sha256, why, head, movedFrom = null }: HeldOverwriteParts): void {
    this.#emptiness.end();
    const change = movedFrom === null ? 'overwrite' : 'rename';
    const content = { entry: JSON.stringify(entry), sha256, why };
    this.#holdOverwrite.run({ key, change, ...content, movedFrom, ...columns(head) });
  }

  /** Records which version a held overwrite would replace now. Any approval for an earlier version becomes invalid. */
  bindOverwrite(key: string, head: ExpectedHead | undefined): void {
    this.#bind.run({ key, ...columns(head) });
  }

  /** Removes a held change that was carried out, or that is void because its file has changed. */
  release(key: string): void {
    if (!this.#emptiness.isCertain) this.#drop.run(key);
  }

  /** Approves all held changes, for exactly the recorded content and versions. */
  approve(approval: string): void {
    this.#db
      .prepare(`UPDATE held_changes SET state = 'approved', approval = ? WHERE state = 'held'`)
      .run(approval);
  }

  /** Rejects all held overwrites. The bucket then stays unchanged until the files change again. */
  rejectOverwrites(): void {
    this.#db
      .prepare(
        `UPDATE held_changes SET state = 'rejected' WHERE state = 'held' AND change <> 'delete'`,
      )
      .run();
  }

  /** Removes all held deletes after the user rejected them, and records the files that are now only in the bucket. */
  rejectDeletes(keys: readonly string[]): void {
    this.#db.exec(`DELETE FROM held_changes WHERE state = 'held' AND change = 'delete'`);
    if (keys.length === 0) return;
    this.#emptiness.end();
    this.#db
      .prepare(
        `INSERT OR REPLACE INTO held_changes (key, change, state)
           SELECT value, 'delete', 'rejected' FROM json_each(?)`,
      )
      .run(JSON.stringify(keys));
  }

  /** Removes a rejected delete, because the object does not exist any more. */
  releaseRejectedDelete(key: string): void {
    if (!this.#emptiness.isCertain) this.#dropRejected.run(key);
  }

  /** Returns the keys of all files that are only in the bucket, because the user rejected their deletes. */
  rejectedDeletes(): readonly string[] {
    return this.#keys(`state = 'rejected' AND change = 'delete'`);
  }

  /** Returns the keys of all held deletes. */
  deletes(): readonly string[] {
    return this.#keys(`state = 'held' AND change = 'delete'`);
  }

  /** Returns the keys of all held overwrites and renames. */
  overwrites(): readonly string[] {
    return this.#keys(`state = 'held' AND change <> 'delete'`);
  }

  /** Returns the renames that are held or were rejected. */
  moves(): readonly HeldMove[] {
    if (this.#emptiness.isCertain) return [];
    const rows = this.#db
      .prepare(
        `SELECT key, entry FROM held_changes WHERE change = 'rename' AND state <> 'approved'`,
      )
      .all() as { key: string; entry: string }[];
    return rows.map(({ key, entry }) => ({ key, entry: JSON.parse(entry) as LocalEntry }));
  }

  /** Returns the holds on these keys for the planner, including approved and rejected ones. */
  among(keys: readonly string[]): ReadonlyMap<string, Hold> {
    if (this.#emptiness.isCertain) return NO_HOLDS;
    const rows = this.#holds.all({ keys: JSON.stringify(keys) });
    return new Map(rows.map((row) => [row.key, holdOf(row)]));
  }

  /** Returns the next held changes below a folder. The total and the digest are those of all held changes. */
  page(after: string, limit: number, { folder, isDirect } = WHOLE): HeldChangesPage {
    const asked = { after, limit: limit + 1, folder, isDirect: Number(isDirect) };
    const rows = this.#db.prepare<[typeof asked], PageRow>(PAGE).all(asked);
    const changes = rows.slice(0, limit).map(changeOf);
    const next = rows.length > limit ? changes.at(-1)?.path : undefined;
    return { changes, total: this.count(), digest: this.digest(), ...defined({ next }) };
  }

  count(): number {
    const { deletes, overwrites, renames } = this.counts();
    return deletes + overwrites + renames;
  }

  #keys(condition: string): readonly string[] {
    if (this.#emptiness.isCertain) return [];
    const keys = this.#db.prepare<[], string>(`SELECT key FROM held_changes WHERE ${condition}`);
    return keys.pluck().all();
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
    return this.#db.prepare<[], HeldCounts>(COUNTS).get() ?? NONE;
  }

  #readDigest(): string {
    const hash = createHash('sha256');
    const rows = this.#db.prepare<[], HoldRow>(
      `SELECT key, change, sha256, etag, version_id FROM held_changes WHERE state = 'held' ORDER BY key`,
    );
    for (const { key, change, sha256, etag, version_id } of rows.iterate())
      hash.update(JSON.stringify([key, change, sha256, etag, version_id]));
    return hash.digest('hex').slice(0, DIGEST_LENGTH);
  }
}

type HeldOverwriteParts = Omit<HeldOverwrite, 'movedFrom'> & {
  readonly movedFrom?: string | null;
};

function columns(head: ExpectedHead | undefined): Row {
  return { etag: head?.etag ?? null, versionId: head?.versionId ?? null };
}

function holdOf({ change, state, etag, version_id, approval, entry, sha256 }: HoldRow): Hold {
  const head =
    etag === null ? undefined : { etag, ...defined({ versionId: version_id ?? undefined }) };
  return defined({
    change: change === 'rename' ? 'overwrite' : change,
    state,
    head,
    approval: approval ?? undefined,
    // Only Holdfast writes the state file, so the JSON is not validated.
    entry: entry === null ? undefined : (JSON.parse(entry) as LocalEntry),
    sha256: sha256 ?? undefined,
  });
}

function changeOf({ why, ...change }: PageRow): HeldChangesPage['changes'][number] {
  return { ...change, ...defined({ why: why ?? undefined }) };
}
