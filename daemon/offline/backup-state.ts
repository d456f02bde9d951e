/**
 * Implements `holdfast admin backup-state`: saves the configuration, the identities, the monitoring data and the state
 * of the jobs. It works with or without a running daemon.
 */

import { mkdir, mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import Database from 'better-sqlite3';

import type { Home } from '../../src/config/home.ts';
import {
  FORMAT,
  isDatabase,
  MANIFEST,
  type Manifest,
  sha256Of,
  stateFiles,
} from '../state/state-files.ts';
import { VERSION } from '../version.ts';

/** How long a copy waits for a lock of the daemon. The daemon's transactions are short. */
const BUSY_TIMEOUT_MS = 10_000;

/**
 * Creates the folder with mode 0700 and saves the state in it. The backup is atomic: the folder gets its final name
 * after all its files are durable. Each database is copied in one read transaction. Throws if the folder exists.
 */
export async function backupState(home: Home, folder: string, now: number): Promise<Manifest> {
  const unfinished = await mkdtemp(`${folder}.unfinished-`);
  try {
    const manifest = await fill(unfinished, home, now);
    await claimName(folder);
    await rename(unfinished, folder);
    await sync(dirname(folder));
    return manifest;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

async function fill(folder: string, home: Home, now: number): Promise<Manifest> {
  const files: Manifest['files'] = [];
  for (const { name, path } of stateFiles(home)) {
    const copy = join(folder, name);
    await mkdir(dirname(copy), { recursive: true, mode: 0o700 });
    if (isDatabase(name)) await copyDatabase(path, copy);
    else await writeFile(copy, await readFile(path), { mode: 0o600 });
    files.push({ name, sizeBytes: await sync(copy), sha256: await sha256Of(copy) });
    // Also sync every parent folder, because `mkdir` may have just created it.
    for (let made = dirname(copy); made !== folder; made = dirname(made)) await sync(made);
  }
  const manifest: Manifest = { format: FORMAT, version: VERSION, createdAt: now, files };
  const list = join(folder, MANIFEST);
  await writeFile(list, `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600 });
  await sync(list);
  await sync(folder);
  return manifest;
}

/**
 * Creates an empty folder with the final name. The rename replaces it. A rename cannot replace a folder that is not
 * empty.
 */
async function claimName(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
}

/** Copies a database in one read transaction, so that the copy is consistent while the daemon writes. */
async function copyDatabase(from: string, to: string): Promise<void> {
  // SQLite would create the file with a mode that others may read, but it accepts an existing empty file.
  await writeFile(to, '', { mode: 0o600, flag: 'wx' });
  const database = new Database(from, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    database.prepare('VACUUM INTO ?').run(to);
  } finally {
    database.close();
  }
}

/** Syncs a file or folder to disk. Returns its size in bytes. */
async function sync(path: string): Promise<number> {
  const file = await open(path);
  try {
    await file.sync();
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}
