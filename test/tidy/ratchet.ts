/**
 * Counts of style violations that may only decrease. `ratchet.json` contains the counts of the last
 * commit.
 */

import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { findNever } from './never.ts';
import type { Finding } from './never.ts';
import { documents, filesOfRoot, sourceFiles } from './source-files.ts';
import type { SourceFile } from './source-files.ts';

export interface Table {
  /** Number of forbidden phrases in comments, strings and documents, by folder. */
  readonly text: Readonly<Record<string, number>>;
  /** Identifiers that contain a forbidden phrase, by folder. Spaces separate them. */
  readonly identifiers: Readonly<Record<string, string>>;
  /**
   * Number of files with the same name. Only names that occur more than twice in the program are
   * included.
   */
  readonly fileNames: Readonly<Record<string, number>>;
}

type Rows = Readonly<Record<string, number>>;

export const RATCHET_FILE = join(import.meta.dirname, 'ratchet.json');
const PROGRAM = ['src', 'daemon', 'tui'] as const;
const MOST_OF_A_NAME = 2;
const MOST_DESCRIBED = 20;

/**
 * Folders whose text has not been corrected yet. All other folders must not contain forbidden
 * phrases.
 */
const UNCORRECTED: readonly string[] = [
  'docs',
  'tui',
  'test/unit/tui',
  // These folders quote text of the documentation and the dashboard.
  'test/unit/mirror',
  'test/helpers/tui',
];

/** Matches files that contain the forbidden phrases as data. */
const EXCEPT = /^test\/tidy\/(?:never|ratchet|subjects)\b/;

export function filesOfProject(): SourceFile[] {
  const files = [
    ...sourceFiles(...PROGRAM, 'test'),
    ...documents('docs', 'src', 'test'),
    ...filesOfRoot(),
  ];
  return files.filter(({ path }) => !EXCEPT.test(path));
}

/**
 * Returns the folder for which a file is counted, such as `src/mirror/state`, `test/unit/mirror` or
 * `tui/screens`. A file in the repository's root is counted under its own name, except the README,
 * which counts for `docs`.
 */
export function folderOf(path: string): string {
  const names = dirname(path).split('/');
  if (names[0] === '.' && path !== 'README.md') return path;
  if (names[0] === 'docs' || path === 'README.md') return 'docs';
  return names.slice(0, names[0] === 'src' || names[0] === 'test' ? 3 : 2).join('/');
}

function identifierRow(folder: string, name: string): string {
  return `${folder}: ${name}`;
}

function sorted<Value>(rows: Iterable<readonly [string, Value]>): Record<string, Value> {
  return Object.fromEntries([...rows].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

export interface Count {
  readonly table: Table;
  /** Violations by row. `compare` returns the names of the rows. */
  readonly findings: ReadonlyMap<string, readonly Finding[]>;
}

export function count(files: readonly SourceFile[]): Count {
  const found = files.map(findNever);
  const phrases = Map.groupBy(
    found.flatMap(({ text }) => text),
    ({ path }) => folderOf(path),
  );
  const uses = found.flatMap(({ identifiers }) => identifiers);
  const identifiers = Map.groupBy(uses, ({ path, found: name }) =>
    identifierRow(folderOf(path), name),
  );
  const program = files.filter(({ path }) => /^(?:src|daemon|tui)\/.*\.tsx?$/.test(path));
  const fileNames = Map.groupBy(program, ({ path }) => basename(path));
  const table = {
    text: sorted([...phrases].map(([folder, { length }]) => [folder, length])),
    identifiers: sorted(
      [...Map.groupBy(uses, ({ path }) => folderOf(path))].map(([folder, findings]) => {
        const names = new Set(findings.map(({ found: name }) => name));
        return [folder, [...names].toSorted().join(' ')];
      }),
    ),
    fileNames: sorted(
      [...fileNames]
        .map(([name, { length }]) => [name, length] as const)
        .filter(([, times]) => times > MOST_OF_A_NAME),
    ),
  };
  return { table, findings: new Map([...phrases, ...identifiers]) };
}

export function readTable(): Table {
  return JSON.parse(readFileSync(RATCHET_FILE, 'utf8')) as Table;
}

export function writeTable(table: Table): void {
  writeFileSync(RATCHET_FILE, `${JSON.stringify(table, null, 2)}\n`);
}

/** Returns the rows of folders that must not contain a forbidden phrase. */
export function rowsOfCorrected({ text, identifiers }: Table): string[] {
  const isOpen = (row: string) =>
    UNCORRECTED.some((folder) => row === folder || row.startsWith(`${folder}/`));
  const names = Object.entries(identifiers).flatMap(([folder, list]) =>
    list.split(' ').map((name) => [folder, identifierRow(folder, name)] as const),
  );
  return [...Object.keys(text).map((folder) => [folder, folder] as const), ...names]
    .filter(([folder]) => !isOpen(folder))
    .map(([, row]) => row);
}

/**
 * Converts the table to rows with numbers. Each identifier of a folder is a row with the number 1.
 */
function rowsOf({ text, identifiers, fileNames }: Table): Rows {
  const names = Object.entries(identifiers).flatMap(([folder, list]) =>
    list.split(' ').map((name) => [identifierRow(folder, name), 1] as const),
  );
  return { ...text, ...Object.fromEntries(names), ...fileNames };
}

/** Returns totals that do not change when files move to another folder. */
function totalsOf({ text, identifiers, fileNames }: Table): Rows {
  const names = Object.values(identifiers).flatMap((list) => list.split(' '));
  return {
    'the phrases in text': Object.values(text).reduce((sum, each) => sum + each, 0),
    ...Object.fromEntries(names.map((name) => [name, 1])),
    ...fileNames,
  };
}

function above(rows: Rows, limits: Rows): string[] {
  return Object.keys(rows).filter((row) => (rows[row] ?? 0) > (limits[row] ?? 0));
}

export interface Differences {
  readonly risen: readonly string[];
  readonly fallen: readonly string[];
}

export function compare(counted: Table, committed: Table): Differences {
  const [now, before] = [rowsOf(counted), rowsOf(committed)];
  return { risen: above(now, before), fallen: above(before, now) };
}

/**
 * Returns the increases that prevent an update of `ratchet.json`: more phrases, a new identifier,
 * or another file with a repeated name.
 */
export function risenInTotal(counted: Table, committed: Table): string[] {
  return above(totalsOf(counted), totalsOf(committed));
}

export function describeFinding({ path, line, found, write }: Finding): string {
  return `${path}:${line}: never "${found}"; write: ${write}`;
}

/**
 * Describes a row whose count increased. The files that changed last come first, because they
 * probably contain the new violations.
 */
export function describeRise(row: string, { table, findings }: Count, committed: Table): string[] {
  const [now, limit] = [table, committed].map((each) => rowsOf(each)[row] ?? 0);
  const changedMs = (path: string) => statSync(join(import.meta.dirname, '../..', path)).mtimeMs;
  const timed = (findings.get(row) ?? [])
    .map((finding) => ({ finding, ms: changedMs(finding.path) }))
    .toSorted((a, b) => b.ms - a.ms);
  const listed = timed.slice(0, MOST_DESCRIBED).map(({ finding }) => describeFinding(finding));
  const advice =
    row in table.fileNames
      ? 'choose a file name that states the subject'
      : `correct these, or list all with: npm run ratchet -- ${row.replace(/:.*/, '')}`;
  return [`${row}: ${now}, at most ${limit}; ${advice}; after a move: npm run ratchet`, ...listed];
}
