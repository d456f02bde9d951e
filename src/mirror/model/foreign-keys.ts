/** Objects of other clients in the job's place: by key, or only their number at the last listing where there are many. */

/** Some 20 MB. */
const MOST_KEYS = 100_000;

export class ForeignKeys {
  #keys: Set<string> | undefined = new Set();
  #count = 0;

  get count(): number {
    return this.#keys?.size ?? this.#count;
  }

  /** All that a listing shows. */
  replace(keys: Set<string>): void {
    this.#count = keys.size;
    this.#keys = keys.size > MOST_KEYS ? undefined : keys;
  }

  add(key: string): void {
    this.#keys?.add(key);
  }

  delete(key: string): void {
    this.#keys?.delete(key);
  }
}
