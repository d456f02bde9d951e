/**
 * Checks a whole store: the database tables, the blob files against their rows in both directions and, on request,
 * every byte. Changes nothing. Files that a crash left are reported as leftovers, not as problems, because the garbage
 * collection deletes them.
 */

import type { Database } from 'better-sqlite3';

import type { BlobStore } from '../blobs/blob-store.ts';
import type { Layout } from '../disk/layout.ts';
import { type FileComparison, FOLDERS } from './check-files.ts';
import { FoundProblems } from './found-problems.ts';
import type { StoreProblem } from '../integrity/problems.ts';
import { askMetadataCheck } from './upkeep-thread.ts';
import { damageOf, type Pace, STORED_BLOB_COLUMNS, type StoredBlob } from './verify-blob.ts';

export interface CheckOptions {
  /** Whether to read and verify every stored byte. */
  readonly deep: boolean;
  readonly onProgress?: ((progress: CheckProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface CheckProgress {
  /** The description of the current step. */
  readonly step: string;
  readonly done: number;
  /** The value that `done` has at the end of the step. Absent if it is not known. */
  readonly total?: number;
}

export interface CheckReport {
  /** The first hundred problems of each problem code. */
  readonly problems: readonly StoreProblem[];
  /** The number of problems by problem code. */
  readonly counts: Readonly<Record<string, number>>;
  /** The number of checked versions. */
  readonly versions: number;
  readonly blobs: number;
  /** The total size of all blobs. Only a deep check reads them. */
  readonly bytes: number;
  readonly deep: boolean;
  /** The number of files that the next garbage collection deletes or moves to trash/. */
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

/** Called between steps of the check, so that other work can run. Rejects to end the check. */
export type Breathe = Pace;

/** Checks the store and returns its problems. Calls `onDamage` for every damaged blob, even after the first hundred. */
export async function checkStore(
  store: CheckedStore,
  { deep, onProgress = () => {} }: CheckOptions,
  breathe: Breathe,
  onDamage: (blobId: number) => void = () => {},
): Promise<CheckReport> {
  const { layout, database, comparison, blobs } = store;
  const metadata = await askMetadataCheck(layout.metadata, (step) => onProgress({ step, done: 0 }));
  const found = new FoundProblems(layout, metadata, onDamage);
  const { versions, blobs: blobCount, bytes } = metadata;
  const report = { versions, blobs: blobCount, bytes, deep };
  // Do not compare the files with the rows of a damaged database, because these rows are not reliable.
  if (metadata.counts['database'] !== undefined) {
    return { ...found.listed(), ...report, leftovers: NOTHING_LEFT };
  }
  for (const { blobId, reason } of quarantined(database)) {
    await found.damage(blobId, { message: reason });
  }
  const orphans = await checkFiles(comparison, { found, onProgress, breathe });
  if (deep) await checkBytes(store, { found, total: bytes, onProgress, breathe });
  const temporary = await comparison.list(layout.tmp);
  return {
    ...found.listed(),
    ...report,
    leftovers: {
      temporaryFiles: temporary.filter((file) => !blobs.isInUse(file)).length,
      garbage: comparison.garbage().length,
      orphans,
    },
  };
}

const NOTHING_LEFT = { temporaryFiles: 0, garbage: 0, orphans: 0 };

interface Walk {
  readonly found: FoundProblems;
  readonly onProgress: (progress: CheckProgress) => void;
  readonly breathe: Breathe;
}

const QUARANTINES = 'refuses reading it, and reports it in the status';

function quarantined(database: Database): readonly { blobId: number; reason: string }[] {
  return database
    .prepare<[], { blobId: number; reason: string }>(
      'SELECT blob_id AS blobId, reason FROM quarantine ORDER BY blob_id',
    )
    .all();
}

/** Returns the number of orphaned files. */
async function checkFiles(
  comparison: FileComparison,
  { found, onProgress, breathe }: Walk,
): Promise<number> {
  let orphanCount = 0;
  for (let folder = 0; folder < FOLDERS; folder++) {
    onProgress({ step: 'files', done: folder, total: FOLDERS });
    await breathe(0);
    const { orphans, missing, present } = await comparison.compare(folder);
    orphanCount += orphans.length;
    for (const { file, blobId } of missing) {
      await found.damage(blobId, { message: `its file ${file} is missing`, repair: QUARANTINES });
    }
    for (const { file, blobId, sizeBytes } of present) {
      const size = await comparison.sizeOf(file);
      if (size === undefined || size === sizeBytes) continue;
      const message = `its file ${file} has ${size} bytes instead of ${sizeBytes}`;
      await found.damage(blobId, { message, repair: QUARANTINES });
    }
  }
  return orphanCount;
}

async function checkBytes(
  { database, blobs }: CheckedStore,
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
    await found.damage(blob.blobId, { message, repair: QUARANTINES });
  }
}
