/** Hints the other hard links of changed files, because an event names only one of them. */

import type { LocalEntry } from '../model/types.ts';
import type { StateFile } from '../state/state-file.ts';

type Rows = Pick<StateFile['baseline'], 'withInodes'>;

/** Maximum number of file states to remember, about 20 MB. A job queues at most as many hints. */
const MAX_STATES = 100_000;

/**
 * Hints the other names of a file once for each state of the file. Otherwise the names would hint each other as long as
 * their change cannot be settled: while it is uploaded, deferred or held.
 */
export class LinkHints {
  readonly #baseline: Rows;
  readonly #hint: (path: string) => void;
  /** States of files whose other names were hinted: the newer half, and the older one. */
  #newer = new Set<string>();
  #older = new Set<string>();

  constructor({ baseline }: { readonly baseline: Rows }, hint: (path: string) => void) {
    this.#baseline = baseline;
    this.#hint = hint;
  }

  /** Hints the other names of these changed files. */
  hintOthers(touched: Iterable<LocalEntry>): void {
    const linked = [...touched].filter(({ link }) => link !== undefined);
    const rows = this.#baseline.withInodes(linked.map(({ inode }) => inode));
    for (const { path, inode, ctimeMs } of linked) {
      const known = rows.get(inode) ?? [];
      // A name may have got its row since, at the end of its first upload.
      if (!this.#add(`${inode} ${ctimeMs} ${known.length}`)) continue;
      for (const row of known) if (row.path !== path) this.#hint(row.path);
    }
  }

  /** Remembers a state. Returns whether it is new. */
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
