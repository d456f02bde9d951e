/** Damaged pages of store.sqlite: where SQLite's errors become errors of the store, and the store learns of them. */

import type { Database } from 'better-sqlite3';

import { errorMessage, isDamagedDatabase } from '../../base/errors.ts';
import { watchErrors } from '../../base/watched-database.ts';
import { damagedWhereStored, StorageError } from '../../object-store/storage-error.ts';

export const REPAIR_STEPS = 'holdfast down && holdfast store repair && holdfast up';

/** What the readers of a store have found. Writers refuse all writes after the same errors. */
export class MetadataDamage {
  #reason: string | undefined;

  /** SQLite's text for the first damaged page that was met; undefined while all could be read. */
  get reason(): string | undefined {
    return this.#reason;
  }

  note(reason: string): void {
    this.#reason ??= reason;
  }

  /** The same connection, whose statements throw `InternalError` for damaged pages, and note them here. */
  watch(database: Database): Database {
    return watchErrors(database, (error) => {
      if (!isDamagedDatabase(error)) return error;
      this.note(errorMessage(error));
      return unreadable('read the store', error);
    });
  }
}

/** Does what reads the database; says of an error by damaged pages what could not be done. */
export function reading<T>(action: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw isUnreadable(error) ? unreadable(action, error.cause) : error;
  }
}

/** Whether damaged pages of the database are why. */
export function isUnreadable(error: unknown): error is StorageError {
  return error instanceof StorageError && isDamagedDatabase(error.cause);
}

function unreadable(action: string, cause: unknown): StorageError {
  return damagedWhereStored('InternalError', `${action}: a page of store.sqlite is damaged`, {
    cause,
  });
}

/** Pages are replaced while no process has the store open. */
export function repairsWhenClosed(): StorageError {
  return damagedWhereStored(
    'ServiceUnavailable',
    `repair store: pages of store.sqlite are damaged; they are repaired while the daemon is stopped; run: ${REPAIR_STEPS}`,
  );
}

/** The refusal of every write after a writer has met damaged pages: it could make them more. */
export function metadataDamaged(): StorageError {
  return damagedWhereStored(
    'ServiceUnavailable',
    `write to store: pages of store.sqlite are damaged, so it takes no writes; run: ${REPAIR_STEPS}`,
  );
}
