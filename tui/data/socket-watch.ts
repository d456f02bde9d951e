/** Notices the socket of a daemon as soon as it is created, so that no retry has to be waited for. */

import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Calls `created` until the returned function is called. Without the folder nothing is watched; the retries continue. */
export function watchSocket(socketPath: string, created: () => void): () => void {
  const name = basename(socketPath);
  try {
    const watcher = watch(dirname(socketPath), { persistent: false }, (_event, changed) => {
      if (changed === name) created();
    });
    // The folder was removed.
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => undefined;
  }
}
