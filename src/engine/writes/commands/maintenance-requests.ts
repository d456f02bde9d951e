/** Declares the requests of the commands that maintain the store: quarantine and repair. */

export interface BlobTarget {
  readonly blobId: number;
}

export interface PutQuarantine extends BlobTarget {
  /**
   * The file that was found damaged; null for bytes in the database. A blob that has another file by now is not
   * quarantined.
   */
  readonly file: string | null;
  readonly reason: string;
  /** JSON of the first versions that use the blob; `[]` if they were not searched. */
  readonly versions: string;
}

export interface RepairTables {
  /** The folder for the bytes of unreferenced small bodies. */
  readonly trashFolder: string;
}
