/** Tests of a job's SQLite state database, also after it is closed and opened again. */

import { statSync } from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';

import type { JournalRow } from '../../../src/mirror/state/journal-table.ts';
import { migrate, MIGRATIONS } from '../../../src/mirror/state/state-schema.ts';
import { openStateFile, type StateFile } from '../../../src/mirror/state/state-file.ts';
import type { BaselineEntry } from '../../../src/mirror/model/types.ts';
import { baselineOf, entry } from '../../helpers/plan-cells.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

function openState(path = join(temporaryFolder(), 'state.sqlite')) {
  let state = openStateFile(path);
  onTestFinished(() => state.close());
  const reopen = (): StateFile => {
    state.close();
    state = openStateFile(path);
    return state;
  };
  return { path, state, reopen };
}

function settle(state: StateFile, rows: Readonly<Record<string, BaselineEntry | 'drop'>>): void {
  state.settle(Object.entries(rows).map(([key, baseline]) => ({ key, baseline })));
}

function file(path: string, changes: Partial<BaselineEntry> = {}): BaselineEntry {
  return baselineOf(entry(path), changes);
}

function namesIn(state: StateFile, folder: string): readonly string[] {
  return [...state.baseline.folder(folder)].flat().map(({ name }) => name);
}

const PUT: JournalRow = {
  id: 'journal-1',
  key: 'a/f',
  operation: 'put',
  expected: 'theirs',
  sha256: 'content',
  entry: { ...entry('a/f'), retainUntil: 5, reprotectedAt: 4 },
  supersedes: { etag: 'theirs', versionId: 'v9' },
  startedAt: 3,
};

