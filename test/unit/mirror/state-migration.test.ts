/** Tests of migrating a state file of format 15 to the tables of held changes and records. */

import { join } from 'node:path';

import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';

import { rebuildState } from '../../../src/mirror/state/rebuild-state.ts';
import { migrate } from '../../../src/mirror/state/state-schema.ts';
import { openStateFile } from '../../../src/mirror/state/state-file.ts';
import { overwritePages, pagesOf } from '../../helpers/damaged-database.ts';
import { baselineOf, entry } from '../../helpers/plan-cells.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const HEAD = { etag: 'e', sizeBytes: 3, versionId: 'v' };
const REPLACED = { id: 'c', side: 'folder', at: 4, etag: 'e' } as const;
const DAMAGED = {
  key: 'damaged',
  versionId: '',
  reason: 'it differs',
  checkedAt: 17,
  isOfStore: true,
  sends: 1,
  state: 'sent',
} as const;

/** Creates a state file of format 15 with rows in each table that a later format replaced. */
function fileOfFormat15(): string {
  const path = join(temporaryFolder(), 'state.sqlite');
  const db = new Database(path);
  migrate(db, path, 15);
  const insert = (table: string, ...rows: readonly (readonly (string | number | null)[])[]) => {
    for (const row of rows)
      db.prepare(`INSERT INTO ${table} VALUES (${row.map(() => '?').join()})`).run(...row);
  };
  const json = JSON.stringify;
  db.exec('UPDATE totals SET files = 3, bytes = 9');
  insert('meta', ['root', 'text "quoted"'], ['of JSON', '{"a":null}']);
  insert(
    'held (key, entry, since, head, wish)',
    ['held', json(entry('held')), 5, json(HEAD), 'both'],
    ['unread', json(entry('unread')), 6, null, null],
  );
  insert(
    'takings (key, temporary, entry, gave_way)',
    ['old', 't1', json(entry('old')), json(REPLACED)],
    ['new', 't2', null, null],
  );
  insert(
    'signs (key, at, kind, other, why, etag, version_id)',
    ['beside', 7, 'beside', 'beside.enc', 'a copy', 'e', null],
    ['lost', 8, 'overwritten', null, 'random bytes', 'e', 'v'],
  );
  insert('counted_deletes (unit, at)', ['d1', 11], ['d2', 12]);
  insert('gone (key, entry)', ['gone', json(baselineOf(entry('gone')))]);
  insert('forgotten', ['forgotten']);
  insert('recent_versions', ['recent', 13]);
  insert('retained', ['saved', '', 14, 'saved'], ['saved', 'v', 15, 'older']);
  insert('others_versions', ['f', 'v9']);
  insert('version_times', ['f', 'v1', 16], ['f', 'v2', null]);
  insert(
    'damaged_versions',
    ['damaged', '', null, 'it differs', 17, 1, 1, 'sent'],
    ['damaged', 'v2', 'sha', 'it differs', 17, 1, 1, 'sent'],
  );
  insert('uploads', ['j', 'f', 'upload', 'sha', json(entry('f')), 18, 19, 20, 1]);
  insert('upload_parts', ['j', 10, 'e10'], ['j', 2, 'e2']);
  insert(
    'held_deletes (key, etag, version_id, approval)',
    ['a', 'e1', null, null],
    ['b', 'e2', 'v2', 'id'],
  );
  insert(
    'held_overwrites (key, entry, sha256, why, state, moved_from, etag, version_id)',
    ['a', json(entry('a')), 'sha', 'random', 'held', null, 'e1', null],
    ['c', json(entry('c')), 'sha', 'random', 'rejected', null, null, null],
    ['to', json(entry('to')), 'sha', 'renamed', 'held', 'from', 'e4', null],
  );
  db.close();
  return path;
}

function openMigrated() {
  const state = openStateFile(fileOfFormat15());
  onTestFinished(() => state.close());
  return state;
}

