/** Defines the requests of the commands that maintain the store: quarantine and repair. */

export interface BlobTarget {
  readonly blobId: number;
}

export interface PutQuarantine extends BlobTarget {
  /**
   * The name of the damaged file; null for bytes in the database. If the blob's file has changed since, the blob is not
   * quarantined.
   */
  readonly file: string | null;
  readonly reason: string;
  /** A JSON list of some versions that use the blob. `[]` if the search for such versions was skipped. */
  readonly versions: string;
}

export interface RepairTables {
  /** The path of the folder to which the bytes of unreferenced small bodies are written. */
  readonly trashFolder: string;
}
