/**
 * Records which objects below the job's prefix belong to other clients. If there are many, stores only their number at
 * the last listing.
 */

/** Maximum number of stored keys. They use about 20 MB of memory. */
const MAX_KEYS = 100_000;

export class ForeignKeys {
  #keys: Set<string> | undefined = new Set();
  #count = 0;

  get count(): number {
    return this.#keys?.size ?? this.#count;
  }

  /** Replaces the stored keys with the result of a full listing. */
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
