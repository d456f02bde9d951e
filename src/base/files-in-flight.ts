/** Records the files that an operation transfers or reads now, so that a timer can report the largest one. */

/** A file in flight. The operation adds to `bytes`. */
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

  /** Returns a copy of the largest file. Returns undefined if no file is in flight. */
  largest(): FileInFlight | undefined {
    let largest: FileInFlight | undefined;
    for (const file of this.#files)
      if (!largest || file.sizeBytes > largest.sizeBytes) largest = file;
    return largest && { ...largest };
  }
}
