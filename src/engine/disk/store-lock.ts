/**
 * Locks a store for one process. The lock is an open exclusive transaction on a separate database. The kernel releases
 * it when the process ends for any reason, so no stale lock can remain.
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

/** Locks the store. Throws `OpenStoreError` with code `StoreInUse` if another process has locked it. */
export function lockStore(layout: Layout): StoreLock {
  createPrivateFile(layout.lock);
  const database = new Database(layout.lock, { timeout: 0 });
  try {
    // Keep the rollback journal in memory, because a full disk has no space for a journal file. This is safe, because
    // nothing is committed.
    database.pragma('journal_mode = MEMORY');
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    throw errorCode(error) === 'SQLITE_BUSY' ? inUse(layout, error) : error;
  }
  try {
    // Write the process ID, which a second process shows in its error message. The lock itself is the transaction.
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
