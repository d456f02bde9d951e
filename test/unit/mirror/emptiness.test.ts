import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';

import { Emptiness } from '../../../src/mirror/state/emptiness.ts';

describe('whether a table is empty', () => {
  it('is known from the start until a row is to be written', () => {
    const emptiness = new Emptiness(withTable(), 'things');
    expect(emptiness.isCertain).toBe(true);
    emptiness.end();
    expect(emptiness.isCertain).toBe(false);
  });

  it('is not claimed of one that had rows at the start, whatever becomes of them', () => {
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
