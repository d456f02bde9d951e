/**
 * Tracks files that may have changed while they were read for an upload. The file system sets a file's times when a
 * write begins, and a busy system may suspend the write after any page. A read in between sees a mixed state with the
 * times of the final one. Only the event at the end of the write shows this.
 */

/**
 * Maximum number of recently read files. More are rarely read before the event of a write arrives; beyond that some
 * events may be missed.
 */
const MAX_READ = 4_000;
/** Maximum number of uncertain files. They wait for the next scan of their folder, which a long first round defers. About 10 MB. */
const MAX_UNCERTAIN = 50_000;

export class RecentReads {
  /** In the order of reading, oldest first. */
  readonly #read = new Set<string>();
  readonly #uncertain = new Set<string>();

  /** Records that a read of the file begins. */
  begin(path: string): void {
    this.forget(path);
    addTo(this.#read, path, MAX_READ);
  }

  /** Records an event for the file, or a failed read. If it was read recently, it becomes uncertain. */
  noteChange(path: string): void {
    if (this.#read.delete(path)) addTo(this.#uncertain, path, MAX_UNCERTAIN);
  }

  /** Events were lost: all recently read files become uncertain. */
  noteLostEvents(): void {
    for (const path of this.#read) this.noteChange(path);
  }

  /** Whether the content may differ from what was read, although the times match. */
  isUncertain(path: string): boolean {
    return this.#uncertain.has(path);
  }

  hasUncertain(): boolean {
    return this.#uncertain.size > 0;
  }

  /** Removes a file that was deleted. */
  forget(path: string): void {
    this.#read.delete(path);
    this.#uncertain.delete(path);
  }
}

function addTo(paths: Set<string>, path: string, max: number): void {
  paths.add(path);
  const [oldest] = paths;
  if (paths.size > max && oldest !== undefined) paths.delete(oldest);
}
