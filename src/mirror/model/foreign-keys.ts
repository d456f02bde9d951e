/**
 * Records the objects of other clients below the job's prefix. If there are many, only their number at the last listing
 * is stored.
 */

/** Maximum number of stored keys, about 20 MB of memory. */
const MAX_KEYS = 100_000;

export class ForeignKeys {
  #keys: Set<string> | undefined = new Set();
  #count = 0;

  get count(): number {
    return this.#keys?.size ?? this.#count;
  }

  /** Replaces the set with the result of a full listing. */
  replace(keys: Set<string>): void {
    this.#count = keys.size;
    this.#keys = keys.size > MAX_KEYS ? undefined : keys;
  }

  add(key: string): void {
    this.#keys?.add(key);
  }

  delete(key: string): void {
    this.#keys?.delete(key);
  }
}
