/** Combines concurrent syncs to disk into one. */

/** Resolves when all that was written to the open file or folder before the call is durable. */
export type SyncFile = (descriptor: number) => Promise<void>;

/** A running sync does not cover later writes, so callers during a sync wait for the next sync, which they share. */
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
