/** Tests of the in-memory flag for a database table that is known to be empty. The flag saves queries. */

import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';

import { Emptiness } from '../../../src/mirror/state/emptiness.ts';

describe('the flag that a database table is empty', () => {
  it('the flag reports a new table as empty until the first row is about to be written', () => {
    const emptiness = new Emptiness(withTable(), 'things');
    expect(emptiness.isCertain).toBe(true);
    emptiness.end();
    expect(emptiness.isCertain).toBe(false);
  });

  it('the flag does not report a table as empty if it had rows when it was opened, even after they are deleted', () => {
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
