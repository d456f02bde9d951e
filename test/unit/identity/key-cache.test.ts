/**
 * Tests of the in-memory cache of access keys, and of the lock that prevents other processes from
 * changing users and keys.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';

import { IdentityDatabase } from '../../../src/identity/identity-database.ts';
import { openIdentityFile } from '../../../src/identity/identity-file.ts';
import { Keys } from '../../../src/identity/keys.ts';
import { openSqliteIdentity, type SqliteIdentity } from '../../../src/identity/sqlite-identity.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { newUser } from '../../helpers/new-user.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const DAY = 86_400_000;
const ANN = { user: 'ann', project: 'photos', customer: 'acme' };
const ADMINS = { group: 'admins', project: 'photos', customer: 'acme' };
const ANN_KEY = 'photos:ann@acme';

const newPath = () => join(temporaryFolder('key-cache'), 'identity.sqlite');

function open({ path = newPath(), clock = new FakeClock(), soleWriter = true } = {}) {
  const identity = openSqliteIdentity({ path, clock, soleWriter });
  onTestFinished(() => identity.close());
  return { identity, path, clock };
}

/** Opens a database with ann, whose key has been looked up, and with another user who has full access. */
function withAnn() {
  const opened = open();
  newUser(opened.identity, { ...ANN, user: 'owner', fullAccess: true });
  newUser(opened.identity, ANN);
  expect(opened.identity.keys.findKey(ANN_KEY)).toBeDefined();
  return opened;
}

/** Opens access keys on a database that adds each statement that SQLite runs to `statements`. */
function tracedKeys() {
  const path = newPath();
  const { identity, clock } = open({ path, soleWriter: false });
  newUser(identity, ANN);
  identity.close();
  const statements: string[] = [];
  const file = new Database(path, { verbose: (sql) => void statements.push(String(sql)) });
  const database = new IdentityDatabase(file, clock, { soleWriter: true });
  onTestFinished(() => database.close());
  return { keys: new Keys(database), clock, statements };
}

describe('access key lookups from memory', () => {
  test('the identity database runs no SQL statement for the second lookup of an access key', () => {
    const { keys, statements } = tracedKeys();
    const first = keys.findKey(ANN_KEY);
    expect(first).toMatchObject({ accessKeyId: ANN_KEY });
    expect(statements).not.toEqual([]);
    statements.length = 0;
    expect(keys.findKey(ANN_KEY)).toEqual(first);
    expect(statements).toEqual([]);
  });

  test('the identity database runs no SQL statement for lookups of ten thousand unknown access keys after the first', () => {
    const { keys, statements } = tracedKeys();
    keys.findKey('unknown');
    statements.length = 0;
    for (let n = 0; n < 10_000; n += 1) expect(keys.findKey(`unknown-${n}`)).toBeUndefined();
    expect(statements).toEqual([]);
  });

  test('the identity database runs no SQL statement for repeated lookups of an access key whose grace period has ended', () => {
    const { keys, clock, statements } = tracedKeys();
    keys.rotateKey({ accessKeyId: ANN_KEY, graceMs: DAY });
    expect(keys.findKey(ANN_KEY)).toBeDefined();
    clock.advance(DAY);
    expect(keys.findKey(ANN_KEY)).toBeUndefined();
    statements.length = 0;
    expect(keys.findKey(ANN_KEY)).toBeUndefined();
    expect(statements).toEqual([]);
  });
});

type Change = (identity: SqliteIdentity) => void;

