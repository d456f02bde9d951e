/**
 * Stores multipart uploads that may exist on the service. A row is written before the upload is created. It is removed
 * when the upload has become a version or when its abort is confirmed. A failed abort is retried.
 */

import type Database from 'better-sqlite3';

import { defined } from '../../base/defined.ts';
import type { LocalEntry } from '../model/types.ts';
import type { Commits } from './commits.ts';
import { Emptiness } from './emptiness.ts';
import type { Records, RecordsTable } from './records.ts';

export interface NewUpload {
  readonly key: string;
  /** Journal id, which is also stored in the upload's metadata. */
  readonly journalId: string;
  /** When the upload began, in milliseconds since 1970. */
  readonly begunAt: number;
  /** SHA-256 of the file. Like `entry` and `uploadedAt`, it is absent if the upload is a server-side copy. */
  readonly sha256?: string;
  /** The file's state when it was read. */
  readonly entry?: LocalEntry;
  /** Upload time by the service's clock. It is also stored in the upload's metadata. */
  readonly uploadedAt?: number;
}

export interface KnownUpload extends NewUpload {
  /** Upload id; absent if the response to CreateMultipartUpload was lost. */
  readonly uploadId?: string;
  /** When the last part was stored, in milliseconds since 1970. */
  readonly progressAt: number;
  /** Whether the upload may be resumed if its file is unchanged. */
  readonly isResumable: boolean;
}

/** An upload that may be resumed if its file is unchanged. */
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
  /**
   * ETags of stored parts, by the upload's journal id and the part number. A trigger removes them together with the
   * upload.
   */
  readonly #parts: Records<string>;
  /** Journal ids of uploads that this process uses outside the job's sync rounds. */
  readonly #held = new Set<string>();

  constructor(records: RecordsTable, commits: Commits) {
    const { db } = records;
    this.#db = db;
    this.#parts = records.of('upload_part');
    this.#commits = commits;
    this.#emptiness = new Emptiness(db, 'uploads');
    this.#end = db.prepare('DELETE FROM uploads WHERE journal_id = ?');
  }

  /** Records an upload. The caller must record it before sending CreateMultipartUpload. */
  begin({ key, journalId, begunAt, sha256, entry, uploadedAt }: NewUpload): void {
    this.#emptiness.end();
    const text = entry ? JSON.stringify(entry) : null;
    const own = { sha256: sha256 ?? null, entry: text, uploadedAt: uploadedAt ?? null };
    const row = { key, journalId, begunAt, ...own };
    const put = `INSERT INTO uploads (journal_id, key, sha256, entry, begun_at, uploaded_at, progress_at, resumable)
      VALUES (@journalId, @key, @sha256, @entry, @begunAt, @uploadedAt, @begunAt, 0)`;
    this.#db.prepare(put).run(row);
  }

  /** Keeps an upload from being aborted until the returned function is called or the process ends. */
  hold(journalId: string): () => void {
    this.#held.add(journalId);
    return () => void this.#held.delete(journalId);
  }

  isHeld(journalId: string): boolean {
    return this.#held.has(journalId);
  }

  /** Records the upload id that the service returned. */
  created(journalId: string, uploadId: string, { isResumable = true } = {}): void {
    const name = 'UPDATE uploads SET upload_id = ?, resumable = ? WHERE journal_id = ?';
    this.#db.prepare(name).run(uploadId, isResumable ? 1 : 0, journalId);
  }

  isCreated(journalId: string): boolean {
    const query = 'SELECT 1 FROM uploads WHERE journal_id = ? AND upload_id IS NOT NULL';
    return this.#db.prepare(query).get(journalId) !== undefined;
  }

  /**
   * Records a stored part. If a power failure loses this record, a resumed upload compares the part's content instead.
   */
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

  /** Returns the ETags of an upload's stored parts, by part number. */
  etagsOf(journalId: string): ReadonlyMap<number, string> {
    return new Map(this.#parts.among([journalId]).map(({ part, value }) => [Number(part), value]));
  }

  /** Returns a key's resumable upload; undefined if it has none. */
  get(key: string): BegunUpload | undefined {
    if (this.#emptiness.isCertain) return undefined;
    const query = `SELECT ${COLUMNS} FROM uploads WHERE key = ? AND resumable = 1`;
    const row = this.#db.prepare(query).get(key) as Row | undefined;
    return row && (readRow(row) as BegunUpload);
  }

  /** Returns all uploads, oldest first. */
  all(): readonly KnownUpload[] {
    if (this.#emptiness.isCertain) return [];
    const query = `SELECT ${COLUMNS} FROM uploads ORDER BY begun_at`;
    return (this.#db.prepare(query).all() as Row[]).map(readRow);
  }

  /** Marks an upload as not resumable, so that it is aborted later. */
  giveUp(journalId: string): void {
    this.#db.prepare('UPDATE uploads SET resumable = 0 WHERE journal_id = ?').run(journalId);
  }

  /** Removes an upload that has become a version or no longer exists on the service. */
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
