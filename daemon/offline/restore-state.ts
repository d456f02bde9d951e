/** Implements `holdfast admin restore-state`: restores what `backup-state` saved, and sets the current files aside. */

import { existsSync } from 'node:fs';
import { copyFile, chmod, mkdir, open, readFile, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { failureReason } from '../../src/base/disk-error.ts';
import { storeFolder } from '../../src/config/home.ts';
import type { Home } from '../../src/config/home.ts';
import { ControlError } from '../../src/control/control-error.ts';
import { layoutOf } from '../../src/engine/disk/layout.ts';
import { OpenStoreError } from '../../src/engine/disk/open-error.ts';
import { lockStore, type StoreLock } from '../../src/engine/disk/store-lock.ts';
import { newerFormat } from '../state/state-formats.ts';
import {
  isDatabase,
  MANIFEST,
  type Manifest,
  manifestSchema,
  pathIn,
  sha256Of,
  stateFiles,
} from '../state/state-files.ts';

/** The maximum size of a manifest. No manifest that `backup-state` writes is larger. */
const MAX_MANIFEST_BYTES = 64 * 2 ** 20;

export interface RestoredState {
  readonly manifest: Manifest;
  /** The new paths of the files that existed before. */
  readonly aside: readonly string[];
}

/** Returns whether a restore would replace files. */
export function hasState(home: Home): boolean {
  return stateFiles(home).length > 0;
}

/**
 * Restores the state from a backup. Locks the home folder, and verifies all files of the backup before it changes the
 * first file. An interrupted restore can be repeated. `stamp` becomes part of the names of the files that are set
 * aside. Throws ControlError `BadRequest` for a folder that is not a complete backup or has a newer format, and
 * `Conflict` if a daemon is using the home folder.
 */
export async function restoreState(
  home: Home,
  folder: string,
  stamp: string,
): Promise<RestoredState> {
  const manifest = await verified(folder);
  const lock = lockHome(home);
  try {
    return { manifest, aside: await putBack(home, { folder, stamp, manifest }) };
  } finally {
    lock?.release();
  }
}

/**
 * Acquires the lock that a daemon holds while it is running. Returns undefined if the home folder has no store and
 * therefore no lock. In that case, a daemon may start during the restore. It uses the restored files.
 */
function lockHome(home: Home): StoreLock | undefined {
  const layout = layoutOf(storeFolder(home));
  if (!existsSync(layout.root)) return undefined;
  try {
    return lockStore(layout);
  } catch (error) {
    if (!(error instanceof OpenStoreError)) throw error;
    throw new ControlError('Conflict', `cannot restore the state: ${error.message}`);
  }
}

async function putBack(
  home: Home,
  {
    folder,
    stamp,
    manifest,
  }: { readonly folder: string; readonly stamp: string; readonly manifest: Manifest },
): Promise<string[]> {
  const aside: string[] = [];
  for (const { name } of manifest.files) {
    const path = pathIn(home, name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    // The new file is complete and durable before the current file is renamed.
    const coming = `${path}.coming`;
    await copyFile(join(folder, name), coming);
    await chmod(coming, 0o600);
    await sync(coming);
    aside.push(...(await setAside(path, stamp, isDatabase(name))));
    await rename(coming, path);
    await sync(dirname(path));
  }
  return aside;
}

/**
 * Renames the current file. The write-ahead log of a database is renamed before the database. Otherwise SQLite would
 * apply it to the restored database.
 */
async function setAside(path: string, stamp: string, database: boolean): Promise<string[]> {
  const all = [...(database ? [`${path}-wal`, `${path}-shm`] : []), path];
  const there = all.filter((each) => existsSync(each));
  const named = (each: string) => `${path}.before-${stamp}${each.slice(path.length)}`;
  for (const each of there) await rename(each, named(each));
  return there.map(named);
}

async function verified(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  for (const { name, sizeBytes, sha256 } of manifest.files) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile() !== true) throw refused(folder, `${name} is missing`);
    if (found.size !== sizeBytes || (await sha256Of(path)) !== sha256)
      throw refused(folder, `${name} differs from the file that was saved`);
    const newer = isDatabase(name) ? await newerFormat(path) : undefined;
    if (newer !== undefined)
      throw refused(folder, `${name} ${newer}; use Holdfast ${manifest.version}, which saved it`);
  }
  return manifest;
}

async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST);
  const parsed: unknown = await readText(path)
    .then(JSON.parse)
    .catch((error: unknown) => {
      throw refused(folder, failureReason(error));
    });
  const format = (parsed as { readonly format?: unknown } | null)?.format;
  if (typeof format === 'number' && format > 1) {
    throw refused(folder, `it has format ${format}, which requires a newer Holdfast`);
  }
  const { data, error } = manifestSchema().safeParse(parsed);
  if (data) return data;
  const [issue] = error.issues;
  throw refused(folder, `${MANIFEST}: ${issue?.path.join('.')}: ${issue?.message}`);
}

async function readText(path: string): Promise<string> {
  if ((await stat(path)).size > MAX_MANIFEST_BYTES) throw new Error(`${MANIFEST} is too large`);
  return readFile(path, 'utf8');
}

async function sync(path: string): Promise<void> {
  const file = await open(path);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function refused(folder: string, reason: string): ControlError {
  return new ControlError('Failed', `cannot restore the state from ${folder}: ${reason}`, {
    hint: 'nothing was changed',
  });
}
