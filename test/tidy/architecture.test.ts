/**
 * Tests that ARCHITECTURE.md refers only to files and functions that exist, and that the decision
 * records have the same form and an index.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const DECISIONS = 'docs/decisions';
const MAX_LINES = 200;
/** Folders to which the paths in ARCHITECTURE.md are relative. */
const BASES = ['', 'src', 'src/mirror'];

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Returns the words between backquotes. */
function quoted(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
}

function rowsOf(text: string): string[][] {
  const rows = text.split('\n').filter((line) => line.startsWith('| '));
  return rows.map((row) => row.split('|').slice(1, -1));
}

/**
 * Returns the path of a file or folder relative to the repository's root. Returns undefined if it
 * does not exist.
 */
function found(name: string, ...bases: string[]): string | undefined {
  return bases.map((base) => join(base, name)).find((path) => existsSync(join(ROOT, path)));
}

/** Returns the names of files and functions in the text that do not exist. */
function missing(text: string): string[] {
  const folders = quoted(text).filter((word) =>
    /^(?:src|daemon|tui|test|docs)\b[\w/-]*$/.test(word),
  );
  const paths = quoted(text).filter((word) => /^[\w./-]+\.tsx?$/.test(word) && word.includes('/'));
  const functions = rowsOf(text).flatMap(([, files = '', names = '']) => {
    const here = quoted(files).flatMap((file) => found(file, ...BASES) ?? []);
    if (!here.some((file) => /\.tsx?$/.test(file))) return [];
    return quoted(names).filter((name) => {
      return !here.some((file) => read(file).includes(name.replace(/^[A-Z]\w*\./, '')));
    });
  });
  const entries = rowsOf(text).flatMap(([folder = '', , files = '']) => {
    const names = quoted(files).filter((word) => /\.ts$|\/$/.test(word));
    const [home] = quoted(folder).flatMap((each) => found(each, '') ?? []);
    return home === undefined ? [] : names.filter((name) => found(name, home) === undefined);
  });
  const isMissing = (word: string) => found(word, ...BASES) === undefined;
  return [
    ...folders.filter(isMissing),
    ...withoutEntries(paths, text).filter(isMissing),
    ...functions,
    ...entries,
  ];
}

/**
 * Removes the paths in the last column of the module table, which are relative to the folder of a
 * module.
 */
function withoutEntries(paths: readonly string[], text: string): string[] {
  const entries = rowsOf(text).flatMap(([folder = '', , files = '']) =>
    quoted(folder).some((each) => found(each, '') !== undefined) ? quoted(files) : [],
  );
  const relative = new Set(entries);
  return paths.filter((path) => !relative.has(path));
}

describe('the links of ARCHITECTURE.md to the sources', () => {
  const text = read('src/ARCHITECTURE.md');

  test(`ARCHITECTURE.md has at most ${MAX_LINES} lines`, () => {
    expect(text.split('\n').length - 1).toBeLessThanOrEqual(MAX_LINES);
  });

  test('all folders, files and functions in ARCHITECTURE.md exist', () => {
    expect(quoted(text).length).toBeGreaterThan(100);
    expect(missing(text)).toEqual([]);
  });

  test('a folder, a file, an entry point or a function in ARCHITECTURE.md that does not exist is reported', () => {
    const planted = [
      'It is in `src/nowhere` and `plan/nothing.ts`.',
      '| `src/base` | clock | `no-clock.ts` |',
      '| the planner | `plan/plan.ts` | `planMirror`, `planNothing` |',
    ].join('\n');
    expect(missing(planted)).toEqual([
      'src/nowhere',
      'plan/nothing.ts',
      'planNothing',
      'no-clock.ts',
    ]);
  });
});

describe('the decision records', () => {
  const names = readdirSync(join(ROOT, DECISIONS)).filter((name) => name !== 'README.md');
  const pages = names.toSorted().map((name) => ({ name, text: read(`${DECISIONS}/${name}`) }));

  test('the decision records are numbered without gaps, and each has a title, a date, a context and a choice', () => {
    for (const [index, { name, text }] of pages.entries()) {
      const number = index + 1;
      expect(name).toMatch(new RegExp(`^${String(number).padStart(4, '0')}-[a-z0-9-]+\\.md$`));
      expect(text).toMatch(
        new RegExp(`^# ${number}\\. \\S.*\n\nDate: 20\\d\\d-\\d\\d-\\d\\d\\. Status: \\S.*\n`),
      );
      for (const section of ['Context', 'Choice']) expect(text).toContain(`\n## ${section}\n`);
    }
  });

  test('the index of the decision records lists each record once, with its title', () => {
    const index = read(`${DECISIONS}/README.md`);
    const listed = [...index.matchAll(/^- \[(.+)\]\((.+)\)$/gm)];
    const entries = listed.map(([, title, name]) => `${name}: ${title}`);
    const titles = pages.map(({ name, text }) => `${name}: ${/^# (.+)/.exec(text)?.[1]}`);
    expect(entries.toSorted()).toEqual(titles);
  });
});
