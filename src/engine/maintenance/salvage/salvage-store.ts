/**
 * Rebuilds store.sqlite from the rows that are still on its pages. Every step can be repeated after a crash. When the
 * new database is complete and durable, it replaces the damaged database with one rename. The damaged database is kept
 * under a different name.
 */

import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { basename } from 'node:path';

import Database from 'better-sqlite3';

import { errorCode, isDamagedDatabase } from '../../../base/errors.ts';
import {
  createPrivateFile,
  type Layout,
  layoutOf,
  syncFile,
  syncFolder,
} from '../../disk/layout.ts';
import { OpenStoreError, whyNotOpened } from '../../disk/open-error.ts';
import { migrateMetadata, reserveMap, STORE_FORMAT } from '../../schema/schema.ts';
import { lockStore } from '../../disk/store-lock.ts';
import { isTreeDamage } from '../../integrity/check-metadata.ts';
import type { Repaired } from '../../integrity/repair-metadata.ts';
import { DatabasePages } from './database-pages.ts';
import { fillGaps, type Lost } from './fill-gaps.ts';
import { type Row, SalvagedRows, SCHEMA, type Tree, treesOf } from './salvaged-rows.ts';

/** Tables that are not copied, because triggers or SQLite itself fill them. */
const DERIVED: ReadonlySet<string> = new Set(['bucket_usage', 'sqlite_stat1', 'sqlite_stat4']);
/** Tables with a single row, which a new database already contains. */
const SINGLE: ReadonlySet<string> = new Set(['store', 'upkeep', 'sqlite_sequence']);
/**
 * Tables that must be copied first. Inserting rows into the other tables fires triggers that update counters in these
 * tables.
 */
const FIRST: ReadonlySet<string> = new Set(['bucket', 'upload']);
const INSERTS_AT_ONCE = 10_000;

/**
 * Rebuilds the database if pages are damaged. Returns what was repaired; the list is empty if no page is damaged. `now`
 * provides file names and dates. Throws `OpenStoreError` if the store is in use or has a newer format, if the disk is
 * full, or if no version in the database can be read.
 */
export function salvageStore(dir: string, now: number): readonly Repaired[] {
  const layout = layoutOf(dir);
  try {
    const lock = lockStore(layout);
    try {
      return hasDamagedPages(layout.metadata) ? salvage(layout, now) : [];
    } finally {
      lock.release();
    }
  } catch (error) {
    throw whyNotOpened(dir, error);
  }
}

function hasDamagedPages(metadata: string): boolean {
  if (!existsSync(metadata) || statSync(metadata).size === 0) return false;
  const database = new Database(metadata);
  try {
    // The checkpoint also copies damaged pages of the write-ahead log into the database file, so that reading the file
    // suffices.
    database.pragma('wal_checkpoint(TRUNCATE)');
    return isTreeDamage(database);
  } catch (error) {
    if (!isDamagedDatabase(error)) throw error;
    return true;
  } finally {
    database.close();
  }
}

function salvage(layout: Layout, now: number): readonly Repaired[] {
  const next = `${layout.metadata}.salvaged`;
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(next + suffix, { force: true });
  checkRoom(layout);
  const pages = new DatabasePages(layout.metadata);
  try {
    checkFormat(pages, layout);
    createPrivateFile(next);
    const { rows, lost, damagedPages } = build(next, pages, { layout, now });
    syncFile(next);
    const aside = exchange(layout, next, now);
    const found = damagedPages === 1 ? '1 damaged page' : `${damagedPages} damaged pages`;
    const did = `${found}; rebuilt from the ${rows} rows that could be read; the damaged database is kept as ${aside}`;
    return [{ code: 'database', subject: basename(layout.metadata), did }, ...lost.repaired()];
  } finally {
    pages.close();
  }
}

function checkFormat({ userVersion = STORE_FORMAT }: DatabasePages, { root }: Layout): void {
  if (userVersion <= STORE_FORMAT) return;
  throw new OpenStoreError(
    'NewerStore',
    `repair store ${root}: its format ${userVersion} is newer than ${STORE_FORMAT}; use a newer Holdfast`,
  );
}