describe('the baseline (the state of each file at the last sync)', () => {
  test('the state database reads baseline rows back unchanged, also after the database is reopened', () => {
    const { state, reopen } = openState();
    const whole = file('a/f', { retainUntil: 5, reprotectedAt: 4, uploadedAt: 6 });
    const { versionId: _, ...unversioned } = file('g');
    const folder = { ...file('a', { sizeBytes: 0 }), kind: 'directory' as const };
    settle(state, { 'a/f': whole, g: unversioned, 'a/': folder });
    const again = reopen();
    expect(again.baseline.get('a/f')).toEqual(whole);
    expect(again.baseline.get('g')).toEqual(unversioned);
    expect(again.baseline.get('a/')).toEqual(folder);
    expect(again.baseline.get('a')).toBeUndefined();
  });

  test('the state database stores inodes and timestamps of files exactly', () => {
    const { state } = openState();
    const odd = file('f', { inode: 2 ** 63, mtimeMs: -1.5, ctimeMs: 1_763_000_000_123.456 });
    settle(state, { f: odd });
    expect(state.baseline.get('f')).toEqual(odd);
  });

  test('the state database keeps the totals of files and bytes correct after every change of the baseline', () => {
    const { state, reopen } = openState();
    const link = { ...file('l'), kind: 'symlink' as const };
    settle(state, { f: file('f', { sizeBytes: 5 }), g: file('g', { sizeBytes: 7 }), l: link });
    expect(state.baseline.totals()).toEqual({ files: 2, bytes: 12 });
    settle(state, { f: file('f', { sizeBytes: 1 }), g: 'drop', absent: 'drop' });
    expect(state.baseline.totals()).toEqual({ files: 1, bytes: 1 });
    settle(state, { f: { ...file('f'), kind: 'symlink' } });
    settle(state, { g: file('g', { sizeBytes: 4 }) });
    expect(reopen().baseline.totals()).toEqual({ files: 1, bytes: 4 });
  });

  test('the state database counts the files again if an earlier release stored no totals', () => {
    const newer = openState();
    settle(newer.state, { f: file('f', { sizeBytes: 5 }), g: file('g', { sizeBytes: 7 }) });
    const path = join(temporaryFolder(), 'state.sqlite');
    const db = new Database(path);
    const before = MIGRATIONS.findIndex((sql) => sql.includes('CREATE TABLE totals'));
    for (const sql of MIGRATIONS.slice(0, before)) db.exec(sql);
    db.pragma(`user_version = ${before}`);
    db.prepare('ATTACH ? AS newer').run(newer.path);
    const columns = db.prepare("SELECT name FROM pragma_table_info('baseline')").pluck().all();
    db.exec(`INSERT INTO baseline SELECT ${columns.join(', ')} FROM newer.baseline`);
    db.close();
    expect(openState(path).state.baseline.totals()).toEqual({ files: 2, bytes: 12 });
  });

  test('the state database lists all rows of a folder with 2,000 files once and in order', () => {
    const { state } = openState();
    const names = Array.from({ length: 2_000 }, (_, index) => `f${String(index).padStart(5, '0')}`);
    const rows = ['', ...names].map((name) => [`d/${name}`, file(`d/${name}`)] as const);
    settle(state, { ...Object.fromEntries(rows), 'd/e/f': file('d/e/f'), z: file('z') });
    expect(namesIn(state, 'd/')).toEqual(['', ...names]);
    expect(namesIn(state, 'c/')).toEqual([]);
  });

  test('the state database does not list keys that only start with the same characters as a folder', () => {
    const { state } = openState();
    const keys = ['a-', 'a/f', 'a/b/g', 'a/b/c/h', 'a0', 'a/bb/i', 'ab/j', 'z'];
    settle(state, Object.fromEntries(keys.map((key) => [key, file(key)])));
    expect(namesIn(state, '')).toEqual(['a-', 'a0', 'z']);
    expect([...state.baseline.foldersIn('')]).toEqual(['a/', 'ab/']);
    expect([...state.baseline.foldersIn('a/')]).toEqual(['a/b/', 'a/bb/']);
    expect([...state.baseline.keysBelow('a/b/')].sort()).toEqual(['a/b/c/h', 'a/b/g']);
  });

  test('the state database lists the keys of the baseline in byte order and in pages', () => {
    const { state } = openState();
    const keys = ['\u{1F600}', '\uFFEE', 'a/b', 'a-b', 'A'];
    settle(state, Object.fromEntries(keys.map((key) => [key, file(key)])));
    const bytewise = keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const pages = [state.baseline.headsAfter('', 3)];
    pages.push(state.baseline.headsAfter(pages[0]?.at(-1)?.key ?? '', 3));
    expect(pages.flat().map(({ key }) => key)).toEqual(bytewise);
  });

  test('the state database finds keys whose content is also stored under another key', () => {
    const { state } = openState();
    settle(state, {
      'old/f': file('old/f', { sha256: 'one' }),
      'new/f': file('new/f', { sha256: 'one' }),
      lost: file('lost', { sha256: 'two' }),
      empty: file('empty', { sha256: 'none', sizeBytes: 0 }),
      'empty too': file('empty too', { sha256: 'none', sizeBytes: 0 }),
    });
    const kept = state.baseline.keptElsewhere(['old/f', 'lost', 'empty']);
    expect([...kept]).toEqual(['old/f']);
  });
});

