/**
 * Brings files and rows together again: what a crash left without a row goes, and a row without its file
 * is reported, since nothing here can bring it back.
 */

import { join } from 'node:path';

import type { Database, Statement } from 'better-sqlite3';

import { errorCode } from '../base/errors.ts';
import type { BlobStore } from './blob-store.ts';
import type { FileOperations, PassPoint } from './faults.ts';
import type { Layout } from './layout.ts';

/** Damage to a version that the sweep found. */
export interface StoreProblem {
  readonly code: 'missing-blob';
  /** The file below blobs/ that should be there. */
  readonly file: string;
  /** The versions that need it; empty when it is a part of an open upload, or too many are missing. */
  readonly versions: readonly {
    readonly bucket: string;
    readonly key: string;
    readonly versionId: string;
  }[];
}

export interface SweepReport {
  /** Half-written files below tmp/ that were removed. */
  readonly temporaryFiles: number;
  /** Blob files without a row that were removed. */
  readonly orphans: number;
  /** Files of removed versions that were still to be unlinked. */
  readonly garbage: number;
  readonly problems: readonly StoreProblem[];
}

/** To name the versions of a blob costs a scan of all versions; so many are worth it. */
const MAX_NAMED_PROBLEMS = 16;

interface SweepOptions {
  readonly layout: Layout;
  readonly files: FileOperations;
  readonly passPoint: PassPoint;
  readonly blobs: BlobStore;
  readonly database: Database;
  /** Unlinks files of the garbage table, and then their entries. */
  readonly collect: (files: readonly string[]) => Promise<void>;
}

type Version = StoreProblem['versions'][number];

export class Sweep {
  readonly #options: SweepOptions;
  readonly #garbage: Statement<[], string>;
  readonly #filesBetween: Statement<[string, string], string>;
  readonly #isNamed: Statement<[string], number>;
  readonly #versionsOf: Statement<[string, string], Version>;
  #stopped = false;

  constructor(options: SweepOptions) {
    this.#options = options;
    const { database } = options;
    this.#garbage = database.prepare<[], string>('SELECT file FROM garbage').pluck();
    this.#filesBetween = database
      .prepare<[string, string], string>('SELECT file FROM blob WHERE file >= ? AND file < ?')
      .pluck();
    this.#isNamed = database.prepare<[string], number>('SELECT 1 FROM blob WHERE file = ?').pluck();
    this.#versionsOf = database.prepare(
      `SELECT bucket.name AS bucket, key, version_id AS versionId
       FROM version JOIN bucket USING (bucket_id)
       WHERE blob_id = (SELECT blob_id FROM blob WHERE file = ?) OR manifest_id IN (
         SELECT manifest_id FROM manifest_part JOIN blob USING (blob_id) WHERE file = ?)`,
    );
  }

  /** A sweep that runs ends soon. */
  stop(): void {
    this.#stopped = true;
  }

  async run(): Promise<SweepReport> {
    const temporaryFiles = await this.#emptyTmp();
    const garbage = this.#garbage.all();
    await this.#options.collect(garbage);
    let orphans = 0;
    const missing: string[] = [];
    for (let shard = 0; shard < 256 && !this.#stopped; shard++) {
      const found = await this.#sweepShard(shard);
      orphans += found.orphans;
      missing.push(...found.missing);
    }
    const problems = missing.map((file, index) => this.#problem(file, index));
    return { temporaryFiles, orphans, garbage: garbage.length, problems };
  }

  async #emptyTmp(): Promise<number> {
    const { layout, files, blobs } = this.#options;
    const names = await files.readdir(layout.tmp);
    const left = names.filter((name) => !blobs.isInUse(name));
    for (const name of left) {
      await this.#unlink(join(layout.tmp, name));
      this.#options.passPoint('after-sweep-tmp');
    }
    return left.length;
  }

  /** One of the 256 folders: its files against the rows whose names begin as the folder does. */
  async #sweepShard(shard: number): Promise<{ orphans: number; missing: readonly string[] }> {
    const { blobs } = this.#options;
    const rows = new Set(this.#filesBetween.all(hexByte(shard), hexByte(shard + 1)));
    const present = new Set(await this.#list(join(this.#options.layout.blobs, hexByte(shard))));
    let orphans = 0;
    for (const file of present) {
      // Asked again: the row may have come since.
      if (rows.has(file) || blobs.isInUse(file) || this.#isNamed.get(file)) continue;
      await this.#unlink(blobs.path(file));
      this.#options.passPoint('after-sweep-orphan');
      orphans += 1;
    }
    // Asked again: the row, and then the file, may have gone since.
    const missing = [...rows].filter((file) => !present.has(file) && this.#isNamed.get(file));
    return { orphans, missing };
  }

  async #list(path: string): Promise<readonly string[]> {
    try {
      return await this.#options.files.readdir(path);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return [];
      throw error;
    }
  }

  async #unlink(path: string): Promise<void> {
    try {
      await this.#options.files.unlink(path);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
    }
  }

  #problem(file: string, index: number): StoreProblem {
    const versions = index < MAX_NAMED_PROBLEMS ? this.#versionsOf.all(file, file) : [];
    return { code: 'missing-blob', file, versions };
  }
}

/** `00` to `ff`; `g` lies above all of them. */
function hexByte(value: number): string {
  return value > 255 ? 'g' : value.toString(16).padStart(2, '0');
}
