/** Tests of the table in the job's state database that stores small records of all kinds. */

import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';

import { type Records, RecordsTable } from '../../../src/mirror/state/records.ts';
import { migrate } from '../../../src/mirror/state/state-schema.ts';

function emptyTable(): RecordsTable {
  const db = new Database(':memory:');
  onTestFinished(() => void db.close());
  migrate(db, 'state');
  return new RecordsTable(db);
}

const keysOf = (found: ReturnType<Records<unknown>['all']>) =>
  found.map(({ key, part }) => (part ? `${key} ${part}` : key));

describe('the records table of the state database', () => {
  test('the records table stores one value for each kind, key and part', () => {
    const table = emptyTable();
    const versions = table.of<string>('version_time');
    versions.put({ key: 'f', part: 'v1' }, 'first');
    versions.put({ key: 'f', part: 'v2' }, 'second');
    versions.put({ key: 'f', part: 'v1' }, 'replaced');
    table.of<string>('anomaly').put({ key: 'f', part: 'v1' }, 'another kind');
    expect(versions.get({ key: 'f', part: 'v1' })).toBe('replaced');
    expect(versions.get({ key: 'f' })).toBeUndefined();
    expect(keysOf(versions.all())).toEqual(['f v1', 'f v2']);
    expect(versions.drop({ key: 'f', part: 'v1' })).toBe(true);
    expect(versions.drop({ key: 'f', part: 'v1' })).toBe(false);
    expect(table.of('anomaly').has({ key: 'f', part: 'v1' })).toBe(true);
  });

  test('the records table lists records in the byte order of their keys, then by part, and continues a listing after any key', () => {
    const records = emptyTable().of<true>('foreign_version');
    for (const key of ['b', 'a', 'ä', 'a/b']) records.put({ key, part: '1' }, true);
    records.put({ key: 'a', part: '0' }, true);
    expect(keysOf(records.all())).toEqual(['a 0', 'a 1', 'a/b 1', 'b 1', 'ä 1']);
    expect(keysOf(records.after({ key: 'a', part: '0' }, 2))).toEqual(['a 1', 'a/b 1']);
    expect(keysOf(records.after({ key: 'b' }, 10))).toEqual(['b 1', 'ä 1']);
    expect(records.keysAmong(['a', 'b', 'c'])).toEqual(new Set(['a', 'b']));
  });

  test('the records table lists records by their sort key if they have a sort key', () => {
    const records = emptyTable().of<string>('recent_version');
    records.put({ key: 'late' }, 'late', 30);
    records.put({ key: 'early' }, 'early', 10);
    records.put({ key: 'middle' }, 'middle', 20);
    expect(keysOf(records.earliest())).toEqual(['early', 'middle', 'late']);
    expect(keysOf(records.earliest(20))).toEqual(['early', 'middle']);
    expect(keysOf(records.earliest(30, 1))).toEqual(['early']);
    expect(records.range()).toEqual({ first: 10, last: 30, count: 3 });
    expect(records.range(11)).toEqual({ first: 20, last: 30, count: 2 });
    expect(records.range(31)).toEqual({ count: 0 });
    records.dropBefore(20);
    expect(keysOf(records.all())).toEqual(['late', 'middle']);
    records.dropAll();
    expect(records.all()).toEqual([]);
  });

  test('the records table does not query the database for a kind of record that was never stored', () => {
    const table = emptyTable();
    const empty = table.of<true>('foreign_version');
    const filled = table.of<true>('forgotten_file');
    filled.put({ key: 'f' }, true);
    table.db.close();
    expect([empty.get({ key: 'f' }), empty.all(), empty.range()]).toEqual([
      undefined,
      [],
      { count: 0 },
    ]);
    expect(() => filled.get({ key: 'f' })).toThrow('not open');
  });
});