function checkRoom({ root, metadata }: Layout): void {
  const { bavail, bsize } = statfsSync(root);
  const [needed, free] = [statSync(metadata).size, bavail * bsize];
  if (free >= needed) return;
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 2 ** 20)} MiB`;
  throw new OpenStoreError(
    'DiskFull',
    `repair store ${root}: it needs ${megabytes(needed)} there and ${megabytes(free)} are free; free up disk space, then repeat the command`,
  );
}

interface Built {
  readonly rows: number;
  readonly damagedPages: number;
  readonly lost: Lost;
}

function build(
  path: string,
  pages: DatabasePages,
  { layout, now }: { readonly layout: Layout; readonly now: number },
): Built {
  const database = new Database(path);
  try {
    reserveMap(database);
    database.pragma('journal_mode = MEMORY');
    database.pragma('synchronous = OFF');
    migrateMetadata(database);
    const trees = treesOf(database, pages);
    const salvaged = new SalvagedRows(pages, [SCHEMA, ...trees]);
    const rows = copyAll(database, salvaged, trees);
    if (Number(database.prepare('SELECT count(*) FROM version').pluck().get()) === 0)
      throw nothingLeft(layout);
    const entries = (name: string) => entriesOf(salvaged, trees, name);
    const lost = database.transaction(() => fillGaps(database, entries, { layout, now }))();
    checkWhole(database, layout);
    return { rows, damagedPages: salvaged.damagedPages, lost };
  } finally {
    database.close();
  }
}

function copyAll(database: Database.Database, salvaged: SalvagedRows, trees: readonly Tree[]) {
  const tables = new Set(
    database
      .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table'`)
      .pluck()
      .all(),
  );
  const copied = trees.filter(({ name }) => tables.has(name) && !DERIVED.has(name));
  const ordered = [
    ...copied.filter(({ name }) => FIRST.has(name)),
    ...copied.filter(({ name }) => !FIRST.has(name)),
  ];
  return ordered.reduce((sum, tree) => sum + copyTable(database, salvaged, tree), 0);
}

/**
 * Copies the rows of a table and returns their number. Skips a row that violates a constraint of its table, because its
 * values are damaged.
 */
function copyTable(database: Database.Database, salvaged: SalvagedRows, tree: Tree): number {
  if (tree.name === 'sqlite_sequence') database.exec('DELETE FROM sqlite_sequence');
  const inserts = new Map<number, Database.Statement>();
  const insert = (row: Row): number => {
    // A row that was written before a column was added has no value for that column.
    const names = Object.keys(row);
    const statement = inserts.get(names.length) ?? prepareInsert(database, tree.name, names);
    inserts.set(names.length, statement);
    try {
      return statement.run(...Object.values(row)).changes;
    } catch (error) {
      if (!/^SQLITE_(CONSTRAINT|MISMATCH)/.test(errorCode(error) ?? '')) throw error;
      return 0;
    }
  };
  let count = 0;
  database.exec('BEGIN');
  for (const row of salvaged.of(tree)) {
    count += insert(row);
    if (count % INSERTS_AT_ONCE === 0) database.exec('COMMIT; BEGIN');
  }
  database.exec('COMMIT');
  return count;
}

function prepareInsert(
  database: Database.Database,
  table: string,
  names: readonly string[],
): Database.Statement {
  const how = SINGLE.has(table) ? 'OR REPLACE' : 'OR IGNORE';
  const columns = names.map((name) => `"${name}"`).join(', ');
  const values = names.map(() => '?').join(', ');
  return database.prepare(`INSERT ${how} INTO "${table}" (${columns}) VALUES (${values})`);
}

function* entriesOf(salvaged: SalvagedRows, trees: readonly Tree[], name: string): Generator<Row> {
  const tree = trees.find((each) => each.name === name);
  if (tree) yield* salvaged.of(tree);
}

function nothingLeft({ root, metadata }: Layout): OpenStoreError {
  return new OpenStoreError(
    'NotAStore',
    `repair store ${root}: ${basename(metadata)} has no version that can be read; restore it from a backup of the store, ` +
      'or move the whole folder away: the next start creates a new store, and each job uploads its folder again',
  );
}

function checkWhole(database: Database.Database, { root }: Layout): void {
  const found = database.pragma('integrity_check(1)', { simple: true });
  if (found === 'ok') return;
  throw new OpenStoreError(
    'DamagedMetadata',
    `repair store ${root}: the new database is damaged (${String(found)}); nothing was changed; check the disk`,
  );
}

/**
 * Replaces the damaged database with the new database. Returns the file name under which the damaged database is kept.
 */
function exchange({ metadata, root }: Layout, next: string, now: number): string {
  const stamp = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  let aside = `${metadata}.damaged-${stamp}`;
  for (let number = 2; existsSync(aside); number++)
    aside = `${metadata}.damaged-${stamp}-${number}`;
  keepAs(metadata, aside);
  for (const suffix of ['-wal', '-shm'])
    if (existsSync(metadata + suffix)) renameSync(metadata + suffix, aside + suffix);
  syncFolder(root);
  renameSync(next, metadata);
  syncFolder(root);
  return basename(aside);
}

/** Gives the file a second name: a hard link, or a copy if the file system does not support hard links. */
function keepAs(path: string, name: string): void {
  try {
    linkSync(path, name);
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(errorCode(error) ?? ''))
      throw error;
    copyFileSync(path, name, constants.COPYFILE_EXCL);
    syncFile(name);
  }
}
