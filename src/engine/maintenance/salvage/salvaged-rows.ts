/** Reads the rows of each table and index that are still on the pages of a damaged database. */

import type { Database } from 'better-sqlite3';

import { type DatabasePages, type StoredRow, type TreeKind } from './database-pages.ts';

/** A table or an index: its root page, and its columns in the order in which its records contain them. */
export interface Tree {
  readonly name: string;
  readonly kind: TreeKind;
  readonly root: number;
  readonly columns: readonly string[];
  /** The column that is an alias of the rowid, if there is one. */
  readonly rowidColumn: string | undefined;
}

export type Row = Readonly<Record<string, StoredRow['values'][number]>>;

/** The name under which an index entry contains the rowid of its row. */
export const ROWID = 'rowid';

interface SchemaRow {
  readonly type: 'table' | 'index';
  readonly name: string;
  readonly rootpage: number;
}

/**
 * Returns the tables and indexes of an intact database of the same format, with the root pages from the schema of the
 * damaged database. If a root page cannot be read from that schema, the root page in the intact database is used,
 * because auto-vacuum keeps root pages at the beginning of the file in the order of their creation.
 */
export function treesOf(sound: Database, damaged: DatabasePages): readonly Tree[] {
  const roots = statedRoots(damaged);
  return sound
    .prepare<[], SchemaRow>(
      `SELECT type, name, rootpage FROM sqlite_schema WHERE type IN ('table', 'index')`,
    )
    .all()
    .map((row) => treeOf(sound, { ...row, rootpage: roots.get(row.name) ?? row.rootpage }));
}

/** The schema table, whose root page is the same in every database. */
export const SCHEMA: Tree = {
  name: 'sqlite_schema',
  kind: 'table',
  root: 1,
  columns: ['type', 'name', 'tbl_name', 'rootpage', 'sql'],
  rowidColumn: undefined,
};

function statedRoots(damaged: DatabasePages): ReadonlyMap<string, number> {
  const rows = [...new SalvagedRows(damaged, []).of(SCHEMA)];
  return new Map(
    rows.flatMap(({ name, rootpage }) =>
      typeof name === 'string' && typeof rootpage === 'number' && rootpage > 0
        ? [[name, rootpage] as const]
        : [],
    ),
  );
}

interface Column {
  readonly name: string | null;
  readonly cid: number;
  readonly pk: number;
  readonly type: string;
}

function treeOf(sound: Database, { type, name, rootpage: root }: SchemaRow): Tree {
  const columnsOfIndex = (index: string) =>
    (sound.pragma(`index_xinfo("${index}")`) as Column[]).map((column) => column.name ?? ROWID);
  if (type === 'index')
    return { name, kind: 'index', root, columns: columnsOfIndex(name), rowidColumn: undefined };
  const primary = (
    sound.pragma(`index_list("${name}")`) as { name: string; origin: string }[]
  ).find(({ origin }) => origin === 'pk');
  const isWithoutRowid = primary !== undefined && !hasOwnTree(sound, primary.name);
  if (isWithoutRowid) {
    const columns = columnsOfIndex(primary.name);
    return { name, kind: 'index', root, columns, rowidColumn: undefined };
  }
  const columns = sound.pragma(`table_info("${name}")`) as Column[];
  const key = columns.filter(({ pk }) => pk > 0);
  const rowidColumn = key.length === 1 && key[0]?.type === 'INTEGER' ? key[0].name : null;
  return {
    name,
    kind: 'table',
    root,
    columns: columns.map((column) => column.name ?? ROWID),
    rowidColumn: rowidColumn ?? undefined,
  };
}

/**
 * Returns whether the index of a primary key has its own B-tree. In a table without rowids, the table's own B-tree is
 * that index.
 */
function hasOwnTree(sound: Database, index: string): boolean {
  return sound.prepare(`SELECT 1 FROM sqlite_schema WHERE name = ?`).get(index) !== undefined;
}

export class SalvagedRows {
  readonly #pages: DatabasePages;
  readonly #visited = new Set<number>();
  readonly #trees: readonly Tree[];
  /** The numbers of the damaged B-tree pages. */
  readonly #damaged = new Set<number>();
  /**
   * For each root page, the pages of its B-tree that cannot be reached from the root, because a page above them is
   * damaged.
   */
  #orphans: ReadonlyMap<number, readonly number[]> | undefined;

  constructor(pages: DatabasePages, trees: readonly Tree[]) {
    this.#pages = pages;
    this.#trees = trees;
  }

  get damagedPages(): number {
    return this.#damaged.size;
  }

  *of(tree: Tree): Generator<Row, void> {
    for (const page of this.#descend(tree)) for (const row of page.rows) yield named(tree, row);
    // Pages that cannot be reached are known only after the B-trees of all other tables and indexes were read.
    if (!this.#orphans) for (const other of this.#trees) exhaust(this.#descend(other));
    this.#orphans ??= this.#findOrphans();
    for (const number of this.#orphans.get(tree.root) ?? []) {
      const page = this.#pages.treePage(number, tree.kind);
      if (!page) this.#damaged.add(number);
      for (const row of page?.rows ?? []) yield named(tree, row);
    }
  }

  /** Yields every page that can be reached from the root page. Yields each page once. */
  *#descend(tree: Tree) {
    const next = [tree.root];
    const seen = new Set<number>();
    for (let number = next.pop(); number !== undefined; number = next.pop()) {
      if (seen.has(number)) continue;
      seen.add(number);
      const page = this.#pages.treePage(number, tree.kind);
      if (!page) {
        this.#damaged.add(number);
        continue;
      }
      this.#visited.add(number);
      next.push(...page.children.toReversed());
      yield page;
    }
  }

  #findOrphans(): ReadonlyMap<number, readonly number[]> {
    const orphans = new Map<number, number[]>();
    for (let number = 1; number <= this.#pages.count; number++) {
      if (this.#visited.has(number)) continue;
      const root = this.#pages.rootOf(number);
      if (root === undefined || root === number) continue;
      const known = orphans.get(root);
      if (known) known.push(number);
      else orphans.set(root, [number]);
    }
    return orphans;
  }
}

function exhaust(pages: Iterable<unknown>): void {
  for (const _ of pages);
}

function named({ columns, rowidColumn }: Tree, { rowid, values }: StoredRow): Row {
  const row = Object.fromEntries(
    columns.slice(0, values.length).map((column, index) => [column, values[index] ?? null]),
  );
  return rowidColumn === undefined ? row : { ...row, [rowidColumn]: rowid ?? null };
}
