/** Damaged data that a store has detected: an optional role beside the port. A remote service does not implement it: only a read detects damage there. */

/** A version whose stored bytes are damaged: reading it fails. */
export interface DamagedObject {
  readonly key: string;
  readonly versionId: string;
  /** A description for users. */
  readonly reason: string;
}

export interface DamageMonitor {
  /** All versions of keys with this prefix that are known to be damaged; those under examination are waited for. */
  damagedObjects(place: {
    readonly bucket: string;
    readonly prefix: string;
  }): Promise<readonly DamagedObject[]>;
  /** `listener` is called whenever that list may have changed. Returns how to unsubscribe. */
  onDamageChange(listener: () => void): () => void;
}
