/**
 * Files that were read for the bucket, and to which something happened since. A file's times are set as a write begins, and
 * a busy system may leave a write alone after any page: what is read then is of no state, and has the times of the one
 * that comes. The write's end has an event, which is all that tells.
 */

/** More are not read before a write's event comes; of who reads so many a few may be missed. */
const MOST_READ = 4_000;
/** They wait for the next look at their folder, which a long first round has them do. Some 10 MB. */
const MOST_UNSURE = 50_000;

export class RecentReads {
  /** Who was read first comes first. */
  readonly #read = new Set<string>();
  readonly #unsure = new Set<string>();

  /** A file is read from now on. */
  begin(path: string): void {
    this.forget(path);
    addTo(this.#read, path, MOST_READ);
  }

  /** An event came for it, or it could not be read. */
  happened(path: string): void {
    if (this.#read.delete(path)) addTo(this.#unsure, path, MOST_UNSURE);
  }

  /** Events were lost: something may have happened to any of them. */
  lost(): void {
    for (const path of this.#read) this.happened(path);
  }

  /** Its content may be another one, whatever its times say. */
  isUnsure(path: string): boolean {
    return this.#unsure.has(path);
  }

  isAnyUnsure(): boolean {
    return this.#unsure.size > 0;
  }

  /** It is gone. */
  forget(path: string): void {
    this.#read.delete(path);
    this.#unsure.delete(path);
  }
}

function addTo(paths: Set<string>, path: string, most: number): void {
  paths.add(path);
  const [oldest] = paths;
  if (paths.size > most && oldest !== undefined) paths.delete(oldest);
}
