/**
 * One process owns a store. The lock is an exclusive transaction on a database of its own, held open: the
 * kernel frees it when the process ends, however it ends, so no stale lock can be left behind.
 */

import { readFileSync, writeFileSync } from 'node:fs';

import Database from 'better-sqlite3';

import { errorCode } from '../../base/errors.ts';
import { createPrivateFile, FILE_MODE, type Layout } from './layout.ts';
import { OpenStoreError } from './open-error.ts';
import { isOutOfSpace } from './refusals.ts';

export interface StoreLock {
  release(): void;
}

/** Throws `OpenStoreError` with code `StoreInUse`. */
export function lockStore(layout: Layout): StoreLock {
  createPrivateFile(layout.lock);
  const database = new Database(layout.lock, { timeout: 0 });
  try {
    // Nothing is ever committed: on a full disk there would be no room for what undoes it.
    database.pragma('journal_mode = MEMORY');
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    throw errorCode(error) === 'SQLITE_BUSY' ? inUse(layout, error) : error;
  }
  try {
    // Only for the message of the one who comes second; the lock itself is the transaction.
    writeFileSync(layout.lockHolder, `${process.pid}\n`, { mode: FILE_MODE });
  } catch (error) {
    if (!isOutOfSpace(error)) {
      database.close();
      throw error;
    }
  }
  return { release: () => database.close() };
}

function inUse(layout: Layout, cause: unknown): OpenStoreError {
  return new OpenStoreError(
    'StoreInUse',
    `cannot open store ${layout.root}: Holdfast runs already (${holder(layout)})`,
    { cause },
  );
}

function holder(layout: Layout): string {
  try {
    const id = readFileSync(layout.lockHolder, 'utf8').trim();
    return id === '' ? 'another process' : `pid ${id}`;
  } catch {
    return 'another process';
  }
}
