/**
 * Tracks files that may have changed while they were read for an upload. The file system sets a file's times when a
 * write begins, and a busy system may suspend the write after any page. A read in between sees mixed content, but the
 * same times as after the write. Only the event at the end of the write shows that the content changed.
 */

/**
 * Maximum number of recently read files that are remembered. A write's event usually arrives before that many files are
 * read. An event that arrives later may be missed.
 */
const MAX_READ = 4_000;
/**
 * Maximum number of uncertain files. They use about 10 MB of memory. They are read again at the next scan of their
 * folder, and a long first round delays that scan.
 */
const MAX_UNCERTAIN = 50_000;

export class RecentReads {
  /** Paths of recently read files, oldest first. */
  readonly #read = new Set<string>();
  readonly #uncertain = new Set<string>();

  /** Records that a read of the file begins. */
  begin(path: string): void {
    this.forget(path);
    addTo(this.#read, path, MAX_READ);
  }

  /** Records an event for the file, or a failed read. A recently read file becomes uncertain. */
  noteChange(path: string): void {
    if (this.#read.delete(path)) addTo(this.#uncertain, path, MAX_UNCERTAIN);
  }

  /** Marks all recently read files as uncertain, because events were lost. */
  noteLostEvents(): void {
    for (const path of this.#read) this.noteChange(path);
  }

  /** Returns whether the file's content may differ from the content that was read although the times are equal. */
  isUncertain(path: string): boolean {
    return this.#uncertain.has(path);
  }

  hasUncertain(): boolean {
    return this.#uncertain.size > 0;
  }

  /** Stops tracking a file that was deleted or is about to be read again. */
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
