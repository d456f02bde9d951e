/**
 * Compares the files below blobs/ with the database rows that refer to them. Each comparison covers one of 256 folders.
 */

import { join } from 'node:path';

import type { Database, Statement } from 'better-sqlite3';

import { errorCode } from '../../base/errors.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { FileOperations } from '../disk/faults.ts';
import type { Layout } from '../disk/layout.ts';

/** The database row of a blob whose bytes are stored in a file. */
export interface BlobFileRow {
  readonly file: string;
  readonly blobId: number;
  readonly sizeBytes: number;
}

export interface ComparedFolder {
  readonly path: string;
  /** Names of orphaned files: no row refers to them, and no write in progress will create such a row. */
  readonly orphans: readonly string[];
  readonly missing: readonly BlobFileRow[];
  readonly present: readonly BlobFileRow[];
}

interface FileComparisonOptions {
  readonly layout: Layout;
  readonly files: FileOperations;
  readonly blobs: BlobStore;
  readonly database: Database;
}

export const FOLDERS = 256;

/** Matches the names of blob files. Other files do not belong to the store and are not deleted. */
const OUR_NAME = /^[0-9a-f]{32}$/;

export class FileComparison {
  readonly #options: FileComparisonOptions;
  readonly #rowsBetween: Statement<[string, string], BlobFileRow>;
  readonly #isNamed: Statement<[string], number>;
  readonly #garbage: Statement<[string, string], string>;

  constructor(options: FileComparisonOptions) {
    const { database } = options;
    this.#options = options;
    this.#rowsBetween = database.prepare(
      `SELECT file, blob_id AS blobId, size_bytes AS sizeBytes FROM blob WHERE file >= ? AND file < ?`,
    );
    this.#isNamed = database.prepare<[string], number>('SELECT 1 FROM blob WHERE file = ?').pluck();
    this.#garbage = database
      .prepare<[string, string], string>(
        `SELECT file FROM garbage WHERE file >= ? AND file < ?
           AND NOT EXISTS (SELECT 1 FROM blob WHERE blob.file = garbage.file)`,
      )
      .pluck();
  }

  /** Returns the names of unreferenced blob files that are still to be deleted. */
  garbage(): readonly string[] {
    return this.#garbage.all('', LAST_NAME);
  }

  /**
   * Returns the numbers of the folders that exist, or that should exist according to the rows. A folder that is created
   * later contains only new files, so it need not be compared.
   */
  async folders(): Promise<readonly number[]> {
    const there = new Set(await this.list(this.#options.layout.blobs));
    const hasRows = (folder: number) =>
      this.#rowsBetween.get(hexByte(folder), hexByte(folder + 1)) !== undefined;
    return Array.from({ length: FOLDERS }, (_, folder) => folder).filter(
      (folder) => there.has(hexByte(folder)) || hasRows(folder),
    );
  }

  async compare(folder: number): Promise<ComparedFolder> {
    const { layout, blobs } = this.#options;
    const [first, end] = [hexByte(folder), hexByte(folder + 1)];
    const rows = this.#rowsBetween.all(first, end);
    const path = join(layout.blobs, first);
    const files = new Set((await this.list(path)).filter((name) => OUR_NAME.test(name)));
    const named = new Set(rows.map(({ file }) => file));
    const garbage = new Set(this.#garbage.all(first, end));
    // Check each orphan again, because rows may have been added since the files were listed.
    const orphans = [...files].filter(
      (file) =>
        !named.has(file) && !garbage.has(file) && !blobs.isInUse(file) && !this.#isNamed.get(file),
    );
    const absent = rows.filter(({ file }) => !files.has(file) && this.#isNamed.get(file));
    return { path, orphans, missing: absent, present: rows.filter(({ file }) => files.has(file)) };
  }

  /** Returns the size of a blob file, or undefined if it does not exist. */
  async sizeOf(name: string): Promise<number | undefined> {
    try {
      return (await this.#options.files.stat(this.#options.blobs.path(name))).size;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  async list(path: string): Promise<readonly string[]> {
    try {
      return await this.#options.files.readdir(path);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return [];
      throw error;
    }
  }
}

/** A name that sorts after the names of all blob files. */
const LAST_NAME = 'g';

/** Returns the name of a folder, `00` to `ff`. Returns `LAST_NAME` for the number after the last folder. */
function hexByte(value: number): string {
  return value >= FOLDERS ? LAST_NAME : value.toString(16).padStart(2, '0');
}
