/**
 * Defines an optional interface for stores that report each change when it is committed. The client of a remote service
 * does not have it, because changes in a remote service are found only by listing the bucket.
 */

export interface ChangeMonitor {
  /**
   * Calls `listener` for each commit that may have changed an object or version with this prefix. The listener is
   * called before the call that made the change returns. The key is undefined if the bucket's configuration was
   * changed. Changes that were made through the store to which this monitor belongs are not reported. Returns a
   * function that unsubscribes the listener.
   */
  onChange(watched: WatchedPrefix, listener: (key: string | undefined) => void): () => void;
}

export interface WatchedPrefix {
  readonly bucket: string;
  readonly prefix: string;
}
