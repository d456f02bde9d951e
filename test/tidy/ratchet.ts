/**
 * Finds forbidden phrases, and counts the files with the same name. `ratchet.json` contains the
 * counts of the last commit, which may only decrease.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { findNever } from './never.ts';
import type { Finding } from './never.ts';
import { documents, filesOfRoot, sourceFiles } from './source-files.ts';
import type { SourceFile } from './source-files.ts';

/** Number of files with the same name. Only names that occur more than twice are included. */
export type NameCounts = Readonly<Record<string, number>>;

export const RATCHET_FILE = join(import.meta.dirname, 'ratchet.json');
const PROGRAM = ['src', 'daemon', 'tui'] as const;
const MOST_OF_A_NAME = 2;

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

/** Returns a line for each forbidden phrase and identifier. */
export function forbidden(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const { text, identifiers } = findNever(file);
    return [...text, ...identifiers].map(describeFinding);
  });
}

function describeFinding({ path, line, found, write }: Finding): string {
  return `${path}:${line}: never "${found}"; write: ${write}`;
}

export function countNames(files: readonly SourceFile[]): NameCounts {
  const program = files.filter(({ path }) => /^(?:src|daemon|tui)\/.*\.tsx?$/.test(path));
  const names = Map.groupBy(program, ({ path }) => basename(path));
  return Object.fromEntries(
    [...names]
      .map(([name, { length }]) => [name, length] as const)
      .filter(([, times]) => times > MOST_OF_A_NAME)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

export function readCounts(): NameCounts {
  return JSON.parse(readFileSync(RATCHET_FILE, 'utf8')) as NameCounts;
}

export function writeCounts(counts: NameCounts): void {
  writeFileSync(RATCHET_FILE, `${JSON.stringify(counts, null, 2)}\n`);
}

/** Returns the names that occur more often than `limits` allows. */
export function risen(counts: NameCounts, limits: NameCounts): string[] {
  return Object.keys(counts).filter((name) => (counts[name] ?? 0) > (limits[name] ?? 0));
}
