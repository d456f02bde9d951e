/**
 * Tracks files that may have changed while they were read for an upload. The file system sets a file's times when a
 * write begins, and a busy system may suspend the write at any page. A read in between sees a mixed state with the
 * times of the final one. Only the event at the end of the write reveals this.
 */

/**
 * Maximum number of recently read files. Few files are read before the event of a write arrives; beyond this number,
 * some events may be missed.
 */
const MAX_READ = 4_000;
/**
 * Maximum number of uncertain files, about 10 MB. They wait for the next scan of their folder, which a long first round
 * delays.
 */
const MAX_UNCERTAIN = 50_000;

export class RecentReads {
  /** Recently read files in the order of reading, oldest first. */
  readonly #read = new Set<string>();
  readonly #uncertain = new Set<string>();

  /** Records that a read of the file begins. */
  begin(path: string): void {
    this.forget(path);
    addTo(this.#read, path, MAX_READ);
  }

  /** Records an event of the file, or a failed read. A recently read file becomes uncertain. */
  noteChange(path: string): void {
    if (this.#read.delete(path)) addTo(this.#uncertain, path, MAX_UNCERTAIN);
  }

  /** Marks all recently read files as uncertain, because events were lost. */
  noteLostEvents(): void {
    for (const path of this.#read) this.noteChange(path);
  }

  /** Returns whether the content may differ from what was read although the times are equal. */
  isUncertain(path: string): boolean {
    return this.#uncertain.has(path);
  }

  hasUncertain(): boolean {
    return this.#uncertain.size > 0;
  }

  /** Forgets a file that was deleted. */
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
