/**
 * Tests of power cuts at every position of the write log. Every file that a database row refers to must exist, and
 * acknowledged writes must survive.
 */

import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

import { bytesBody } from '../../src/object-store/body.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { isStorageError } from '../../src/object-store/storage-error.ts';
import {
  type Log,
  Recorder,
  type Remains,
  remainsOf,
  type Survives,
} from '../helpers/power-cut.ts';
import { blobPath } from '../helpers/store-files.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { openTestEngine, patternBytes, readBytes } from '../helpers/test-engine.ts';
import { randomFrom } from '../helpers/tree.ts';
import { until } from '../helpers/until.ts';

const SIZE = 100_000;

let recorded: Promise<Log> | undefined;
/** Returns the recorded write log. The first call records it. */
const lifeLog = (): Promise<Log> => (recorded ??= recordedLife());

/**
 * Records the file operations of a store that puts, replaces, copies, uploads in parts and deletes large bodies,
 * one after the other.
 */
async function recordedLife(): Promise<Log> {
  const dir = temporaryFolder('power-cut');
  const recorder = new Recorder(join(dir, 'store.sqlite'));
  const { engine, store } = await openTestEngine({ dir, faults: { files: recorder.files } });
  await store.createBucket({ bucket: 'versions', objectLockEnabled: true });
  await store.createBucket({ bucket: 'plain' });
  recorder.start();
  for (let seed = 1; seed <= 6; seed++) await work(store, recorder, seed);
  // Waits until the files of deleted bodies are unlinked and their rows in the garbage table are
  // deleted.
  const garbage = new Database(join(dir, 'store.sqlite'), { readonly: true });
  const left = garbage.prepare('SELECT count(*) FROM garbage').pluck();
  await until(
    () => left.get(),
    (count) => count === 0,
  );
  garbage.close();
  recorder.promise('kept 6');
  recorder.stop();
  await engine.close();
  return recorder.log;
}

async function work(store: ObjectStore, recorder: Recorder, seed: number): Promise<void> {
  const key = `k${seed}`;
  const body = bytesBody(patternBytes(SIZE, seed));
  const { versionId = '' } = await store.putObject({ bucket: 'versions', key, body });
  recorder.promise(`version ${versionId} ${seed}`);
  await store.putObject({ bucket: 'plain', key: 'replaced', body });
  recorder.promise(`kept ${seed}`);
  await store.copyObject({ source: { bucket: 'versions', key }, bucket: 'plain', key: 'copy' });
  const ref = { bucket: 'plain', key: 'parts' };
  const { uploadId } = await store.createUpload(ref);
  const { etag } = await store.uploadPart({ ...ref, uploadId, partNumber: 1, body });
  if (seed % 2 === 0) await store.abortUpload({ ...ref, uploadId });
  else await store.completeUpload({ ...ref, uploadId, parts: [{ partNumber: 1, etag }] });
  const bytes = patternBytes(100, seed);
  const objects = [1, 2, 3].map((index) => ({ key: `bulk${seed}/${index}`, bytes }));
  const outcomes = (await store.bulkWriter?.putObjects({ bucket: 'versions', objects })) ?? [];
  for (const outcome of outcomes) {
    if (isStorageError(outcome)) throw outcome;
    recorder.promise(`version ${outcome.versionId} ${seed}`);
  }
  if (seed % 3 !== 0) return;
  recorder.promise(`removing ${versionId}`);
  await store.deleteObject({ bucket: 'versions', key, versionId });
  recorder.promise(`removed ${versionId}`);
}

interface BlobRow {
  readonly file: string;
  readonly sha256: Buffer;
}

const opened = new Map<
  Buffer,
  {
    readonly blobs: readonly BlobRow[];
    readonly versions: Set<string>;
    /** The bulk writes of which only a part is stored. */
    readonly divided: readonly string[];
  }
>();

/**
 * Returns the blobs and version ids in a database. The result is cached, because many prefixes of the log end with
 * the same database.
 */
function rowsOf(database: Buffer) {
  const known = opened.get(database);
  if (known) return known;
  const connection = openBytes(database);
  const rows = {
    blobs: connection
      .prepare<[], BlobRow>('SELECT file, sha256 FROM blob WHERE file IS NOT NULL')
      .all(),
    versions: new Set(
      connection.prepare<[], string>('SELECT version_id FROM version').pluck().all(),
    ),
    divided: connection
      .prepare<[], string>(
        `SELECT rtrim(key, '123') AS write FROM version WHERE key GLOB 'bulk*/*' GROUP BY write HAVING count(*) <> 3`,
      )
      .pluck()
      .all(),
  };
  connection.close();
  opened.set(database, rows);
  return rows;
}

