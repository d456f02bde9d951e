/** What a store knows of damage at rest: an optional role beside the port. A remote service has none: there only reading tells. */

/** A version whose stored bytes are damaged: reading it fails. */
export interface DamagedObject {
  readonly key: string;
  readonly versionId: string;
  /** In plain words, for people. */
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
