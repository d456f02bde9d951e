/** Changes in a store, reported as they are committed: an optional role beside the port. A remote service has none: there only a listing shows them. */

export interface ChangeMonitor {
  /**
   * `heard` is called for each commit that may have changed an object or version whose key has this prefix, before the call
   * that made it returns, and without a key for a change of the bucket's configuration. Changes that are made through the
   * monitor's own store are not reported. Returns how to unsubscribe.
   */
  onChange(place: WatchedPrefix, heard: (key: string | undefined) => void): () => void;
}

export interface WatchedPrefix {
  readonly bucket: string;
  readonly prefix: string;
}
