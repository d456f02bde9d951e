/**
 * Tests of the tree in which `holdfast restore` lets the user select files: its keys, its lines and
 * its search.
 */

import { describe, expect, it } from 'vitest';

import {
  byKindAndName,
  CLOSED_TREE,
  type Data,
  type Entry,
  type Folder,
  type Picked,
  pressTree,
  type Tree,
} from '../../../../src/cli/commands/restore/ask/file-tree.ts';
import { treeLines } from '../../../../src/cli/commands/restore/ask/file-tree-lines.ts';
import { NameSearch } from '../../../../src/cli/commands/restore/ask/name-search.ts';

const PATHS = ['letters/', 'letters/ann', 'letters/old/', 'letters/old/bob', 'photos/', 'plan'];

function entry(path: string): Entry {
  const isFolder = path.endsWith('/');
  return isFolder ? { path: path.slice(0, -1), isFolder } : { path, isFolder, sizeBytes: 1_234 };
}

/** Returns the folders of the listed paths. The folder `photos` is still being read. */
function foldersOf(paths: readonly string[]): Map<string, Folder> {
  const all = paths.map(entry).toSorted(byKindAndName);
  const above = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const names = ['', ...all.filter(({ isFolder }) => isFolder).map(({ path }) => path)];
  return new Map(
    names.map((name) => [
      name,
      { entries: all.filter(({ path }) => above(path) === name), isRead: name !== 'photos' },
    ]),
  );
}

const FOLDERS = foldersOf(PATHS);

/** Presses keys, separated by spaces. `␣` is the space bar. */
function pressed(keys: string, folders: Data['folders'] = FOLDERS): Tree | Picked {
  const search = new NameSearch();
  for (const path of PATHS) search.add(path);
  let state: Tree | Picked = CLOSED_TREE;
  for (const key of keys.split(' ').filter(Boolean)) {
    if ('is' in state) break;
    const matches = search.matches(state.search?.text ?? '');
    state = pressTree(state, key === '␣' ? ' ' : key, { folders, matches, height: 3 });
  }
  return state;
}

function linesAfter(keys: string, size = { rows: 10, columns: 40 }) {
  const state = pressed(keys);
  if ('is' in state) throw new Error('the tree has ended');
  const search = new NameSearch();
  for (const path of PATHS) search.add(path);
  const matches = search.matches(state.search?.text ?? '');
  const shown = { title: 'Restore notes', folders: FOLDERS, matches, height: size.rows - 4 };
  return treeLines(state, shown, size).map((line) => line.map(({ text }) => text).join(''));
}

describe('keys of the file tree', () => {
  it.each([
    ['enter', []],
    ['␣ enter', ['letters']],
    ['end ␣ enter', ['plan']],
    ['down ␣ home ␣ enter', ['letters', 'photos']],
    ['␣ ␣ enter', []],
    ['right down down ␣ enter', ['letters/ann']],
    ['right down right down ␣ enter', ['letters/old/bob']],
    ['right down down ␣ home ␣ enter', ['letters']],
    ['right left down ␣ enter', ['photos']],
    ['right down down left ␣ enter', ['letters']],
    ['pagedown ␣ enter', ['plan']],
    ['/ b O b enter ␣ escape enter', ['letters/old/bob']],
    ['/ b o b enter enter ␣ enter', ['letters/old/bob']],
    ['/ l d / b enter ␣ escape enter', ['letters/old/bob']],
    ['/ x backspace o l d enter ␣ escape enter', ['letters/old']],
    ['/ n enter down ␣ enter enter', ['plan']],
    ['/ n o t enter ␣ enter enter', []],
  ])('the keys %s select the paths %j', (keys, paths) => {
    expect(pressed(keys)).toEqual({ is: 'files', paths });
  });

  it('Escape leaves the tree or the search', () => {
    expect(pressed('␣ escape')).toEqual({ is: 'back' });
    expect(pressed('/ a escape escape')).toEqual({ is: 'back' });
  });

  it('the file tree refuses to deselect a single file in a selected folder and names the folder', () => {
    const tree = pressed('␣ right down down ␣');
    expect(tree).toMatchObject({
      selected: new Set(['letters']),
      problem: 'it belongs to the selected folder letters/',
    });
    expect(pressed('␣ right down down ␣ up')).not.toHaveProperty('problem');
  });

  it('the file tree selects at most 1,000 paths', () => {
    const many = foldersOf(Array.from({ length: 1_001 }, (_, index) => `f${index + 1_000}`));
    const keys = Array.from({ length: 1_001 }, () => '␣ down').join(' ');
    expect(pressed(keys, many)).toMatchObject({ selected: { size: 1_000 } });
    expect(pressed(`${keys} ␣`, many)).toMatchObject({
      problem: expect.stringContaining('select a folder'),
    });
  });

  it('the file tree selects nothing in a job without files', () => {
    expect(pressed('␣ right left down pageup end enter', foldersOf([]))).toEqual({
      is: 'files',
      paths: [],
    });
  });

  it('the file tree keeps the cursor on its entry while new entries appear before it', () => {
    const tree = pressed('end');
    const more = foldersOf(['a/', ...PATHS]);
    if ('is' in tree) throw new Error('the tree has ended');
    expect(
      pressTree(pressTree(tree, ' ', { folders: more, matches: [], height: 3 }) as Tree, 'enter', {
        folders: more,
        matches: [],
        height: 3,
      }),
    ).toEqual({ is: 'files', paths: ['plan'] });
  });
});

