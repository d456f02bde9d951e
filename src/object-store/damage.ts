/** Reports damaged data that the store has detected. Optional: for a remote service, only a read detects damage. */

/** A version whose stored bytes are damaged: reading it fails. */
export interface DamagedObject {
  readonly key: string;
  readonly versionId: string;
  /** A description for users. */
  readonly reason: string;
}

export interface DamageMonitor {
  /** Returns all versions with this prefix that are known to be damaged. Waits for checks that are in progress. */
  damagedObjects(place: {
    readonly bucket: string;
    readonly prefix: string;
  }): Promise<readonly DamagedObject[]>;
  /** Calls `listener` whenever the list may have changed. Returns a function that unsubscribes. */
  onDamageChange(listener: () => void): () => void;
}
