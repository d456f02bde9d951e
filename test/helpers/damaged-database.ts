/**
 * Damages a database file by overwriting pages, as a failing disk would. The same seed causes the
 * same damage.
 */

import { closeSync, openSync, statSync, writeSync } from 'node:fs';

import Database from 'better-sqlite3';

import { patternBytes } from './test-engine.ts';

export const PAGE_BYTES = 4096;

/** Overwrites pages of a database file with pseudo-random bytes. Page numbers start at 1. */
export function overwritePages(path: string, pages: readonly number[], seed = 1): void {
  const file = openSync(path, 'r+');
  try {
    for (const page of pages)
      writeSync(
        file,
        patternBytes(PAGE_BYTES, seed + page),
        0,
        PAGE_BYTES,
        (page - 1) * PAGE_BYTES,
      );
  } finally {
    closeSync(file);
  }
}

/**
 * Returns random page numbers. `share` (0 to 1) is the approximate share of all pages, and the
 * first `spared` pages are never chosen.
 */
export function somePages(path: string, share: number, { spared = 1, seed = 1 } = {}): number[] {
  const count = statSync(path).size / PAGE_BYTES;
  const draws = patternBytes(count * 2, seed);
  const pages = Array.from({ length: count }, (_, index) => index + 1);
  return pages.filter(
    (page) => page > spared && draws.readUInt16LE((page - 1) * 2) < share * 65_536,
  );
}

/** Returns the page numbers of a table or index. The root page is the first. */
export function pagesOf(path: string, name: string): number[] {
  const database = new Database(path, { readonly: true });
  try {
    return database
      .prepare<[string], number>('SELECT pageno FROM dbstat WHERE name = ? ORDER BY path')
      .pluck()
      .all(name);
  } finally {
    database.close();
  }
}

/** Returns the numbers of the leaf pages of a table or index, in key order. */
export function leavesOf(path: string, name: string): number[] {
  const database = new Database(path, { readonly: true });
  try {
    return database
      .prepare<[string], number>(
        `SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path`,
      )
      .pluck()
      .all(name);
  } finally {
    database.close();
  }
}
