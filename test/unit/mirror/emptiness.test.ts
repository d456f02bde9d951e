/** Tests of the in-memory flag for a database table that is known to be empty. The flag saves queries. */

import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';

import { Emptiness } from '../../../src/mirror/state/emptiness.ts';

describe('the flag that a database table is empty', () => {
  it('a new database table is flagged as empty until its first row is about to be written', () => {
    const emptiness = new Emptiness(withTable(), 'things');
    expect(emptiness.isCertain).toBe(true);
    emptiness.end();
    expect(emptiness.isCertain).toBe(false);
  });

  it('a database table that had rows when it was opened is not flagged as empty, even after the rows are deleted', () => {
    const db = withTable();
    db.exec('INSERT INTO things VALUES (1)');
    const emptiness = new Emptiness(db, 'things');
    db.exec('DELETE FROM things');
    expect(emptiness.isCertain).toBe(false);
  });
});

function withTable(): Database.Database {
  const db = new Database(':memory:');
  db.exec('CREATE TABLE things (id)');
  return db;
}
