/**
 * Declares an optional interface of stores that report changes when they are committed. A client of a remote service does
 * not have it, because only a listing shows changes there.
 */

export interface ChangeMonitor {
  /**
   * Calls `listener` for each commit that may have changed an object or version with this prefix, before the call that
   * made the change returns. The key is undefined for a change of the bucket's configuration. Changes made through the
   * monitor's own store are not reported. Returns a function that unsubscribes.
   */
  onChange(watched: WatchedPrefix, listener: (key: string | undefined) => void): () => void;
}

export interface WatchedPrefix {
  readonly bucket: string;
  readonly prefix: string;
}
