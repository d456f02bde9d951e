/**
 * Lets the user select files and folders of a job, as of a time, from a tree. A folder is loaded when it is opened.
 */

import { defined } from '../../../../base/defined.ts';
import type { Result } from '../../../../control/messages.ts';
import { treeRowSchema } from '../../../../control/methods/history.ts';
import { readRows } from '../../../../control/rows.ts';
import type { Context } from '../../../context.ts';
import {
  byKindAndName,
  CLOSED_TREE,
  type Entry,
  type Folder,
  type Picked,
  pressTree,
  type Tree,
} from './file-tree.ts';
import { heightOf, treeLines } from './file-tree-lines.ts';
import { NameSearch } from './name-search.ts';
import { runPicker, type Screen, type Size } from './picker.ts';
import type { Source } from './source.ts';

export interface Asked {
  readonly job: string;
  /** The time in milliseconds since 1970. Undefined for the current time. */
  readonly at: number | undefined;
  readonly title: string;
}

/** Resolves with the selected paths, or with `empty` if the job had no files at that time. */
export function pickFiles(
  { io }: Context,
  source: Source,
  asked: Asked,
): Promise<Picked | { readonly is: 'empty' }> {
  return runPicker<Picked | { readonly is: 'empty' }>(io, (screen) => {
    let tree: Tree = CLOSED_TREE;
    const listing = new Listing(source, asked, screen);
    listing.openFolder('');
    const data = ({ rows }: Pick<Size, 'rows'>) => ({
      folders: listing.folders,
      matches: listing.search.matches(tree.search?.text ?? ''),
      height: heightOf({ rows }),
    });
    return {
      lines: (size) =>
        treeLines(tree, { ...data(size), ...listing.searched, title: asked.title }, size),
      press: (key, size) => {
        const next = pressTree(tree, key, data(size));
        if ('is' in next) return { result: listing.isEmpty ? { is: 'empty' } : next };
        tree = next;
        for (const path of tree.open) listing.openFolder(path);
        if (tree.search) listing.readAll();
        return undefined;
      },
    };
  });
}

const PAGE = 1_000;
/** A time after every version, even if the clock of the service is ahead. */
const NOW = Number.MAX_SAFE_INTEGER;

/** The part of the job's listing that has been read so far. */
class Listing {
  readonly search = new NameSearch();
  readonly #source: Source;
  readonly #asked: Asked;
  readonly #screen: Screen;
  readonly #folders = new Map<string, Folder>();
  #isReadingAll = false;
  #isAllRead = false;

  constructor(source: Source, asked: Asked, screen: Screen) {
    this.#source = source;
    this.#asked = asked;
    this.#screen = screen;
  }

  get folders(): ReadonlyMap<string, Folder> {
    return this.#folders;
  }

  /** Whether the job is known to have had no files. */
  get isEmpty(): boolean {
    const root = this.#folders.get('');
    return root?.isRead === true && root.entries.length === 0;
  }

  /** How many paths `readAll` has read so far, and whether the job has too many paths to search. */
  get searched() {
    const searched = this.#isAllRead ? undefined : this.search.size;
    return defined({ searched, isCut: this.search.isFull || undefined });
  }

  /** Starts to read a folder. If that was done before, does nothing. */
  openFolder(path: string): void {
    if (this.#folders.has(path)) return;
    this.#folders.set(path, { entries: [], isRead: false });
    this.#readFolder(path).catch((error: unknown) => this.#screen.fail(error));
  }

  async #readFolder(path: string): Promise<void> {
    const { job, at = NOW } = this.#asked;
    const { redraw, signal } = this.#screen;
    const subject = { job: path === '' ? job : `${job}/${path}` };
    const entries: Entry[] = [];
    let after: Result<'history.folder'>['next'];
    do {
      const page = { ...subject, at, limit: PAGE, ...defined({ after }) };
      const { entries: rows, next } = await this.#source.call('history.folder', page, { signal });
      entries.push(...rows.map(entryOf));
      after = next;
      const isRead = after === undefined;
      this.#folders.set(path, { entries: entries.toSorted(byKindAndName), isRead });
      redraw();
    } while (after !== undefined);
  }

  /** Starts to read the paths of the whole job for the search. If that was done before, does nothing. */
  readAll(): void {
    if (this.#isReadingAll) return;
    this.#isReadingAll = true;
    this.#readPaths().catch((error: unknown) => this.#screen.fail(error));
  }

  async #readPaths(): Promise<void> {
    const { job, at = NOW } = this.#asked;
    const { redraw, signal } = this.#screen;
    const { stream } = await this.#source.call('history.list', { job, at }, { signal });
    for await (const { path } of readRows(this.#source, { stream, row: treeRowSchema }, signal)) {
      this.search.add(path);
      redraw();
      if (this.search.isFull) break;
    }
    this.#isAllRead = true;
    redraw();
  }
}

function entryOf({
  path,
  sizeBytes,
  isUncertain,
}: Result<'history.folder'>['entries'][number]): Entry {
  const isFolder = path.endsWith('/');
  return {
    path: isFolder ? path.slice(0, -1) : path,
    isFolder,
    ...defined({ sizeBytes: isFolder ? undefined : sizeBytes, isUncertain }),
  };
}
