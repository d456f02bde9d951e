/**
 * Translates SQLite's errors for damaged pages of store.sqlite to `InternalError`, and records the first of these
 * errors.
 */

import type { Database } from 'better-sqlite3';

import { errorMessage, isDamagedDatabase } from '../../base/errors.ts';
import { watchErrors } from '../../base/watched-database.ts';
import { damagedWhereStored, StorageError } from '../../object-store/storage-error.ts';

export const REPAIR_STEPS = 'holdfast down && holdfast admin store repair && holdfast up';

/** The first damage that was found in the database. When the writer finds damage, it refuses all writes. */
export class MetadataDamage {
  #reason: string | undefined;

  /** SQLite's message for the first damaged page that was found; undefined if none was found. */
  get reason(): string | undefined {
    return this.#reason;
  }

  note(reason: string): void {
    this.#reason ??= reason;
  }

  /**
   * Changes the connection so that its statements throw `InternalError` for damaged pages and record the damage.
   * Returns the same connection.
   */
  watch(database: Database): Database {
    return watchErrors(database, (error) => {
      if (!isDamagedDatabase(error)) return error;
      this.note(errorMessage(error));
      return unreadable('read the store', error);
    });
  }
}

/** Returns the result of `read`. If a damaged page makes it fail, throws an error that names the failed `action`. */
export function reading<T>(action: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw isUnreadable(error) ? unreadable(action, error.cause) : error;
  }
}

/** Returns whether a damaged database page caused the error. */
export function isUnreadable(error: unknown): error is StorageError {
  return error instanceof StorageError && isDamagedDatabase(error.cause);
}

function unreadable(action: string, cause: unknown): StorageError {
  return damagedWhereStored('InternalError', `${action}: a page of store.sqlite is damaged`, {
    cause,
  });
}

/**
 * Returns the error for an attempt to repair damaged pages while the store is open. Only a closed store can be rebuilt.
 */
export function repairsWhenClosed(): StorageError {
  return damagedWhereStored(
    'ServiceUnavailable',
    `repair store: pages of store.sqlite are damaged; they can be repaired only while the daemon is stopped; run: ${REPAIR_STEPS}`,
  );
}

/** Returns the error for all writes after the writer found a damaged page. A further write could spread the damage. */
export function metadataDamaged(): StorageError {
  return damagedWhereStored(
    'ServiceUnavailable',
    `write to store: pages of store.sqlite are damaged, so all writes are refused; run: ${REPAIR_STEPS}`,
  );
}
