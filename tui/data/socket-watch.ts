/** Detects a daemon's socket as soon as it is created, so that the dashboard does not wait for the next retry. */

import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/**
 * Calls `created` whenever the socket appears or changes. Call the returned function to stop. If the socket's directory
 * does not exist, nothing is watched, and the connection relies on its retries.
 */
export function watchSocket(socketPath: string, created: () => void): () => void {
  const name = basename(socketPath);
  try {
    const watcher = watch(dirname(socketPath), { persistent: false }, (_event, changed) => {
      if (changed === name) created();
    });
    // The watched directory was removed.
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => undefined;
  }
}
