/** Tests of the record of whether a table of the state database is known to be empty. */

import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';

import { Emptiness } from '../../../src/mirror/state/emptiness.ts';

describe('the record of whether a table is empty', () => {
  it('knows that a new table is empty until a row is about to be written', () => {
    const emptiness = new Emptiness(withTable(), 'things');
    expect(emptiness.isCertain).toBe(true);
    emptiness.end();
    expect(emptiness.isCertain).toBe(false);
  });

  it('does not report a table as empty that had rows when it was opened, even after their deletion', () => {
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
