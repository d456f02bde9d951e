/** Reads all rows of each table and index that are still on the pages of a damaged database. */

import type { Database } from 'better-sqlite3';

import { type DatabasePages, type StoredRow, type TreeKind } from './database-pages.ts';

/** A table or an index: its root page, and its columns in the order of its records. */
export interface Tree {
  readonly name: string;
  readonly kind: TreeKind;
  readonly root: number;
  readonly columns: readonly string[];
  /** The column that is an alias of the rowid. */
  readonly rowidColumn: string | undefined;
}

export type Row = Readonly<Record<string, StoredRow['values'][number]>>;

/** The name of the column of an index that contains the rowid. */
export const ROWID = 'rowid';

interface SchemaRow {
  readonly type: 'table' | 'index';
  readonly name: string;
  readonly rootpage: number;
}

/**
 * Returns the trees of a sound database of the same format, with the roots in the schema of the damaged one. If a root cannot
 * be read, that of the sound database is used: auto-vacuum keeps roots at the beginning of the file, in the order of the
 * migrations.
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

/** The schema table, the only tree whose root is always the same page. */
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
 * Returns whether the index of a primary key has its own tree. In a table without rowids, the tree of the table is that
 * index.
 */
function hasOwnTree(sound: Database, index: string): boolean {
  return sound.prepare(`SELECT 1 FROM sqlite_schema WHERE name = ?`).get(index) !== undefined;
}

export class SalvagedRows {
  readonly #pages: DatabasePages;
  readonly #visited = new Set<number>();
  readonly #trees: readonly Tree[];
  /** The numbers of the damaged pages of trees. */
  readonly #damaged = new Set<number>();
  /** For each root, the pages of its tree that cannot be reached from it, because a page above them is damaged. */
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
    // Orphans are known only after all other trees have been read.
    if (!this.#orphans) for (const other of this.#trees) exhaust(this.#descend(other));
    this.#orphans ??= this.#findOrphans();
    for (const number of this.#orphans.get(tree.root) ?? []) {
      const page = this.#pages.treePage(number, tree.kind);
      if (!page) this.#damaged.add(number);
      for (const row of page?.rows ?? []) yield named(tree, row);
    }
  }

  /** Yields every page that can be reached from the root, once. */
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