test('Holdfast migrates the rows of every small table of format 15 to records', () => {
  const state = openMigrated();
  expect(state.baseline.totals()).toEqual({ files: 3, bytes: 9 });
  expect([state.meta('root'), state.meta('of JSON')]).toEqual(['text "quoted"', '{"a":null}']);
  const held = { key: 'held', entry: entry('held'), since: 5, head: HEAD, wish: 'both' };
  expect(state.held.get('held')).toEqual(held);
  expect(state.held.requested().get('held')).toEqual(held);
  expect(state.held.get('unread')).toEqual({ key: 'unread', entry: entry('unread'), since: 6 });
  expect(state.held.conflictsAfter('', 10)).toEqual([held]);
  expect(state.held.countConflicts()).toBe(1);
  expect(state.replacements.all()).toEqual([
    { key: 'new', temporary: 't2' },
    { key: 'old', temporary: 't1', entry: entry('old'), replacedContent: REPLACED },
  ]);
  expect(state.anomalies.lost()).toEqual([
    { key: 'lost', at: 8, kind: 'overwritten', why: 'random bytes', etag: 'e', versionId: 'v' },
  ]);
  expect(state.anomalies.among(['beside'])).toEqual([
    { key: 'beside', at: 7, kind: 'beside', other: 'beside.enc', why: 'a copy', etag: 'e' },
  ]);
  expect(state.countedDeletes.firstSince(0)).toBe(11);
  expect([...state.countedDeletes.since(12)]).toEqual(['d2']);
  expect(state.recentlyDeleted.get('gone', baselineOf(entry('gone')).sha256)).toEqual(
    baselineOf(entry('gone')),
  );
  expect(state.forgotten.keysAmong(['forgotten', 'f'])).toEqual(new Set(['forgotten']));
  expect(state.recent.get({ key: 'recent' })).toBe(13);
  expect(state.retained.page(10)).toEqual([
    { key: 'saved', until: 14, what: 'saved' },
    { key: 'saved', versionId: 'v', until: 15, what: 'older' },
  ]);
  expect(state.foreignVersions.has({ key: 'f', part: 'v9' })).toBe(true);
  expect(state.versionTimes.get({ key: 'f', part: 'v1' })).toBe(16);
  expect(state.versionTimes.get({ key: 'f', part: 'v2' })).toBe('none');
  expect(state.damaged.all()).toEqual([DAMAGED, { ...DAMAGED, versionId: 'v2', sha256: 'sha' }]);
  expect(state.damaged.counts()).toEqual({ problems: 2, replaced: 0, sent: 2 });
  expect(state.uploads.etagsOf('j')).toEqual(
    new Map([
      [2, 'e2'],
      [10, 'e10'],
    ]),
  );
  state.uploads.end('j');
  expect(state.uploads.etagsOf('j').size).toBe(0);
});

test('Holdfast migrates the held changes of format 15 with their approvals, one for each key', () => {
  const state = openMigrated();
  expect(state.heldChanges.among(['a', 'b', 'c', 'from', 'to', 'no'])).toEqual(
    new Map([
      ['a', { change: 'delete', state: 'held', head: { etag: 'e1' } }],
      [
        'b',
        {
          change: 'delete',
          state: 'approved',
          head: { etag: 'e2', versionId: 'v2' },
          approval: 'id',
        },
      ],
      ['c', { change: 'overwrite', state: 'rejected', entry: entry('c'), sha256: 'sha' }],
      [
        'to',
        {
          change: 'overwrite',
          state: 'held',
          head: { etag: 'e4' },
          entry: entry('to'),
          sha256: 'sha',
        },
      ],
      ['from', { change: 'renamed away', state: 'held' }],
    ]),
  );
  expect(state.heldChanges.page('', 10)).toMatchObject({
    changes: [
      { path: 'a', change: 'delete' },
      { path: 'to', change: 'rename', why: 'renamed' },
    ],
    total: 2,
  });
  expect(state.heldChanges.counts()).toMatchObject({
    deletes: 1,
    overwrites: 0,
    renames: 1,
    rejected: 1,
  });
  expect(state.heldChanges.moves()).toEqual([{ key: 'to', entry: entry('to') }]);
});

test('a rebuild of a damaged state file of format 15 keeps the records that exist only in that file, but not the held deletes', () => {
  const path = fileOfFormat15();
  overwritePages(path, pagesOf(path, 'baseline'));
  rebuildState(path, Date.UTC(2026, 10, 23));
  const state = openStateFile(path);
  onTestFinished(() => state.close());
  expect([state.meta('root'), state.meta('of JSON')]).toEqual(['text "quoted"', undefined]);
  expect([...state.held.keys()]).toEqual(['held', 'unread']);
  expect(state.heldChanges.deletes()).toEqual([]);
  expect(state.heldChanges.overwrites()).toEqual(['a', 'to']);
  expect(state.heldChanges.counts().rejected).toBe(1);
  expect(state.forgotten.has({ key: 'forgotten' })).toBe(true);
  expect(state.anomalies.lost()).toHaveLength(1);
  expect(state.recentlyDeleted.get('gone', baselineOf(entry('gone')).sha256)).toBeDefined();
  expect(state.foreignVersions.has({ key: 'f', part: 'v9' })).toBe(true);
  expect(state.uploads.etagsOf('j').size).toBe(2);
  expect(state.retained.totals().versions).toBe(0);
  expect(JSON.parse(state.meta('rebuilt') ?? '')).toMatchObject({ lost: [] });
});
