/** Queues scans of the other hard links of changed files, because a file event names only one hard link. */

import type { Tracker } from '../model/tracker.ts';
import type { LocalEntry } from '../model/types.ts';
import type { StateFile } from '../state/state-file.ts';

/**
 * Maximum number of remembered file states. They use about 20 MB of memory. A job queues at most the same number of
 * paths.
 */
const MAX_STATES = 100_000;

interface LinkHintsOptions {
  readonly baseline: Pick<StateFile['baseline'], 'withInodes'>;
  readonly tracker: Pick<Tracker, 'keysUnderWay' | 'underWay'>;
  readonly hint: (path: string) => void;
}

/**
 * Queues a file's other names only once for each state of the file. Otherwise two names would queue each other
 * repeatedly, as long as their change is being uploaded, deferred or held.
 */
export class LinkHints {
  readonly #options: LinkHintsOptions;
  /** File states whose other names were queued, in two generations. This is the newer generation. */
  #newer = new Set<string>();
  #older = new Set<string>();

  constructor(options: LinkHintsOptions) {
    this.#options = options;
  }

  /** Queues scans of the other hard links of these changed files. */
  hintOthers(touched: Iterable<LocalEntry>): void {
    const changed = [...touched].filter(
      ({ link, inode, ctimeMs }) => link !== undefined && this.#add(`${inode} ${ctimeMs}`),
    );
    if (changed.length === 0) return;
    const names = this.#namesOf(new Set(changed.map(({ inode }) => inode)));
    for (const { path, inode } of changed)
      for (const other of names.get(inode) ?? [])
        if (other.path !== path) this.#options.hint(other.path);
  }

  /** Returns the mirrored names of these files, and the names whose first upload is in progress. */
  #namesOf(inodes: ReadonlySet<number>): ReadonlyMap<number, readonly LocalEntry[]> {
    const { baseline, tracker } = this.#options;
    const rows = [...baseline.withInodes([...inodes]).values()].flat();
    const names = new Map<string, LocalEntry>(rows.map((row) => [row.path, row]));
    for (const key of tracker.keysUnderWay()) {
      const entry = tracker.underWay(key)?.entry;
      if (entry && inodes.has(entry.inode)) names.set(entry.path, entry);
    }
    return Map.groupBy(names.values(), ({ inode }) => inode);
  }

  /** Remembers a file state. Returns whether it is new. */
  #add(state: string): boolean {
    if (this.#newer.has(state) || this.#older.has(state)) return false;
    if (this.#newer.size === MAX_STATES / 2) {
      this.#older = this.#newer;
      this.#newer = new Set();
    }
    this.#newer.add(state);
    return true;
  }
}
