/**
 * Finds versions of a key. Readers use it on the main thread, and commands use it inside their transaction on the
 * writer thread.
 */

import type { Database, Statement } from 'better-sqlite3';

import { NULL_VERSION_ID } from '../../object-store/rules/versioning.ts';
import { INTEGER, TEXT } from './parameters.ts';
import { VERSION_COLUMNS, type VersionRow } from './rows.ts';
import { sequenceOf } from './sequence-id.ts';

type ByKey = [bucketId: number, key: string];

export class VersionFinder {
  readonly #latest: Statement<ByKey, VersionRow>;
  readonly #noncurrentNull: Statement<ByKey, VersionRow>;
  readonly #bySequence: Statement<[...ByKey, number], VersionRow>;

  constructor(database: Database) {
    const where = (condition: string, index = '') =>
      `SELECT ${VERSION_COLUMNS} FROM version ${index}
       WHERE bucket_id = ${INTEGER} AND key = ${TEXT} ${condition}`;
    this.#latest = database.prepare(where('ORDER BY sequence DESC LIMIT 1'));
    this.#noncurrentNull = database.prepare(
      where(
        `AND version_id = '${NULL_VERSION_ID}' AND is_latest = 0`,
        'INDEXED BY noncurrent_null',
      ),
    );
    this.#bySequence = database.prepare(where('AND sequence = ?'));
  }

  latest(bucketId: number, key: string): VersionRow | undefined {
    return this.#latest.get(bucketId, key);
  }

  nullVersion(bucketId: number, key: string): VersionRow | undefined {
    const latest = this.#latest.get(bucketId, key);
    if (latest?.versionId === NULL_VERSION_ID) return latest;
    return latest && this.#noncurrentNull.get(bucketId, key);
  }

  bySequence(bucketId: number, key: string, sequence: number): VersionRow | undefined {
    return this.#bySequence.get(bucketId, key, sequence);
  }

  /** Returns the version with this ID. Returns undefined if the version does not exist or the ID is not valid. */
  byId(bucketId: number, key: string, versionId: string): VersionRow | undefined {
    if (versionId === NULL_VERSION_ID) return this.nullVersion(bucketId, key);
    const sequence = sequenceOf(versionId);
    const row = sequence === undefined ? undefined : this.bySequence(bucketId, key, sequence);
    return row?.versionId === versionId ? row : undefined;
  }
}
