/** Tests of how the changes held for review are grouped by folder, with their sizes. */

import { join } from 'node:path';

import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';

import { HeldChanges } from '../../../src/mirror/state/held-changes.ts';
import { MOST_GROUPS } from '../../../src/mirror/state/held-groups.ts';
import { migrate } from '../../../src/mirror/state/state-schema.ts';
import { openStateFile } from '../../../src/mirror/state/state-file.ts';
import type { StateFile } from '../../../src/mirror/state/state-file.ts';
import { baselineOf, entry } from '../../helpers/plan-cells.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const HEAD = { etag: 'etag' };

function openState(): StateFile {
  const state = openStateFile(join(temporaryFolder(), 'state.sqlite'));
  onTestFinished(() => state.close());
  return state;
}

function holdDeletes(state: StateFile, sizes: Readonly<Record<string, number>>): void {
  const rows = Object.entries(sizes).map(([key, sizeBytes]) => {
    return { key, baseline: baselineOf(entry(key), { sizeBytes }) };
  });
  state.settle(rows);
  for (const { key } of rows) state.heldChanges.holdDelete(key, HEAD);
}

test('the state database groups held changes by the folders below their common folder', () => {
  const state = openState();
  holdDeletes(state, {
    'a/😀/b/c/1': 10,
    'a/😀/b/2': 20,
    'a/😀/x': 40,
    'a/😀/y/3': 80,
    'a/😀/z': 5,
  });
  const renamed = { key: 'a/😀/y/4', entry: entry('a/😀/y/4', { sizeBytes: 7 }), sha256: 's' };
  state.heldChanges.holdOverwrite({ ...renamed, why: 'w', head: HEAD, movedFrom: 'old' });
  const none = { overwrites: 0, renames: 0 };
  expect(state.heldChanges.groups()).toEqual([
    { folder: 'a/😀/', isDirect: true, deletes: 2, ...none, bytes: 45 },
    { folder: 'a/😀/b/', isDirect: false, deletes: 2, ...none, bytes: 30 },
    { folder: 'a/😀/y/', isDirect: false, deletes: 1, overwrites: 0, renames: 1, bytes: 87 },
  ]);
});

test('the state database lists the held changes of one group in pages, with the size of each', () => {
  const state = openState();
  holdDeletes(state, { a: 1, 'a/b': 2, 'a/c/d': 4, a0: 8, b: 16 });
  const pathsOf = (folder: string, isDirect: boolean, after = '', limit = 9) =>
    state.heldChanges
      .page(after, limit, { folder, isDirect })
      .changes.map(({ path, bytes }) => [path, bytes]);
  expect(pathsOf('a/', false)).toEqual([
    ['a/b', 2],
    ['a/c/d', 4],
  ]);
  expect(pathsOf('', true)).toEqual([
    ['a', 1],
    ['a0', 8],
    ['b', 16],
  ]);
  expect(state.heldChanges.page('', 2, { folder: '', isDirect: true })).toMatchObject({
    total: 5,
    next: 'a0',
  });
  expect(pathsOf('', true, 'a0')).toEqual([['b', 16]]);
});

test('the state database returns one group if the held changes are in too many folders', () => {
  const db = new Database(':memory:');
  onTestFinished(() => void db.close());
  migrate(db, ':memory:');
  const held = new HeldChanges(db);
  const deletes = MOST_GROUPS + 1;
  for (let index = 0; index < deletes; index += 1) held.holdDelete(`d/${index}/f`, HEAD);
  const none = { overwrites: 0, renames: 0, bytes: 0 };
  expect(held.groups()).toEqual([{ folder: 'd/', isDirect: false, deletes, ...none }]);
});

test('the state database returns no group if no change is held', () => {
  expect(openState().heldChanges.groups()).toEqual([]);
});
