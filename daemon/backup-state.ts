/** `holdfast admin backup-state`: configuration, identities, monitoring and what jobs remember, while the daemon runs or not. */

import { mkdir, mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import Database from 'better-sqlite3';

import type { Home } from '../src/config/home.ts';
import {
  FORMAT,
  isDatabase,
  MANIFEST,
  type Manifest,
  sha256Of,
  stateFiles,
} from './state-files.ts';
import { VERSION } from './version.ts';

/** The daemon's transactions are short. */
const BUSY_TIMEOUT_MS = 10_000;

/**
 * Makes the folder, for its owner only, whole or not at all: it has its name when all in it is durable. Each database is one
 * moment of it. Throws where the folder is there.
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
    // Each may have been made for this file.
    for (let made = dirname(copy); made !== folder; made = dirname(made)) await sync(made);
  }
  const manifest: Manifest = { format: FORMAT, version: VERSION, createdAt: now, files };
  const list = join(folder, MANIFEST);
  await writeFile(list, `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600 });
  await sync(list);
  await sync(folder);
  return manifest;
}

/** A rename takes the place of an empty folder, and of nothing else. */
async function claimName(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
}

/** One read transaction, whoever writes meanwhile. */
async function copyDatabase(from: string, to: string): Promise<void> {
  // Made first, since SQLite would make it for everybody to read; it takes an empty file.
  await writeFile(to, '', { mode: 0o600, flag: 'wx' });
  const database = new Database(from, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    database.prepare('VACUUM INTO ?').run(to);
  } finally {
    database.close();
  }
}

/** Resolves to its size, in bytes. */
async function sync(path: string): Promise<number> {
  const file = await open(path);
  try {
    await file.sync();
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}
