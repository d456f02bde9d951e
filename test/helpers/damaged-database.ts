/** Pages of a database file overwritten as by a failing disk, the same for the same seed. */

import { closeSync, openSync, statSync, writeSync } from 'node:fs';

import Database from 'better-sqlite3';

import { patternBytes } from './test-engine.ts';

export const PAGE_BYTES = 4096;

/** Numbers of pages, from 1 on, are overwritten with bytes that mean nothing. */
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

/** A share of all pages but the first `spared`. */
export function somePages(path: string, share: number, { spared = 1, seed = 1 } = {}): number[] {
  const count = statSync(path).size / PAGE_BYTES;
  const draws = patternBytes(count * 2, seed);
  const pages = Array.from({ length: count }, (_, index) => index + 1);
  return pages.filter(
    (page) => page > spared && draws.readUInt16LE((page - 1) * 2) < share * 65_536,
  );
}

/** The pages of a table or an index: its root first. */
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

/** The leaves of a table or an index, in the order of their keys. */
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
