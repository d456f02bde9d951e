/**
 * Defines an optional interface of stores that report damaged data. The client of a remote service does not have it,
 * because damage in a remote service is found only by reading.
 */

/** A version whose stored bytes are damaged, so that reading it fails. */
export interface DamagedObject {
  readonly key: string;
  readonly versionId: string;
  /** A description of the damage for users. */
  readonly reason: string;
}

export interface DamageMonitor {
  /**
   * Returns all versions whose keys have this prefix and that are known to be damaged. Waits for inspections that are
   * in progress.
   */
  damagedObjects(place: {
    readonly bucket: string;
    readonly prefix: string;
  }): Promise<readonly DamagedObject[]>;
  /** Calls `listener` whenever the result of `damagedObjects` may have changed. Returns a function that unsubscribes. */
  onDamageChange(listener: () => void): () => void;
}