describe('the journal of unfinished requests', () => {
  test('the state database keeps a journal row until the outcome of its request is known, also after reopening', async () => {
    const { state, reopen } = openState();
    const removal: JournalRow = { id: 'j2', key: 'g', operation: 'delete', startedAt: 2 };
    await state.journal.begin([PUT, removal]);
    const again = reopen();
    expect(again.journal.unfinished()).toEqual([removal, PUT]);
    again.settle([
      { key: 'a/f', journalId: PUT.id, baseline: file('a/f') },
      { key: 'g', journalId: 'j2', baseline: 'keep' },
    ]);
    expect(reopen().journal.unfinished()).toEqual([]);
  });

  test('the state database writes a batch of journal rows completely or not at all', async () => {
    const { state } = openState();
    const broken = { ...PUT, id: 'j3', operation: 'move' as 'put' };
    await expect(state.journal.begin([PUT, broken])).rejects.toThrow(/CHECK/);
    expect(state.journal.unfinished()).toEqual([]);
  });

  test('the state database removes a journal row and updates the baseline in one transaction', async () => {
    const { state } = openState();
    await state.journal.begin([PUT]);
    const broken = { ...file('g'), kind: 'socket' as 'file' };
    expect(() =>
      state.settle([
        { key: 'a/f', journalId: PUT.id, baseline: file('a/f') },
        { key: 'g', baseline: broken },
      ]),
    ).toThrow(/CHECK/);
    expect(state.journal.unfinished()).toEqual([PUT]);
    expect(state.baseline.get('a/f')).toBeUndefined();
    expect(state.baseline.totals()).toEqual({ files: 0, bytes: 0 });
    state.settle([{ key: 'a/f', journalId: PUT.id, baseline: file('a/f') }]);
    expect(state.journal.unfinished()).toEqual([]);
  });
});

describe('the conflict log', () => {
  const covered = {
    id: PUT.id,
    side: 'bucket',
    etag: 'theirs',
    versionId: 'v9',
    sizeBytes: 6,
    at: 3,
  } as const;
  const settlement = {
    key: 'a/f',
    journalId: PUT.id,
    baseline: file('a/f'),
    replacedContent: covered,
  };

  test('the state database records each replaced version once in the conflict log, also after reopening', () => {
    const { state, reopen } = openState();
    state.settle([settlement]);
    state.settle([settlement, { ...settlement, replacedContent: { ...covered, id: 'again' } }]);
    state.settle([
      { ...settlement, replacedContent: { ...covered, id: 'other', versionId: 'v10' } },
    ]);
    const { conflicts } = reopen();
    expect(conflicts.countOpen()).toBe(2);
    expect(conflicts.of('a/f').map(({ id, versionId }) => [id, versionId])).toEqual([
      ['again', 'v9'],
      ['other', 'v10'],
    ]);
  });

  test('the state database keeps resolved conflicts in the log but does not count them as open', () => {
    const { state } = openState();
    const decided = { ...covered, id: 'j2', versionId: 'v10', resolution: 'local' } as const;
    state.settle([settlement, { ...settlement, replacedContent: decided }]);
    expect(state.conflicts.countOpen()).toBe(1);
    state.conflicts.requestResolution(PUT.id, 'both');
    expect(state.conflicts.requested()).toMatchObject([{ id: PUT.id, wish: 'both' }]);
    state.conflicts.resolve(PUT.id, 'both', 7);
    expect([state.conflicts.countOpen(), state.conflicts.requested()]).toEqual([0, []]);
    state.conflicts.requestResolution(PUT.id, 'local');
    expect(state.conflicts.requested()).toEqual([]);
    const start = { key: '', id: '' };
    expect(state.conflicts.page(start, 10)).toEqual([]);
    expect(state.conflicts.page(start, 10, true)).toMatchObject([
      { id: 'j2', resolution: 'local', resolvedAt: 3 },
      { id: PUT.id, resolution: 'both', resolvedAt: 7 },
    ]);
  });

  test('the state database migrates the conflicts that an earlier release recorded', () => {
    const path = join(temporaryFolder(), 'state.sqlite');
    const db = new Database(path);
    for (const sql of MIGRATIONS.slice(0, 4)) db.exec(sql);
    db.pragma('user_version = 4');
    db.exec("INSERT INTO superseded VALUES ('f', 'theirs', 'v2', 'j', 5)");
    db.close();
    const { state } = openState(path);
    expect(state.conflicts.of('f')).toEqual([
      { id: 'j', key: 'f', side: 'bucket', at: 5, etag: 'theirs', versionId: 'v2' },
    ]);
  });
});

