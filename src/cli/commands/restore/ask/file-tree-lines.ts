/** Formats the tree in which a user selects files as lines. All functions are pure. */

import { bytesText, countText, numberText } from '../../../../text/amounts.ts';
import { cutMiddle, widthOf } from '../../../output/progress-lines.ts';
import { visible } from '../../../output/text.ts';
import { cursorIn, type Data, markOf, type Row, rowsOf, type Tree } from './file-tree.ts';
import type { Line, Size } from './picker.ts';

export interface Shown extends Data {
  /** The first line, such as `Restore documents as of 2026-11-20 14:00`. */
  readonly title: string;
  /** The number of paths that the search has read so far. Absent when all have been read. */
  readonly searched?: number;
  /** Whether the job has too many paths to search all of them. */
  readonly isCut?: boolean;
}

/** The number of screen lines that do not contain entries. */
const FIXED = 4;
const SIZE_CELLS = 10;
const MIN_SIZE_COLUMNS = 40;

/** Returns the number of entries that fit on the screen. */
export function heightOf({ rows }: Pick<Size, 'rows'>): number {
  return Math.max(1, rows - FIXED);
}

export function treeLines(tree: Tree, shown: Shown, size: Size): readonly Line[] {
  const height = heightOf(size);
  const body = tree.search ? matchLines(tree, shown, size) : rowLines(tree, shown, size);
  const blank = Array.from({ length: Math.max(0, height - body.length) }, (): Line => []);
  return [
    [{ text: shown.title }],
    ...body,
    ...blank,
    searchLine(tree, shown),
    statusLine(tree, shown),
    [{ text: keysText(tree), tone: 'dim' }],
  ];
}

/** Returns the visible part of a list. The cursor is in its middle, except near the ends of the list. */
function windowOf(count: number, cursor: number, height: number): readonly [number, number] {
  const start = Math.max(0, Math.min(cursor - Math.floor(height / 2), count - height));
  return [start, start + height];
}

function rowLines(tree: Tree, { folders, height }: Shown, { columns }: Size): readonly Line[] {
  const rows = rowsOf(tree, folders);
  const cursor = cursorIn(tree, rows);
  const [start, end] = windowOf(rows.length, cursor, height);
  return rows
    .slice(start, end)
    .map((row, index) => rowLine(row, { tree, isCursor: start + index === cursor, columns }));
}

interface Drawing {
  readonly tree: Tree;
  readonly isCursor: boolean;
  readonly columns: number;
}

const BOXES = { all: '[x]', some: '[-]', none: '[ ]' } as const;

function rowLine({ entry, depth }: Row, { tree, isCursor, columns }: Drawing): Line {
  const { path, isFolder, sizeBytes, isUncertain } = entry;
  const state = isFolder ? (tree.open.has(path) ? '- ' : '+ ') : '  ';
  // Deep folders are indented less on a narrow terminal, so that their names remain visible.
  const indent = ' '.repeat(Math.min(2 * depth, Math.floor(columns / 3)));
  const start = `${isCursor ? '>' : ' '} ${BOXES[markOf(tree, path)]} ${indent}${state}`;
  const name = visible(path.slice(path.lastIndexOf('/') + 1));
  const label = `${name}${isFolder ? '/' : ''}${isUncertain ? ' ?' : ''}`;
  const hasSize = sizeBytes !== undefined && columns >= MIN_SIZE_COLUMNS;
  const room = columns - 1 - start.length - (hasSize ? SIZE_CELLS : 0);
  const cut = cutMiddle(label, Math.max(1, room));
  const blanks = ' '.repeat(Math.max(0, room - widthOf(cut)));
  const size = hasSize ? blanks + bytesText(sizeBytes).padStart(SIZE_CELLS) : '';
  return [
    { text: start + cut, tone: isCursor ? 'strong' : undefined },
    { text: size, tone: 'dim' },
  ];
}

function matchLines(tree: Tree, { matches, height }: Shown, { columns }: Size): readonly Line[] {
  const { index: cursor = 0, isTyping = false } = tree.search ?? {};
  const [start, end] = windowOf(matches.length, cursor, height);
  return matches.slice(start, end).map(({ path, isFolder }, index) => {
    const isCursor = !isTyping && start + index === cursor;
    const box = `${isCursor ? '>' : ' '} ${BOXES[markOf(tree, path)]} `;
    const text = cutMiddle(`${visible(path)}${isFolder ? '/' : ''}`, columns - 1 - box.length);
    return [{ text: box + text, tone: isCursor ? 'strong' : undefined }];
  });
}

function searchLine({ search }: Tree, { matches, searched, isCut }: Shown): Line {
  if (!search) return [];
  const found = search.text === '' ? '' : `  ${countText(matches.length, 'path')} found`;
  const still = searched === undefined ? '' : `, reading… ${numberText(searched)} so far`;
  const cut = isCut ? ' (only the first million paths are searched)' : '';
  const text = `/${visible(search.text)}${search.isTyping ? '_' : ''}`;
  return [{ text, tone: 'strong' }, { text: `${found}${still}${cut}` }];
}

function statusLine(tree: Tree, { folders }: Shown): Line {
  const { selected, problem } = tree;
  if (problem !== undefined) return [{ text: visible(problem), tone: 'attention' }];
  const root = folders.get('');
  if (root?.isRead && root.entries.length === 0)
    return [{ text: 'no files at that time: Enter to choose another one', tone: 'attention' }];
  const unread = ['', ...tree.open].filter((path) => folders.get(path)?.isRead !== true);
  const count = unread.reduce((sum, path) => sum + (folders.get(path)?.entries.length ?? 0), 0);
  const reading = unread.length === 0 ? '' : `; reading… ${numberText(count)} entries so far`;
  const chosen =
    selected.size === 0 ? 'nothing selected: all files' : `${numberText(selected.size)} selected`;
  return [{ text: `${chosen}${reading}` }];
}

function keysText({ search }: Tree): string {
  if (!search) return 'Space select, arrows open/close, / search, Enter next, Esc';
  if (search.isTyping) return 'type a part of a name, Enter to the matches, Esc back';
  return 'Space select, Enter show in the tree, / edit, Esc back';
}
