/**
 * The whole check of a store: its tables, its files against its rows both ways and, if asked for, every byte.
 * Changes nothing. What a crash leaves behind is no problem but a leftover, which the next sweep deals with.
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

/** Gives way to others after each piece; rejects when the check is to end. */
export type Breathe = Pace;

/** `onDamage` is told of every damaged blob, also of those beyond the first hundred. */
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
  // What a broken database says of the files is worth nothing.
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

const QUARANTINES = 'refuses reading it, and says so in the status';

function quarantined(database: Database): readonly { blobId: number; reason: string }[] {
  return database
    .prepare<[], { blobId: number; reason: string }>(
      'SELECT blob_id AS blobId, reason FROM quarantine ORDER BY blob_id',
    )
    .all();
}

/** Tells how many files no row names. */
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
