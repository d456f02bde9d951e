/** Combines concurrent requests to sync a file to the disk into one sync. */

/** Resolves when everything that was written to the open file or folder before the call is durable. */
export type SyncFile = (descriptor: number) => Promise<void>;

/**
 * Returns a function whose concurrent calls share a sync. A running sync does not cover later writes, so a call during
 * a sync waits for the next sync.
 */
export function shareSyncs(sync: SyncFile): SyncFile {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const afterRunning = async (descriptor: number) => {
    await running?.catch(() => undefined);
    running = next;
    next = undefined;
    await sync(descriptor);
  };
  return (descriptor) => (next ??= afterRunning(descriptor));
}
