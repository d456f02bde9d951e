/** Requests of the commands that maintain the store: quarantine and repair. */

export interface BlobTarget {
  readonly blobId: number;
}

export interface PutQuarantine extends BlobTarget {
  /** The file that was found damaged. A blob that has another file by now is not quarantined. */
  readonly file: string | null;
  readonly reason: string;
  /** JSON, as it is stored. */
  readonly versions: string;
}

export interface RepairTables {
  /** Folder for the bytes of unreferenced small bodies. */
  readonly trashFolder: string;
}
