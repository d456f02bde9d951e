/** Syncs to disk that are asked for together are made together. */

/** Resolves when all that was written to the open file or folder before the call is durable. */
export type SyncFile = (descriptor: number) => Promise<void>;

/** A sync that is running does not cover what is written from now on: the next one does, and all who wait share it. */
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
