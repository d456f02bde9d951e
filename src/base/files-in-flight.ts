/**
 * Records the files that an operation is currently transferring or reading, so that a timer can report the largest one.
 */

/** A file that is being transferred or read. The operation updates `bytes`. */
export interface FileInFlight {
  readonly path: string;
  readonly sizeBytes: number;
  bytes: number;
}

export class FilesInFlight {
  readonly #files = new Set<FileInFlight>();

  begin(path: string, sizeBytes: number): FileInFlight {
    const file = { path, sizeBytes, bytes: 0 };
    this.#files.add(file);
    return file;
  }

  end(file: FileInFlight): void {
    this.#files.delete(file);
  }

  /** Returns a copy of the record of the largest file, or undefined if no file is being transferred or read. */
  largest(): FileInFlight | undefined {
    let largest: FileInFlight | undefined;
    for (const file of this.#files)
      if (!largest || file.sizeBytes > largest.sizeBytes) largest = file;
    return largest && { ...largest };
  }
}
