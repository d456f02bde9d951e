/**
 * Watches a few folders with one chokidar watcher. chokidar's `ready` event reports only when the first folders are
 * watched, so no folders are added to a group later.
 *
 * Only chokidar's `raw` events are used. They arrive immediately, even for ignored paths, and `ignored` prevents
 * chokidar from remembering every file.
 */

import { FSWatcher } from 'chokidar';

export interface WatchGroupOptions {
  /** Absolute paths of the folders to watch. */
  readonly folders: readonly string[];
  /** Called for an event about `name` in `folder`. `name` is null if the system does not report it. */
  readonly onEvent: (folder: string, name: string | null) => void;
  /** Called for every event, including events from parent folders that are not watched. */
  readonly onAnyEvent: () => void;
  /** Called if this folder cannot be watched. */
  readonly onFailure: (folder: string, error: Error) => void;
}

export interface WatchGroup {
  /** Resolves when every folder is watched or has failed, or when the group is closed. */
  ready(): Promise<void>;
  /** Stops watching this folder. Closes the group after its last folder is removed. */
  remove(folder: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Sets watches without listing folders. chokidar's listing would need an asynchronous lstat for each file, and no
 * option disables it (docs/decisions/0007). If a future release of chokidar no longer calls this method, folders are
 * listed again, which is slower but correct.
 */
class EventsOnlyWatcher extends FSWatcher {
  override createScanStream(): undefined {
    return undefined;
  }
}

export function openWatchGroup({
  folders,
  onEvent,
  onAnyEvent,
  onFailure,
}: WatchGroupOptions): WatchGroup {
  const watched = new Set(folders);
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  const watcher = new EventsOnlyWatcher({
    depth: 0,
    ignoreInitial: true,
    followSymlinks: false,
    atomic: false,
    ignored: (path) => !watched.has(path),
  });
  // chokidar also watches the folders' parents, which belong to another group or to no group.
  watcher.on('raw', (_event, name, details) => {
    onAnyEvent();
    const folder = member(details, 'watchedPath');
    if (folder !== undefined && watched.has(folder)) onEvent(folder, name);
  });
  watcher.on('error', (error) => {
    const folder = member(error, 'path');
    if (folder !== undefined && watched.has(folder)) onFailure(folder, error as Error);
  });
  watcher.once('ready', resolve);
  watcher.add([...folders]);
  const close = () => {
    resolve();
    return watcher.close();
  };
  return {
    ready: () => ready,
    remove: async (folder) => {
      if (!watched.delete(folder)) return;
      if (watched.size === 0) await close();
      else watcher.unwatch(folder);
    },
    close,
  };
}

function member(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null || !(name in value)) return undefined;
  const found: unknown = Reflect.get(value, name);
  return typeof found === 'string' ? found : undefined;
}
