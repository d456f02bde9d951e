/**
 * Implements the tree in which a user selects files: its state and its keys. All functions are pure. `pickFiles`
 * reads the folders.
 */

import { MAX_PATHS } from '../../../../control/methods/restore.ts';
import { numberText } from '../../../../text/amounts.ts';
import type { Match } from './name-search.ts';

/** A file or folder in the tree. */
export interface Entry {
  /** The path below the job's folder, without a trailing slash. */
  readonly path: string;
  readonly isFolder: boolean;
  readonly sizeBytes?: number;
  readonly isUncertain?: true;
}

export interface Folder {
  /** The entries in display order. */
  readonly entries: readonly Entry[];
  /** Whether all entries have been read. */
  readonly isRead: boolean;
}

export interface Search {
  readonly text: string;
  /** Whether keys edit the search text. If not, they move through the matches. */
  readonly isTyping: boolean;
  readonly index: number;
}

export interface Tree {
  /** The path of the entry at the cursor. Undefined for the first entry. */
  readonly cursor?: string | undefined;
  readonly open: ReadonlySet<string>;
  /** The paths of the selected files and folders. No selected path is below another selected path. */
  readonly selected: ReadonlySet<string>;
  readonly search?: Search | undefined;
  /** Why the last key had no effect. */
  readonly problem?: string | undefined;
}

export interface Data {
  /** The folders that have been read at least partly, by path. The path of the job's folder is empty. */
  readonly folders: ReadonlyMap<string, Folder>;
  /** The paths that match the search text. */
  readonly matches: readonly Match[];
  /** The number of entries on the screen. */
  readonly height: number;
}

/** The result of the tree. If the user selected nothing, `paths` is empty and means all files. */
export type Picked =
  | { readonly is: 'files'; readonly paths: readonly string[] }
  | { readonly is: 'back' };

export interface Row {
  readonly entry: Entry;
  readonly depth: number;
}

export const CLOSED_TREE: Tree = { open: new Set(), selected: new Set() };

/** Returns the entries of all open folders. Each entry follows its folder. */
export function rowsOf({ open }: Pick<Tree, 'open'>, folders: Data['folders']): readonly Row[] {
  const rows: Row[] = [];
  const add = (path: string, depth: number) => {
    for (const entry of folders.get(path)?.entries ?? []) {
      rows.push({ entry, depth });
      if (entry.isFolder && open.has(entry.path)) add(entry.path, depth + 1);
    }
  };
  add('', 0);
  return rows;
}

/**
 * Returns the index of the entry at the cursor. If this entry has not been read yet, returns the index of its
 * parent folder.
 */
export function cursorIn({ cursor }: Pick<Tree, 'cursor'>, rows: readonly Row[]): number {
  for (let path = cursor ?? ''; path !== ''; path = parentOf(path)) {
    const index = rows.findIndex(({ entry }) => entry.path === path);
    if (index >= 0) return index;
  }
  return 0;
}

/** Returns the tree after a key was pressed, or the choice of the user. */
export function pressTree(tree: Tree, key: string, data: Data): Tree | Picked {
  const { problem: _, ...rest } = tree;
  return rest.search ? pressSearch(rest, rest.search, key, data) : pressRow(rest, key, data);
}

function pressRow(tree: Tree, key: string, data: Data): Tree | Picked {
  const rows = rowsOf(tree, data.folders);
  const index = cursorIn(tree, rows);
  const row = rows[index];
  const step = stepOf(key, data.height, rows.length);
  if (step !== undefined) return { ...tree, cursor: at(rows, index + step)?.entry.path };
  switch (key) {
    case 'enter':
      return { is: 'files', paths: [...tree.selected].toSorted() };
    case 'escape':
      return { is: 'back' };
    case '/':
      return { ...tree, search: { text: '', isTyping: true, index: 0 } };
    case ' ':
      return row ? toggled({ ...tree, cursor: row.entry.path }, row.entry.path) : tree;
    case 'right':
      return row?.entry.isFolder ? opened(tree, row.entry.path) : tree;
    case 'left':
      return row ? closed(tree, row.entry) : tree;
    default:
      return tree;
  }
}

