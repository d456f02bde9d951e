/**
 * Tests of durable commits to the job's SQLite database. Each commit is synced to disk before it
 * resolves, and concurrent commits share a sync.
 */

import { statSync } from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';

import { Commits } from '../../../src/mirror/state/commits.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

/** Opens a database with a sync function whose calls stay pending until the test resolves them. */
function openCommits(journalMode: 'wal' | 'delete') {
  const path = join(temporaryFolder(), 'state.sqlite');
  const db = new Database(path);
  db.pragma(`journal_mode = ${journalMode}`);
  db.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY)');
  const syncs: PromiseWithResolvers<void>[] = [];
  const commits = new Commits(db, () => {
    const sync = Promise.withResolvers<void>();
    syncs.push(sync);
    return sync.promise;
  });
  onTestFinished(() => {
    commits.close();
    db.close();
  });
  const add = db.prepare('INSERT INTO rows DEFAULT VALUES');
  const count = () => db.prepare('SELECT count(*) FROM rows').pluck().get();
  return { path, commits, syncs, insert: () => void add.run(), count };
}

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));

test('the state database writes a durable commit to the write-ahead log at once and resolves after the log is synced to disk', async () => {
  const { path, commits, syncs, insert } = openCommits('wal');
  const before = statSync(`${path}-wal`).size;
  let isOver = false;
  const durable = commits.durably(insert).then(() => (isOver = true));
  await turn();
  expect([syncs.length, isOver, statSync(`${path}-wal`).size > before]).toEqual([1, false, true]);
  syncs[0]?.resolve();
  await durable;
});

test('the state database shares one disk sync among all commits that arrive during the previous sync', async () => {
  const { commits, syncs, insert, count } = openCommits('wal');
  const first = commits.durably(insert);
  await turn();
  const others = [commits.durably(insert), commits.durably(insert)];
  await turn();
  expect([syncs.length, count()]).toEqual([1, 3]);
  syncs[0]?.resolve();
  await first;
  await turn();
  syncs[1]?.resolve();
  await Promise.all(others);
  expect(syncs).toHaveLength(2);
});

test('the state database rejects a durable commit if the disk sync fails', async () => {
  const { commits, syncs, insert } = openCommits('wal');
  const [settled] = await Promise.all([
    Promise.allSettled([commits.durably(insert)]),
    turn().then(() => syncs[0]?.reject(new Error('disk'))),
  ]);
  expect(settled).toMatchObject([{ status: 'rejected', reason: { message: 'disk' } }]);
});

test('the state database rolls back a commit whose function throws, without a disk sync', async () => {
  const { commits, syncs, insert, count } = openCommits('wal');
  const broken = commits.durably(() => {
    insert();
    throw new Error('no');
  });
  await expect(broken).rejects.toThrow('no');
  expect([syncs.length, count()]).toEqual([0, 0]);
});

test('the state database leaves the disk sync to SQLite if the database has no write-ahead log', async () => {
  const { commits, syncs, insert, count } = openCommits('delete');
  await commits.durably(insert);
  expect([syncs.length, count()]).toEqual([0, 1]);
});
