/** Translates the errors of all statements of a database connection. */

import type Database from 'better-sqlite3';

/** Changes `database` so that its statements throw the result of `translate` instead of the original error. */
export function watchErrors(
  database: Database.Database,
  translate: (error: unknown) => unknown,
): Database.Database {
  const translated = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw translate(error);
    }
  };
  const prepare = database.prepare.bind(database);
  database.prepare = ((sql: string) =>
    watchStatement(
      translated(() => prepare(sql)),
      translated,
    )) as typeof prepare;
  return database;
}

type Translated = <T>(work: () => T) => T;

function watchStatement(statement: Database.Statement, translated: Translated): Database.Statement {
  const get = statement.get.bind(statement);
  const all = statement.all.bind(statement);
  const run = statement.run.bind(statement);
  const iterate = statement.iterate.bind(statement);
  statement.get = (...values) => translated(() => get(...values));
  statement.all = (...values) => translated(() => all(...values));
  statement.run = (...values) => translated(() => run(...values));
  statement.iterate = (...values) =>
    watchRows(
      translated(() => iterate(...values)),
      translated,
    );
  return statement;
}

function* watchRows(
  rows: IterableIterator<unknown>,
  translated: Translated,
): IterableIterator<unknown> {
  try {
    for (;;) {
      const next = translated(() => rows.next());
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    rows.return?.();
  }
}
