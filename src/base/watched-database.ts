/** The errors that statements of a database meet, heard in one place. */

import type Database from 'better-sqlite3';

/** From now on statements of `database` throw what `translate` returns for the error that they met. */
export function watchErrors(
  database: Database.Database,
  translate: (error: unknown) => unknown,
): Database.Database {
  const tried = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw translate(error);
    }
  };
  const prepare = database.prepare.bind(database);
  database.prepare = ((sql: string) =>
    watchStatement(
      tried(() => prepare(sql)),
      tried,
    )) as typeof prepare;
  return database;
}

type Tried = <T>(work: () => T) => T;

function watchStatement(statement: Database.Statement, tried: Tried): Database.Statement {
  const get = statement.get.bind(statement);
  const all = statement.all.bind(statement);
  const run = statement.run.bind(statement);
  const iterate = statement.iterate.bind(statement);
  statement.get = (...values) => tried(() => get(...values));
  statement.all = (...values) => tried(() => all(...values));
  statement.run = (...values) => tried(() => run(...values));
  statement.iterate = (...values) =>
    watchRows(
      tried(() => iterate(...values)),
      tried,
    );
  return statement;
}

function* watchRows(rows: IterableIterator<unknown>, tried: Tried): IterableIterator<unknown> {
  try {
    for (;;) {
      const next = tried(() => rows.next());
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    rows.return?.();
  }
}
