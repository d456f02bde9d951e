/**
 * The whole check of a store: its tables, its files against its rows both ways and, if asked for, every byte.
 * Changes nothing. What a crash leaves behind is no problem but a leftover, which the next sweep deals with.
 */

import type { Database } from 'better-sqlite3';

import type { BlobStore } from '../blob-store.ts';
import type { Layout } from '../layout.ts';
import { type FileComparison, FOLDERS } from './check-files.ts';
import { MAX_LISTED_PROBLEMS, type StoreProblem } from './problems.ts';
import { askMetadataCheck, askVersionsOf } from './upkeep-thread.ts';
import { damageOf, type Pace, STORED_BLOB_COLUMNS, type StoredBlob } from './verify-blob.ts';

export interface CheckOptions {
  /** Reads and verifies every byte, too. */
  readonly deep: boolean;
  readonly onProgress?: ((progress: CheckProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface CheckProgress {
  /** What is looked at. */
  readonly step: string;
  readonly done: number;
  /** Absent where it is not known. */
  readonly total?: number;
}

export interface CheckReport {
  /** The first hundred of each code. */
  readonly problems: readonly StoreProblem[];
  /** How many there are of each code. */
  readonly counts: Readonly<Record<string, number>>;
  /** What was looked at. */
  readonly versions: number;
  readonly blobs: number;
  /** Of all blobs; read only by a deep check. */
  readonly bytes: number;
  readonly deep: boolean;
  /** What the next sweep removes or moves to trash/. */
  readonly leftovers: {
    readonly temporaryFiles: number;
    readonly garbage: number;
    readonly orphans: number;
  };
}

export interface CheckedStore {
  readonly layout: Layout;
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly comparison: FileComparison;
}

/** Gives way to others after each piece, and ends when it is aborted. */
export type Breathe = Pace;

export async function checkStore(
  store: CheckedStore,
  { deep, onProgress = () => {} }: CheckOptions,
  breathe: Breathe,
): Promise<CheckReport> {
  const { layout, comparison } = store;
  const found = new Problems();
  const { problems, counts, ...rows } = await askMetadataCheck(layout.metadata, (step) =>
    onProgress({ step, done: 0 }),
  );
  found.add({ problems, counts });
  // What a broken database says of the files is worth nothing.
  if (counts['database'] !== undefined) {
    return { ...found.listed(), ...rows, deep, leftovers: NOTHING_LEFT };
  }
  const orphans = await checkFiles(store, { found, onProgress, breathe });
  if (deep) await checkBytes(store, { found, total: rows.bytes, onProgress, breathe });
  else await listQuarantine(store, found);
  return {
    ...found.listed(),
    ...rows,
    deep,
    leftovers: {
      temporaryFiles: (await comparison.list(layout.tmp)).filter(
        (file) => !store.blobs.isInUse(file),
      ).length,
      garbage: comparison.garbage().length,
      orphans,
    },
  };
}

const NOTHING_LEFT = { temporaryFiles: 0, garbage: 0, orphans: 0 };

/** What was found so far: the first of each code, and how many. */
class Problems {
  readonly #problems: StoreProblem[] = [];
  readonly #counts: Record<string, number> = {};

  one(problem: StoreProblem): void {
    const count = (this.#counts[problem.code] ?? 0) + 1;
    this.#counts[problem.code] = count;
    if (count <= MAX_LISTED_PROBLEMS) this.#problems.push(problem);
  }

  add({ problems, counts }: Pick<CheckReport, 'problems' | 'counts'>): void {
    this.#problems.push(...problems);
    Object.assign(this.#counts, counts);
  }

  count(code: string): number {
    return this.#counts[code] ?? 0;
  }

  listed(): Pick<CheckReport, 'problems' | 'counts'> {
    return { problems: this.#problems, counts: this.#counts };
  }
}

interface Walk {
  readonly found: Problems;
  readonly onProgress: (progress: CheckProgress) => void;
  readonly breathe: Breathe;
}

const QUARANTINED = 'refuses reading it, and says so in the status';

/** Tells how many files no row names. */
async function checkFiles(
  { comparison, layout }: CheckedStore,
  { found, onProgress, breathe }: Walk,
): Promise<number> {
  let orphans = 0;
  for (let folder = 0; folder < FOLDERS; folder++) {
    onProgress({ step: 'files', done: folder, total: FOLDERS });
    await breathe(0);
    const compared = await comparison.compare(folder);
    orphans += compared.orphans.length;
    const short = [];
    for (const row of compared.present) {
      const sizeBytes = await comparison.sizeOf(row.file);
      if (sizeBytes !== undefined && sizeBytes !== row.sizeBytes) short.push({ ...row, sizeBytes });
    }
    for (const { file, blobId } of compared.missing) {
      const versions = await namesOf(layout, blobId, found.count('file-missing'));
      const message = 'is missing; reading what needs it fails';
      found.one({ code: 'file-missing', subject: file, message, repair: QUARANTINED, versions });
    }
    for (const { file, blobId, sizeBytes } of short) {
      const versions = await namesOf(layout, blobId, found.count('file-size'));
      const message = `has ${sizeBytes} bytes, which is wrong; reading what needs it fails`;
      found.one({ code: 'file-size', subject: file, message, repair: QUARANTINED, versions });
    }
  }
  return orphans;
}

/** Each name takes a scan of all versions: those of the first ones must do. */
const MAX_NAMED_BLOBS = 8;

async function namesOf(layout: Layout, blobId: number, before: number) {
  return before < MAX_NAMED_BLOBS ? askVersionsOf(layout.metadata, blobId) : undefined;
}

async function checkBytes(
  { layout, database, blobs }: CheckedStore,
  { found, total, onProgress, breathe }: Walk & { readonly total: number },
): Promise<void> {
  const next = database.prepare<[number], StoredBlob>(
    `SELECT ${STORED_BLOB_COLUMNS} FROM blob WHERE blob_id > ? ORDER BY blob_id LIMIT 1`,
  );
  const exists = database.prepare('SELECT 1 FROM blob WHERE blob_id = ?');
  let done = 0;
  const pace = (bytes: number) => {
    done += bytes;
    onProgress({ step: 'bytes', done, total });
    return breathe(bytes);
  };
  for (let blob = next.get(0); blob; blob = next.get(blob.blobId)) {
    const message = await damageOf(blob, blobs, pace);
    if (message === undefined || !exists.get(blob.blobId)) continue;
    const versions = await namesOf(layout, blob.blobId, found.count('bytes-damaged'));
    const subject = `blob ${blob.blobId}`;
    found.one({ code: 'bytes-damaged', subject, message, repair: QUARANTINED, versions });
  }
}

async function listQuarantine({ layout, database }: CheckedStore, found: Problems): Promise<void> {
  const rows = database
    .prepare<[], { blobId: number; reason: string }>(
      'SELECT blob_id AS blobId, reason FROM quarantine ORDER BY blob_id',
    )
    .all();
  for (const { blobId, reason: message } of rows) {
    const versions = await namesOf(layout, blobId, found.count('bytes-damaged'));
    found.one({ code: 'bytes-damaged', subject: `blob ${blobId}`, message, versions });
  }
}
