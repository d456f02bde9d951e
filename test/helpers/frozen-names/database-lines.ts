/** Lists the format numbers, tables and columns of a SQLite database, as stored in the file. */

import Database from 'better-sqlite3';

import { memberNames } from './member-lines.ts';

interface Definition {
  readonly type: string;
  readonly name: string;
  /**
   * SQL statement that created the object. Null if SQLite created it itself, such as the index of a
   * UNIQUE column.
   */
  readonly sql: string | null;
}

export function databaseLines(path: string): string[] {
  const database = new Database(path, { readonly: true });
  try {
    const numbers = ['user_version', 'application_id'].map(
      (name) => `${name} ${String(database.pragma(name, { simple: true }))}`,
    );
    const definitions = database
      .prepare<[], Definition>('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name')
      .all();
    return [...numbers, ...definitions.flatMap(definitionLines)];
  } finally {
    database.close();
  }
}

/**
 * Returns one line per column. SQL comments are removed, because they are not part of the format.
 */
function definitionLines({ type, name, sql }: Definition): string[] {
  if (sql === null || name.startsWith('sqlite_')) return [];
  const plain = sql
    .replaceAll(/('[^']*')|--[^\n]*/g, (_, literal: string | undefined) => literal ?? ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return type === 'table' ? ['', ...columnLines(plain)] : [plain];
}

/**
 * Splits a CREATE TABLE statement at the commas between its columns. Commas within nested
 * parentheses do not separate columns.
 */
function columnLines(sql: string): string[] {
  const lines = [''];
  let depth = 0;
  for (const [character] of sql.matchAll(/'[^']*'|./g)) {
    if (character === '(') depth++;
    if (character === ')') depth--;
    const isBreak = depth === 1 && (character === ',' || character === '(');
    if (isBreak || (depth === 0 && character === ')')) lines.push('');
    if (!isBreak) lines[lines.length - 1] += character;
  }
  return lines.map((line, index) => `${index === 0 ? '' : '  '}${line.trim()}`);
}

/**
 * Lists the rows that the program reads by a fixed name, and the members of JSON values in columns.
 */
export function contentLines(paths: readonly string[]): string[] {
  const lines = paths.flatMap((path) => {
    const database = new Database(path, { readonly: true });
    try {
      return tablesOf(database).flatMap((table) => tableLines(database, table));
    } finally {
      database.close();
    }
  });
  return [...new Set(lines)].toSorted();
}

function tablesOf(database: Database.Database): string[] {
  return database
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .pluck()
    .all();
}

function tableLines(database: Database.Database, table: string): string[] {
  const rows = database
    .prepare<[], Readonly<Record<string, unknown>>>(`SELECT * FROM "${table}"`)
    .all();
  return rows.flatMap((row) => {
    const { kind, key, name, value, ...others } = row;
    if (table === 'records') return recordLines(String(kind), String(key), String(value));
    if (typeof name === 'string' && value !== undefined && Object.keys(others).length === 0)
      return [`row "${name}" of ${table}`].concat(jsonLines(`row "${name}" of ${table}`, value));
    return Object.entries(row).flatMap(([column, each]) => jsonLines(`${table}.${column}`, each));
  });
}

/**
 * Lists the contents of a record. A record of the kind `meta` is a string, usually JSON, that the
 * program reads by key.
 */
function recordLines(kind: string, key: string, value: string): string[] {
  const place = kind === 'meta' ? `row "${key}" of meta` : `record "${kind}"`;
  return [place].concat(jsonLines(place, kind === 'meta' ? JSON.parse(value) : value));
}

function jsonLines(place: string, value: unknown): string[] {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return [];
  return memberNames(JSON.parse(value)).map((path) => `${place}: ${path}`);
}