describe('the first access key lookup after a change', () => {
  const ENDED: [string, Change][] = [
    ['it was removed', ({ keys }) => keys.removeKey(ANN_KEY)],
    ['it was rotated', ({ keys }) => void keys.rotateKey({ accessKeyId: ANN_KEY, graceMs: 0 })],
    ['its user was disabled', ({ users }) => users.disableUser(ANN, true)],
    ['its user was removed', ({ users }) => users.removeUser(ANN)],
    ['its project was removed', ({ projects }) => projects.removeProject(ANN)],
  ];

  test.for(ENDED)('the identity database finds no access key after %s', ([, change]) => {
    const { identity } = withAnn();
    change(identity);
    expect(identity.keys.findKey(ANN_KEY)).toBeUndefined();
  });

  test('the identity database finds an access key again after its user was enabled', () => {
    const { identity } = withAnn();
    identity.users.disableUser(ANN, true);
    expect(identity.keys.findKey(ANN_KEY)).toBeUndefined();
    identity.users.disableUser(ANN, false);
    expect(identity.keys.findKey(ANN_KEY)).toBeDefined();
  });

  test('the identity database finds a new access key whose id was unknown before', () => {
    const { identity } = withAnn();
    expect(identity.keys.findKey('photos:grace@acme')).toBeUndefined();
    newUser(identity, { ...ANN, user: 'grace' });
    expect(identity.keys.findKey('photos:grace@acme')).toBeDefined();
  });

  test('the identity database returns full access that the user of a key or a group has just gained or lost', () => {
    const { identity } = withAnn();
    const steps: [Change, boolean][] = [
      [({ users }) => users.grantFullAccess(ANN, true), true],
      [({ users }) => users.grantFullAccess(ANN, false), false],
      [({ groups }) => groups.addGroup({ ...ADMINS, fullAccess: true }), false],
      [({ groups }) => groups.setMember(ADMINS, ANN.user, true), true],
      [({ groups }) => groups.grantGroup(ADMINS, false), false],
      [({ groups }) => groups.grantGroup(ADMINS, true), true],
      [({ groups }) => groups.setMember(ADMINS, ANN.user, false), false],
      [({ groups }) => groups.setMember(ADMINS, ANN.user, true), true],
      [({ groups }) => groups.removeGroup(ADMINS), false],
    ];
    const seen = steps.map(([change]) => {
      change(identity);
      return identity.keys.findKey(ANN_KEY)?.principal.fullAccess;
    });
    expect(seen).toEqual(steps.map(([, fullAccess]) => fullAccess));
  });

  test('the identity database finds no access key from the moment at which its grace period ends', () => {
    const { identity, clock } = withAnn();
    identity.keys.rotateKey({ accessKeyId: ANN_KEY, graceMs: DAY });
    clock.advance(DAY - 1);
    expect(identity.keys.findKey(ANN_KEY)).toBeDefined();
    clock.advance(1);
    expect(identity.keys.findKey(ANN_KEY)).toBeUndefined();
  });

  test('the identity database finds the same access key after a refused change', () => {
    const { identity } = withAnn();
    const key = identity.keys.findKey(ANN_KEY);
    expect(() => identity.keys.removeKey('unknown')).toThrow(/unknown/);
    expect(identity.keys.findKey(ANN_KEY)).toEqual(key);
  });
});

describe('one process that locks the identity database for writing', () => {
  /** Opens the database file as another process would, without waiting for locks. */
  function otherProcess(path: string) {
    const database = new Database(path, { timeout: 0 });
    onTestFinished(() => void database.close());
    return database;
  }

  test('the identity database prevents other processes from changing users and keys, also after its own changes', () => {
    const { identity, path } = withAnn();
    const other = otherProcess(path);
    const remove = () => other.exec('DELETE FROM access_key');
    expect(remove).toThrow(expect.objectContaining({ code: 'SQLITE_BUSY' }));
    identity.users.disableUser(ANN, true);
    expect(() => identity.keys.removeKey('unknown')).toThrow(/unknown/);
    expect(remove).toThrow(expect.objectContaining({ code: 'SQLITE_BUSY' }));
    identity.close();
    remove();
  });

  test('other processes can open, read and copy the identity database', () => {
    const { identity, path } = withAnn();
    const other = new IdentityDatabase(openIdentityFile(path), new FakeClock());
    onTestFinished(() => other.close());
    expect(new Keys(other).listKeys()).toEqual(identity.keys.listKeys());
    const copy = newPath();
    otherProcess(path).prepare('VACUUM INTO ?').run(copy);
    expect(open({ path: copy }).identity.keys.listKeys()).toEqual(identity.keys.listKeys());
  });

  test('the identity database refuses a change by another process and suggests repeating the command', () => {
    const { path, clock } = withAnn();
    const other = new IdentityDatabase(otherProcess(path), clock);
    expect(() => new Keys(other).removeKey(ANN_KEY)).toThrow(
      expect.objectContaining({
        code: 'Conflict',
        hint: expect.stringContaining('again') as string,
      }),
    );
  });

  test('the identity database reads the changes of another process if it could not lock the file again', () => {
    const path = newPath();
    const { identity: first, clock } = open({ path, soleWriter: false });
    newUser(first, ANN);
    const file = new Database(path, { timeout: 0 });
    const database = new IdentityDatabase(file, clock, { soleWriter: true });
    onTestFinished(() => database.close());
    const keys = new Keys(database);
    const other = otherProcess(path);
    const exec = file.exec.bind(file);
    file.exec = (sql) => {
      if (sql === 'BEGIN IMMEDIATE') other.exec(sql);
      return exec(sql);
    };
    keys.addKey(ANN);
    expect(keys.findKey(ANN_KEY)).toBeDefined();
    other.exec('DELETE FROM access_key');
    other.exec('COMMIT');
    expect(keys.findKey(ANN_KEY)).toBeUndefined();
    file.exec = exec;
    expect(() => keys.removeKey('unknown')).toThrow(/unknown/);
    expect(() => other.exec('DELETE FROM access_key')).toThrow(/locked/);
  });

  test('the identity database erases the secret of a removed access key from the file', () => {
    const { identity, path } = withAnn();
    const secret = identity.keys.findKey(ANN_KEY)?.secretAccessKey ?? '';
    expect(secret).toHaveLength(40);
    identity.keys.removeKey(ANN_KEY);
    identity.close();
    expect(readFileSync(path).includes(secret)).toBe(false);
  });
});
