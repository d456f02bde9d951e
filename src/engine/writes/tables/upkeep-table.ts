/** Writes the tables for the store's maintenance: quarantine, scrubs and trusted time. */

import type { Database, Statement } from 'better-sqlite3';

import { type Repaired, repairMetadata } from '../../integrity/repair-metadata.ts';
import type { ScrubState } from '../../schema/rows.ts';
import type { RememberedTime } from '../../clock/trusted-time.ts';

/** The number of finished scrubs whose records are kept, about two years. */
const MAX_SCRUBS = 24;

export class UpkeepTable {
  readonly #database: Database;
  readonly #quarantine: Statement<[string, number, string, number, string | null]>;
  readonly #endQuarantine: Statement<[number]>;
  readonly #saveScrub: Statement<[ScrubState]>;
  readonly #forgetScrubs: Statement<[number]>;
  readonly #saveTrustedTime: Statement<[number, string | null, number | null]>;

  constructor(database: Database) {
    this.#database = database;
    // The statement adds no row for a blob that was removed or replaced. If no versions are given, it keeps the known
    // versions.
    this.#quarantine = database.prepare(
      `INSERT INTO quarantine (blob_id, reason, found_at, versions)
       SELECT blob_id, ?, ?, ? FROM blob WHERE blob_id = ? AND file IS ?
       ON CONFLICT (blob_id) DO UPDATE SET reason = excluded.reason, found_at = excluded.found_at,
         versions = iif(excluded.versions = '[]', versions, excluded.versions)`,
    );
    this.#endQuarantine = database.prepare('DELETE FROM quarantine WHERE blob_id = ?');
    this.#saveScrub = database.prepare(
      `INSERT OR REPLACE INTO scrub
         (scrub_id, started_at, finished_at, cursor, blobs, bytes, damaged, inconsistencies)
       VALUES (@scrubId, @startedAt, @finishedAt, @cursor, @blobs, @bytes, @damaged, @inconsistencies)`,
    );
    this.#forgetScrubs = database.prepare('DELETE FROM scrub WHERE scrub_id <= ?');
    this.#saveTrustedTime = database.prepare(
      'UPDATE upkeep SET trusted_at = ?, trusted_boot = ?, trusted_uptime = ?',
    );
  }

  quarantine(
    { blobId, file }: { readonly blobId: number; readonly file: string | null },
    reason: string,
    found: { at: number; versions: string },
  ): void {
    this.#quarantine.run(reason, found.at, found.versions, blobId, file);
  }

  endQuarantine(blobId: number): void {
    this.#endQuarantine.run(blobId);
  }

  saveScrub(state: ScrubState): void {
    this.#saveScrub.run(state);
    this.#forgetScrubs.run(state.scrubId - MAX_SCRUBS);
  }

  saveTrustedTime({ trustedAt, boot }: RememberedTime): void {
    this.#saveTrustedTime.run(trustedAt, boot?.id ?? null, boot ? Math.round(boot.upMs) : null);
  }

  repair(keepBytes: (blobId: number, bytes: Uint8Array) => void): readonly Repaired[] {
    return repairMetadata(this.#database, keepBytes);
  }
}