function pressSearch(tree: Tree, search: Search, key: string, data: Data): Tree {
  const { matches, height } = data;
  const edited = (text: string) => ({ ...tree, search: { text, isTyping: true, index: 0 } });
  const step = stepOf(key, height, matches.length);
  if (step !== undefined) {
    const index = Math.max(0, Math.min(matches.length - 1, search.index + step));
    return { ...tree, search: { ...search, isTyping: false, index } };
  }
  if (key === 'escape') return { ...tree, search: undefined };
  const path = matches[search.index]?.path;
  if (search.isTyping) {
    if (key === 'backspace') return edited(search.text.slice(0, -1));
    if (key === 'enter') return { ...tree, search: { ...search, isTyping: false } };
    return key.length > 2 ? tree : edited(search.text + key);
  }
  if (key === '/') return { ...tree, search: { ...search, isTyping: true } };
  if (key === ' ') return path === undefined ? tree : toggled(tree, path);
  if (key === 'enter')
    return path === undefined ? { ...tree, search: undefined } : revealed(tree, path);
  return tree;
}

/** Returns the number of entries by which a key moves the cursor. Returns undefined for any other key. */
function stepOf(key: string, height: number, count: number): number | undefined {
  switch (key) {
    case 'up':
      return -1;
    case 'down':
      return 1;
    case 'pageup':
      return -height;
    case 'pagedown':
      return height;
    case 'home':
      return -count;
    case 'end':
      return count;
    default:
      return undefined;
  }
}

function at(rows: readonly Row[], index: number): Row | undefined {
  return rows[Math.max(0, Math.min(rows.length - 1, index))];
}

function opened(tree: Tree, path: string): Tree {
  return { ...tree, cursor: path, open: new Set([...tree.open, path]) };
}

/** Closes an open folder. For any other entry, moves the cursor to the parent folder. */
function closed(tree: Tree, { path }: Entry): Tree {
  if (!tree.open.has(path)) return { ...tree, cursor: parentOf(path) || path };
  return { ...tree, cursor: path, open: new Set([...tree.open].filter((each) => each !== path)) };
}

/** Opens all parent folders of a path, and moves the cursor to the path. */
function revealed(tree: Tree, path: string): Tree {
  const open = new Set([...tree.open, ...foldersAbove(path)]);
  return { ...tree, search: undefined, open, cursor: path };
}

/** Selects or deselects a path. If the path is a folder, it replaces selected paths below it. */
function toggled(tree: Tree, path: string): Tree {
  if (tree.selected.has(path))
    return { ...tree, selected: new Set([...tree.selected].filter((each) => each !== path)) };
  const above = foldersAbove(path).find((folder) => tree.selected.has(folder));
  if (above !== undefined)
    return { ...tree, problem: `it belongs to the selected folder ${above}/` };
  const others = [...tree.selected].filter((each) => !each.startsWith(`${path}/`));
  if (others.length >= MAX_PATHS)
    return {
      ...tree,
      problem: `more than ${numberText(MAX_PATHS)} paths: select a folder instead`,
    };
  return { ...tree, selected: new Set([...others, path]) };
}

/** Returns whether the path is selected. A folder may also be selected partly. */
export function markOf(
  { selected }: Pick<Tree, 'selected'>,
  path: string,
): 'all' | 'some' | 'none' {
  if (selected.has(path) || foldersAbove(path).some((folder) => selected.has(folder))) return 'all';
  return [...selected].some((each) => each.startsWith(`${path}/`)) ? 'some' : 'none';
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Returns the parent folders of a path, starting with the topmost folder. */
export function foldersAbove(path: string): readonly string[] {
  const above: string[] = [];
  for (let folder = parentOf(path); folder !== ''; folder = parentOf(folder)) above.unshift(folder);
  return above;
}

/** Compares entries for display. Folders come first, and each group is sorted by name. */
export function byKindAndName(a: Entry, b: Entry): number {
  if (a.isFolder !== b.isFolder) return a.isFolder ? -1 : 1;
  return a.path < b.path ? -1 : 1;
}
