/**
 * Files that were read for the bucket, and to which something happened since. A file's times are set as a write begins, and
 * a busy system may leave a write alone after any page: what is read then is of no state, and has the times of the one
 * that comes. The write's end has an event, which is all that tells.
 */

/** More are not read between two looks at the folder; of who has so many a few may be missed. */
const MOST_FILES = 4_000;

export class RecentReads {
  /** Who was read first comes first. */
  readonly #read = new Set<string>();
  readonly #unsure = new Set<string>();

  /** A file is read from now on. */
  begin(path: string): void {
    this.#forget(path);
    this.#read.add(path);
    const [oldest] = this.#read;
    if (this.#read.size > MOST_FILES && oldest !== undefined) this.#forget(oldest);
  }

  /** An event came for it. */
  happened(path: string): void {
    if (this.#read.has(path)) this.#unsure.add(path);
  }

  /** Its content may be another one, whatever its times say. */
  isUnsure(path: string): boolean {
    return this.#unsure.has(path);
  }

  isAnyUnsure(): boolean {
    return this.#unsure.size > 0;
  }

  #forget(path: string): void {
    this.#read.delete(path);
    this.#unsure.delete(path);
  }
}
