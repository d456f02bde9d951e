/** Tests of key look-ups from memory, and of the lock that keeps other processes from changing the identities. */

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

/** Opens keys on a database that adds each statement that SQLite runs to `statements`. */
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

describe('lookups from memory', () => {
  test('a second lookup of a key runs no SQL statement', () => {
    const { keys, statements } = tracedKeys();
    const first = keys.findKey(ANN_KEY);
    expect(first).toMatchObject({ accessKeyId: ANN_KEY });
    expect(statements).not.toEqual([]);
    statements.length = 0;
    expect(keys.findKey(ANN_KEY)).toEqual(first);
    expect(statements).toEqual([]);
  });

  test('after one lookup of an unknown key, lookups of ten thousand others run no SQL statement', () => {
    const { keys, statements } = tracedKeys();
    keys.findKey('unknown');
    statements.length = 0;
    for (let n = 0; n < 10_000; n += 1) expect(keys.findKey(`unknown-${n}`)).toBeUndefined();
    expect(statements).toEqual([]);
  });

  test('repeated lookups of a key whose grace period has ended run no SQL statement after the first', () => {
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

describe('the next lookup after an acknowledged change', () => {
  const ENDED: [string, Change][] = [
    ['its removal', ({ keys }) => keys.removeKey(ANN_KEY)],
    ['its rotation', ({ keys }) => void keys.rotateKey({ accessKeyId: ANN_KEY, graceMs: 0 })],
    ['its user was disabled', ({ users }) => users.disableUser(ANN, true)],
    ['its user was removed', ({ users }) => users.removeUser(ANN)],
    ['its project was removed', ({ projects }) => projects.removeProject(ANN)],
  ];

  test.for(ENDED)('the next lookup of a key fails after %s', ([, change]) => {
    const { identity } = withAnn();
    change(identity);
    expect(identity.keys.findKey(ANN_KEY)).toBeUndefined();
  });

  test('the next lookup finds a key after its user was enabled again', () => {
    const { identity } = withAnn();
    identity.users.disableUser(ANN, true);
    expect(identity.keys.findKey(ANN_KEY)).toBeUndefined();
    identity.users.disableUser(ANN, false);
    expect(identity.keys.findKey(ANN_KEY)).toBeDefined();
  });

  test('the next lookup finds an added key that was unknown before', () => {
    const { identity } = withAnn();
    expect(identity.keys.findKey('photos:grace@acme')).toBeUndefined();
    newUser(identity, { ...ANN, user: 'grace' });
    expect(identity.keys.findKey('photos:grace@acme')).toBeDefined();
  });

  test('the next lookup of a key returns full access that its user or a group has just gained or lost', () => {
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

  test('a lookup of a key fails from the moment when its grace period ends', () => {
    const { identity, clock } = withAnn();
    identity.keys.rotateKey({ accessKeyId: ANN_KEY, graceMs: DAY });
    clock.advance(DAY - 1);
    expect(identity.keys.findKey(ANN_KEY)).toBeDefined();
    clock.advance(1);
    expect(identity.keys.findKey(ANN_KEY)).toBeUndefined();
  });

  test('a lookup finds the same key after a refused change', () => {
    const { identity } = withAnn();
    const key = identity.keys.findKey(ANN_KEY);
    expect(() => identity.keys.removeKey('unknown')).toThrow(/unknown/);
    expect(identity.keys.findKey(ANN_KEY)).toEqual(key);
  });
});

describe('a sole writer', () => {
  /** Opens the file as another process would, without waiting for locks. */
  function otherProcess(path: string) {
    const database = new Database(path, { timeout: 0 });
    onTestFinished(() => void database.close());
    return database;
  }

  test('a sole writer keeps other processes from changing the identities, also after its own changes', () => {
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

  test('other processes can open, read and copy the identities of a sole writer', () => {
    const { identity, path } = withAnn();
    const other = new IdentityDatabase(openIdentityFile(path), new FakeClock());
    onTestFinished(() => other.close());
    expect(new Keys(other).listKeys()).toEqual(identity.keys.listKeys());
    const copy = newPath();
    otherProcess(path).prepare('VACUUM INTO ?').run(copy);
    expect(open({ path: copy }).identity.keys.listKeys()).toEqual(identity.keys.listKeys());
  });

  test('a change by another process is refused with a hint to repeat the command', () => {
    const { path, clock } = withAnn();
    const other = new IdentityDatabase(otherProcess(path), clock);
    expect(() => new Keys(other).removeKey(ANN_KEY)).toThrow(
      expect.objectContaining({
        code: 'Conflict',
        hint: expect.stringContaining('again') as string,
      }),
    );
  });

  test('a sole writer that could not lock the file again still reads the changes of another process', () => {
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

  test('the secret of a key that a sole writer removed is erased from the file', () => {
    const { identity, path } = withAnn();
    const secret = identity.keys.findKey(ANN_KEY)?.secretAccessKey ?? '';
    expect(secret).toHaveLength(40);
    identity.keys.removeKey(ANN_KEY);
    identity.close();
    expect(readFileSync(path).includes(secret)).toBe(false);
  });
});
