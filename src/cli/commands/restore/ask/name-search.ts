/** Finds paths by name in the listing of a whole job. The listing may still be growing. */

import { foldersAbove } from './file-tree.ts';

export interface Match {
  /** The path without a trailing slash. */
  readonly path: string;
  readonly isFolder: boolean;
}

interface Indexed extends Match {
  readonly name: string;
}

/** The maximum number of paths that are searched. They need about 300 MB of memory. */
const MAX_SEARCHED = 1_000_000;

export class NameSearch {
  readonly #paths: Indexed[] = [];
  readonly #folders = new Set<string>();
  #text = '';
  #searched = 0;
  #matches: Match[] = [];

  /** The number of paths that can be found. */
  get size(): number {
    return this.#paths.length;
  }

  get isFull(): boolean {
    return this.#paths.length >= MAX_SEARCHED;
  }

  /** Adds a listed path and its parent folders. The path of a folder ends in a slash. */
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
   * Returns the paths whose name contains the text, ignoring case. If the text contains a slash, matches whole
   * paths. A repeated call with the same text searches only the paths that were added since the last call.
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

/**
 * Normalizes text for comparison. An accented letter may be one or two characters, and users may type either form.
 */
function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
