/** Detects the socket of a daemon as soon as it is created, so that the dashboard does not wait for the next retry. */

import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/**
 * Calls `created` each time the socket appears or changes, until the returned function is called. If its directory does
 * not exist, nothing is watched and the link relies on its retries.
 */
export function watchSocket(socketPath: string, created: () => void): () => void {
  const name = basename(socketPath);
  try {
    const watcher = watch(dirname(socketPath), { persistent: false }, (_event, changed) => {
      if (changed === name) created();
    });
    // The directory was removed.
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => undefined;
  }
}
