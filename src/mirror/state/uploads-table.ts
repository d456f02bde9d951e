/**
 * Multipart uploads that may exist at the service. A row is written before the upload is created. It ends
 * with the version that the upload created or with a confirmed abort; a failed abort is retried.
 */

import type Database from 'better-sqlite3';

import { defined } from '../../base/defined.ts';
import type { LocalEntry } from '../model/types.ts';
import type { Commits } from './commits.ts';
import { Emptiness } from './emptiness.ts';
import type { Records, RecordsTable } from './records.ts';

export interface NewUpload {
  readonly key: string;
  /** Stored in the metadata that the upload is created with. */
  readonly journalId: string;
  /** Milliseconds since 1970. */
  readonly begunAt: number;
  /** Absent, like `entry` and `uploadedAt`, for the upload of a copy. */
  readonly sha256?: string;
  /** The file as it was read. */
  readonly entry?: LocalEntry;
  /** Also in that metadata, by the service's clock. */
  readonly uploadedAt?: number;
}

export interface KnownUpload extends NewUpload {
  /** Absent if the response to its creation was lost. */
  readonly uploadId?: string;
  /** When its last part was stored. */
  readonly progressAt: number;
  /** Whether it may be resumed for its file. */
  readonly isResumable: boolean;
}

/** An upload that may be resumed for its file. */
export type BegunUpload = KnownUpload &
  Required<Pick<KnownUpload, 'entry' | 'sha256' | 'uploadedAt' | 'uploadId'>>;

interface Row {
  readonly journalId: string;
  readonly key: string;
  readonly uploadId: string | null;
  readonly sha256: string | null;
  readonly entry: string | null;
  readonly begunAt: number;
  readonly uploadedAt: number | null;
  readonly progressAt: number;
  readonly isResumable: number;
}

const COLUMNS = `journal_id AS journalId, key, upload_id AS uploadId, sha256, entry, begun_at AS begunAt,
  uploaded_at AS uploadedAt, progress_at AS progressAt, resumable AS isResumable`;

export class UploadsTable {
  readonly #db: Database.Database;
  readonly #commits: Commits;
  readonly #emptiness: Emptiness;
  readonly #end: Database.Statement<[string]>;
  /** ETags of stored parts, by the journal id of the upload and the part number. A trigger drops them with it. */
  readonly #parts: Records<string>;

  constructor(records: RecordsTable, commits: Commits) {
    const { db } = records;
    this.#db = db;
    this.#parts = records.of('upload_part');
    this.#commits = commits;
    this.#emptiness = new Emptiness(db, 'uploads');
    this.#end = db.prepare('DELETE FROM uploads WHERE journal_id = ?');
  }

  /** Called before the request that creates it. */
  begin({ key, journalId, begunAt, sha256, entry, uploadedAt }: NewUpload): void {
    this.#emptiness.end();
    const text = entry ? JSON.stringify(entry) : null;
    const own = { sha256: sha256 ?? null, entry: text, uploadedAt: uploadedAt ?? null };
    const row = { key, journalId, begunAt, ...own };
    const put = `INSERT INTO uploads (journal_id, key, sha256, entry, begun_at, uploaded_at, progress_at, resumable)
      VALUES (@journalId, @key, @sha256, @entry, @begunAt, @uploadedAt, @begunAt, 0)`;
    this.#db.prepare(put).run(row);
  }

  /** Called when the service returned its id. */
  created(journalId: string, uploadId: string, { isResumable = true } = {}): void {
    const name = 'UPDATE uploads SET upload_id = ?, resumable = ? WHERE journal_id = ?';
    this.#db.prepare(name).run(uploadId, isResumable ? 1 : 0, journalId);
  }

  isCreated(journalId: string): boolean {
    const query = 'SELECT 1 FROM uploads WHERE journal_id = ? AND upload_id IS NOT NULL';
    return this.#db.prepare(query).get(journalId) !== undefined;
  }

  /** Records a stored part. If a power failure loses the row, the part is compared by its bytes. */
  acknowledged(
    journalId: string,
    {
      partNumber,
      etag,
      at,
    }: { readonly partNumber: number; readonly etag: string; readonly at: number },
  ): void {
    this.#commits.withoutSync(() => {
      this.#parts.put({ key: journalId, part: String(partNumber) }, etag);
      const progress = 'UPDATE uploads SET progress_at = ? WHERE journal_id = ?';
      this.#db.prepare(progress).run(at, journalId);
    });
  }

  /** By part number. */
  etagsOf(journalId: string): ReadonlyMap<number, string> {
    return new Map(this.#parts.among([journalId]).map(({ part, value }) => [Number(part), value]));
  }

  /** The resumable upload of a key. */
  get(key: string): BegunUpload | undefined {
    if (this.#emptiness.isCertain) return undefined;
    const query = `SELECT ${COLUMNS} FROM uploads WHERE key = ? AND resumable = 1`;
    const row = this.#db.prepare(query).get(key) as Row | undefined;
    return row && (readRow(row) as BegunUpload);
  }

  /** Oldest first. */
  all(): readonly KnownUpload[] {
    if (this.#emptiness.isCertain) return [];
    const query = `SELECT ${COLUMNS} FROM uploads ORDER BY begun_at`;
    return (this.#db.prepare(query).all() as Row[]).map(readRow);
  }

  /** Marks the upload to be aborted: it is not resumed. */
  giveUp(journalId: string): void {
    this.#db.prepare('UPDATE uploads SET resumable = 0 WHERE journal_id = ?').run(journalId);
  }

  /** Called when it became a version, or the service no longer has it. */
  end(journalId: string): void {
    if (!this.#emptiness.isCertain) this.#end.run(journalId);
  }
}

function readRow({ uploadId, sha256, entry, uploadedAt, isResumable, ...row }: Row): KnownUpload {
  return {
    ...row,
    isResumable: isResumable === 1,
    ...defined({
      uploadId: uploadId ?? undefined,
      sha256: sha256 ?? undefined,
      uploadedAt: uploadedAt ?? undefined,
      entry: entry === null ? undefined : (JSON.parse(entry) as LocalEntry),
    }),
  };
}
