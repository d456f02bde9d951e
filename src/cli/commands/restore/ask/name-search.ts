/** Finds paths by name in the listing of a whole job, which may still be growing. */

import { foldersAbove } from './file-tree.ts';

export interface Match {
  /** Without a slash at its end. */
  readonly path: string;
  readonly isFolder: boolean;
}

interface Indexed extends Match {
  readonly name: string;
}

/** Maximum number of paths that are searched: some 300 MB of memory. */
const MAX_SEARCHED = 1_000_000;

export class NameSearch {
  readonly #paths: Indexed[] = [];
  readonly #folders = new Set<string>();
  #text = '';
  #searched = 0;
  #matches: Match[] = [];

  /** Number of paths that can be found. */
  get size(): number {
    return this.#paths.length;
  }

  get isFull(): boolean {
    return this.#paths.length >= MAX_SEARCHED;
  }

  /** Adds a path of a listing, and the folders above it. The path of a folder ends in a slash. */
  add(listed: string): void {
    const isFolder = listed.endsWith('/');
    const path = isFolder ? listed.slice(0, -1) : listed;
    for (const folder of isFolder ? [...foldersAbove(path), path] : foldersAbove(path)) {
      if (this.#folders.has(folder)) continue;
      this.#folders.add(folder);
      this.#paths.push({ path: folder, isFolder: true, name: nameOf(folder) });
    }
    if (!isFolder) this.#paths.push({ path, isFolder, name: nameOf(path) });
  }

  /**
   * Returns the paths whose name contains the text in any case; for a text with a slash, the paths that contain it.
   * Each call searches only what was added since the last one with the same text.
   */
  matches(typed: string): readonly Match[] {
    const text = folded(typed);
    if (text !== this.#text) [this.#text, this.#searched, this.#matches] = [text, 0, []];
    if (text === '') return [];
    for (; this.#searched < this.#paths.length; this.#searched += 1) {
      const each = this.#paths[this.#searched];
      if (!each) break;
      const searched = text.includes('/') ? folded(each.path) : each.name;
      if (searched.includes(text)) this.#matches.push(each);
    }
    return this.#matches;
  }
}

function nameOf(path: string): string {
  return folded(path.slice(path.lastIndexOf('/') + 1));
}

/** An accent may be one character or two, and a user types either. */
function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
