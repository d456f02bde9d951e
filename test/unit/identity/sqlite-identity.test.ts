import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';

import { openSqliteIdentity } from '../../../src/identity/sqlite-identity.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

function open(path: string) {
  const identity = openSqliteIdentity({ path, clock: new FakeClock() });
  onTestFinished(() => identity.close());
  return identity;
}

const newPath = () => join(temporaryFolder('identity'), 'identity.sqlite');

test('the first user has one key, with full access and a secret of 40 characters', () => {
  const key = open(newPath()).ensureFirstUser({ user: 'ada' });
  expect(key.accessKeyId).toBe('holdfast:ada@local');
  expect(key.secretAccessKey).toMatch(/^[A-Za-z0-9_-]{40}$/);
  expect(key.principal).toEqual({
    kind: 'user',
    project: 'holdfast',
    user: 'ada',
    customer: 'local',
    fullAccess: true,
  });
});

test('the key is the same ever after, also in a new process', () => {
  const path = newPath();
  const first = open(path).ensureFirstUser({ user: 'ada' });
  expect(open(path).ensureFirstUser({ user: 'ada' })).toEqual(first);
  expect(open(path).findKey('holdfast:ada@local')).toEqual(first);
});

test('two users have secrets of their own', () => {
  const identity = open(newPath());
  const ada = identity.ensureFirstUser({ user: 'ada' });
  const grace = identity.ensureFirstUser({ user: 'grace' });
  expect(grace.secretAccessKey).not.toBe(ada.secretAccessKey);
  expect(grace.principal.customer).toBe(ada.principal.customer);
});

test('an unknown key is undefined', () => {
  expect(open(newPath()).findKey('holdfast:nobody@local')).toBeUndefined();
});

test('a secret that another process rotated is seen on the next request', () => {
  const path = newPath();
  const identity = open(path);
  identity.ensureFirstUser({ user: 'ada' });
  const other = new Database(path);
  onTestFinished(() => void other.close());
  const rotated = 'r'.repeat(40);
  other.prepare('UPDATE access_key SET secret = ?').run(rotated);
  expect(identity.findKey('holdfast:ada@local')?.secretAccessKey).toBe(rotated);
});

test('the file and its journal are readable by their owner alone, also when they were not', () => {
  const path = newPath();
  open(path).ensureFirstUser({ user: 'ada' });
  chmodSync(path, 0o644);
  open(path);
  for (const name of [path, `${path}-wal`]) expect(statSync(name).mode & 0o777).toBe(0o600);
});

test('a file of a later version is refused by name', () => {
  const path = newPath();
  const later = new Database(path);
  later.pragma('user_version = 99');
  later.close();
  expect(() => open(path)).toThrow(/version 99/);
});

test.for(['', 'x'.repeat(65)])('a user name of %j is refused', (user) => {
  expect(() => open(newPath()).ensureFirstUser({ user })).toThrow(/CHECK/);
});
