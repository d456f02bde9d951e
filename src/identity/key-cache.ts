/**
 * Caches the IDs of all valid access keys and the secrets of the keys in use, so that each request can look up its key
 * quickly.
 */

import type { AccessKey } from './identity.ts';
import type { IdentityDatabase } from './identity-database.ts';
import type { KeyTable } from './key-table.ts';

/**
 * Finds access keys by ID. Invariant: until the database changes or the next key expires, `#keys` has an entry for each
 * key that can sign requests, and for no other ID. So a request with an unknown ID causes no query and adds no entry. A
 * secret is read when its key is first used, and discarded when `#keys` is refreshed.
 */
export class KeyCache {
  readonly #database: IdentityDatabase;
  readonly #table: KeyTable;
  readonly #keys = new Map<string, AccessKey | undefined>();
  #version = -1;
  #validUntil = 0;

  constructor(database: IdentityDatabase, table: KeyTable) {
    this.#database = database;
    this.#table = table;
  }

  find(accessKeyId: string): AccessKey | undefined {
    this.#refresh();
    if (!this.#keys.has(accessKeyId)) return undefined;
    const known = this.#keys.get(accessKeyId);
    if (known) return known;
    const key = this.#table.find(accessKeyId);
    this.#keys.set(accessKeyId, key);
    return key;
  }

  #refresh(): void {
    const version = this.#database.version();
    const now = this.#database.now();
    if (version === this.#version && now < this.#validUntil) return;
    this.#keys.clear();
    this.#validUntil = Infinity;
    for (const { accessKeyId, expiresAt } of this.#table.live(now)) {
      this.#keys.set(accessKeyId, undefined);
      if (expiresAt !== null) this.#validUntil = Math.min(this.#validUntil, expiresAt);
    }
    this.#version = version;
  }
}