test('the state database keeps held keys, metadata and counted deletes after reopening', () => {
  const { state, reopen } = openState();
  state.held.hold('f', entry('f'), 1);
  state.held.hold('g', entry('g'), 1);
  state.held.release('g');
  state.setMeta('name', 'one');
  state.setMeta('name', 'two');
  state.countedDeletes.add(['a', 'b', 'c'], 10);
  state.countedDeletes.add(['c', 'd'], 20);
  const again = reopen();
  expect([...again.held.keys()]).toEqual(['f']);
  expect(again.held.get('f')?.entry).toEqual(entry('f'));
  expect(again.held.get('g')).toBeUndefined();
  expect([again.meta('name'), again.meta('other')]).toEqual(['two', undefined]);
  const { countedDeletes } = again;
  expect([10, 11, 21].map((since) => countedDeletes.countSince(since))).toEqual([4, 1, 0]);
  expect([...countedDeletes.since(11)]).toEqual(['d']);
});

describe('the file of the state database', () => {
  test('the state database creates the state file with mode 0600', () => {
    expect(statSync(openState().path).mode & 0o777).toBe(0o600);
  });

  test('the state database refuses a state file that a later release wrote and does not change the file', () => {
    const { path, state } = openState();
    state.close();
    const db = new Database(path);
    db.pragma('user_version = 99');
    db.close();
    expect(() => openStateFile(path)).toThrow(
      /state\.sqlite: a later release of Holdfast wrote it/,
    );
  });

  test('the state database opens a state file of the first format and keeps its unfinished requests', () => {
    const path = join(temporaryFolder(), 'state.sqlite');
    const db = new Database(path);
    db.exec(MIGRATIONS[0] ?? '');
    db.pragma('user_version = 1');
    db.exec(`INSERT INTO journal VALUES ('j', 'f', 'put', NULL, 'sha', NULL, 'upload', 1)`);
    db.close();
    const { state } = openState(path);
    expect(state.journal.unfinished()).toEqual([
      { id: 'j', key: 'f', operation: 'put', sha256: 'sha', startedAt: 1 },
    ]);
    expect(state.uploads.all()).toMatchObject([
      { journalId: 'j', key: 'f', uploadId: 'upload', begunAt: 1, isResumable: false },
    ]);
  });

  test('the state database keeps the multipart uploads of a format 14 state file but does not resume them, because they have no proof', () => {
    const path = join(temporaryFolder(), 'state.sqlite');
    const db = new Database(path);
    for (const sql of MIGRATIONS.slice(0, 14)) db.exec(sql);
    db.pragma('user_version = 14');
    const begun = entry('f');
    const insert = db.prepare('INSERT INTO uploads VALUES (?, ?, ?, ?, ?, ?)');
    insert.run('f', 'upload', 'j', 'sha', JSON.stringify(begun), 5);
    db.exec(`INSERT INTO journal VALUES ('j', 'f', 'put', NULL, 'sha', NULL, 'upload', 5, NULL);
      INSERT INTO journal VALUES ('k', 'saved', 'put', NULL, 'sha', NULL, 'another', 6, NULL)`);
    db.close();
    const { state } = openState(path);
    const known = { sha256: 'sha', entry: begun, begunAt: 5, progressAt: 5 };
    const upload = { key: 'f', journalId: 'j', uploadId: 'upload', isResumable: false };
    expect(state.uploads.get('f')).toBeUndefined();
    expect(state.uploads.all()).toMatchObject([
      { ...upload, ...known },
      { key: 'saved', uploadId: 'another', isResumable: false },
    ]);
  });

  test('a state database is migrated only once', () => {
    const db = new Database(':memory:');
    onTestFinished(() => {
      db.close();
    });
    migrate(db, 'state');
    migrate(db, 'state');
    expect(db.pragma('user_version', { simple: true })).toBe(MIGRATIONS.length);
  });
});