/**
 * Opens a copy of the database in memory. The copy has no WAL file, so its header is set to non-WAL mode.
 */
function openBytes(database: Buffer): Database.Database {
  const bytes = Buffer.from(database);
  bytes.fill(1, 18, 20);
  return new Database(bytes);
}

/**
 * Returns all violations: missing or incomplete files, lost versions, partial bulk writes, and deleted versions that
 * are back.
 */
function broken({ blobs, database, promises }: Remains): readonly string[] {
  if (!database) return [];
  const rows = rowsOf(database);
  const holes = rows.blobs.flatMap(({ file, sha256 }) => {
    const bytes = blobs.get(file);
    if (!bytes) return [`hole: ${file}`];
    return createHash('sha256').update(bytes).digest().equals(sha256) ? [] : [`half: ${file}`];
  });
  const idsOf = (kind: string) =>
    promises.flatMap((promise) => (promise.startsWith(`${kind} `) ? [promise.split(' ')[1]] : []));
  const [removing, removed] = [new Set(idsOf('removing')), idsOf('removed')];
  const has = (id: string | undefined) => id !== undefined && rows.versions.has(id);
  const lost = idsOf('version').filter((id) => !has(id) && !removing.has(id));
  const back = removed.filter(has);
  return [
    ...holes,
    ...lost.map((id) => `lost: ${id}`),
    ...back.map((id) => `back: ${id}`),
    ...rows.divided.map((write) => `divided: ${write}`),
  ];
}

const ALL: Survives = () => true;
const NONE: Survives = () => false;
const SEEDS = 5;

function brokenPrefixes(entries: Log): readonly string[] {
  const found: string[] = [];
  for (let length = 0; length <= entries.length; length++) {
    const random = randomFrom(length + 1);
    const some = Array.from({ length: SEEDS }, () => () => random() < 0.5);
    for (const survives of [NONE, ALL, ...some]) {
      for (const each of broken(remainsOf(entries, length, survives))) {
        found.push(`after ${length} (${entries[length - 1]?.op}): ${each}`);
      }
    }
  }
  return found;
}

test('a power cut that keeps any subset of the unsynced data loses no acknowledged write', async () => {
  const log = await lifeLog();
  const steps = new Set(log.map(({ op }) => op));
  expect([...steps].sort().join(' ')).toBe(
    'commit create make-folder promise rename sync sync-folder unlink write',
  );
  expect(brokenPrefixes(log)).toEqual([]);
});

test.each(['sync', 'sync-folder'] as const)(
  'the power-cut model detects that the engine omits a %s',
  async (forgotten) => {
    const log = await lifeLog();
    expect(brokenPrefixes(log.filter(({ op }) => op !== forgotten)).length).toBeGreaterThan(0);
  },
);

test('the power-cut model detects a row that the engine commits before its file is durable', async () => {
  const entries = [...(await lifeLog())];
  for (let at = entries.length - 1; at > 0; at--) {
    const [before, entry] = [entries[at - 1], entries[at]];
    if (before?.op === 'sync-folder' && entry?.op === 'commit') {
      [entries[at - 1], entries[at]] = [entry, before];
    }
  }
  expect(brokenPrefixes(entries).length).toBeGreaterThan(0);
});

test('after a power cut the engine opens, keeps acknowledged data and deletes orphaned files', async () => {
  const log = await lifeLog();
  const lengths = Array.from({ length: 8 }, (_, index) =>
    Math.round(((index + 1) * log.length) / 8),
  );
  for (const length of lengths) {
    const remains = remainsOf(log, length, NONE);
    const { engine, store } = await openTestEngine({ dir: laidOut(remains) });
    expect(await engine.sweep()).toMatchObject({ damaged: [] });
    expect((await engine.upkeep.check({ deep: true })).problems).toEqual([]);
    const last = remains.promises.findLast((promise) => promise.startsWith('kept'));
    if (last === undefined) continue;
    const bytes = await readBytes(store, { bucket: 'plain', key: 'replaced' });
    // The next put may have been committed before the log recorded its promise.
    const seed = Number(last.slice('kept '.length));
    expect([seed, seed + 1].some((one) => bytes.equals(patternBytes(SIZE, one)))).toBe(true);
    await engine.close();
  }
});

function laidOut({ blobs, database }: Remains): string {
  const dir = temporaryFolder('power-cut');
  for (const [name, bytes] of blobs) {
    mkdirSync(dirname(blobPath(dir, name)), { recursive: true });
    writeFileSync(blobPath(dir, name), bytes);
  }
  if (database) writeFileSync(join(dir, 'store.sqlite'), database);
  return dir;
}