describe('lines of the file tree', () => {
  it('the file tree shows open folders, selection marks and file sizes', () => {
    expect(linesAfter('right down down ␣')).toMatchInlineSnapshot(`
      [
        "Restore notes",
        "  [-] - letters/",
        "  [ ]   + old/",
        "> [x]     ann                   1.23 kB",
        "  [ ] + photos/",
        "  [ ]   plan                    1.23 kB",
        "",
        "",
        "1 selected",
        "Space select, arrows open/close, / search, Enter next, Esc",
      ]
    `);
  });

  it('the file tree shows the whole paths of search results', () => {
    expect(linesAfter('/ n enter down')).toMatchInlineSnapshot(`
      [
        "Restore notes",
        "  [ ] letters/ann",
        "> [ ] plan",
        "",
        "",
        "",
        "",
        "/n  2 paths found",
        "nothing selected: all files",
        "Space select, Enter show in the tree, / edit, Esc back",
      ]
    `);
  });

  it.each(['', '/', '/ x enter'])(
    'the file tree shows the available keys within 60 columns after the keys "%s"',
    (keys) => {
      expect(linesAfter(keys).at(-1)?.length).toBeLessThan(60);
    },
  );

  it('the file tree shows that a folder is still being read and how many entries it has so far', () => {
    expect(linesAfter('down right').at(-2)).toBe(
      'nothing selected: all files; reading… 0 entries so far',
    );
  });

  it('the file tree keeps the cursor on the screen in a tree that is taller than the terminal', () => {
    const folders = foldersOf(Array.from({ length: 100 }, (_, index) => `f${index + 100}`));
    const shown = { title: '', folders, matches: [], height: 6 };
    for (const cursor of ['f100', 'f103', 'f150', 'f199']) {
      const tree = { ...CLOSED_TREE, cursor };
      const lines = treeLines(tree, shown, { rows: 10, columns: 40 });
      const texts = lines.map((line) => line.map(({ text }) => text).join(''));
      expect(texts).toHaveLength(10);
      expect(texts.filter((text) => text.startsWith('>'))).toEqual([
        expect.stringContaining(cursor),
      ]);
    }
  });

  it.each([16, 40, 60, 80])(
    'the file tree prints no line wider than a terminal of %i columns',
    (columns) => {
      const name = `${'wide 名前 '.repeat(20)}\u{1b}[31m`;
      const folders = foldersOf([name, 'letters/']);
      const shown = { title: '', folders, matches: [{ path: name, isFolder: false }], height: 6 };
      const search = { text: 'w', isTyping: false, index: 0 };
      for (const tree of [CLOSED_TREE, { ...CLOSED_TREE, search }]) {
        const lines = treeLines(tree, shown, { rows: 10, columns }).slice(1, 3);
        for (const line of lines) {
          const text = line.map((span) => span.text).join('');
          expect(text).not.toContain('\u{1b}');
          expect(text.length).toBeLessThan(columns);
        }
      }
    },
  );
});

describe('search by name in the file tree', () => {
  it('the file tree finds each folder once that occurs only in the paths of its files', () => {
    const search = new NameSearch();
    for (const path of ['a/bc/d', 'a/bc/e', 'empty bc/']) search.add(path);
    expect(search.matches('BC').map(({ path }) => path)).toEqual(['a/bc', 'empty bc']);
    expect(search.size).toBe(5);
  });

  it('the file tree finds paths that are added after the first search, and accents in both Unicode forms', () => {
    const search = new NameSearch();
    expect(search.matches('caf\u{e9}')).toEqual([]);
    search.add('Cafe\u{301}');
    expect(search.matches('caf\u{e9}')).toHaveLength(1);
    expect(search.matches('')).toEqual([]);
  });
});
