/** Declares the requests of the commands that maintain the store: quarantine and repair. */

export interface BlobTarget {
  readonly blobId: number;
}

export interface PutQuarantine extends BlobTarget {
  /**
   * The name of the damaged file; null for bytes in the database. A blob that has another file meanwhile is not
   * quarantined.
   */
  readonly file: string | null;
  readonly reason: string;
  /** A JSON list of some versions that use the blob. `[]` if these versions were not searched. */
  readonly versions: string;
}

export interface RepairTables {
  /** The path of the folder to which the bytes of unreferenced small bodies are written. */
  readonly trashFolder: string;
}
