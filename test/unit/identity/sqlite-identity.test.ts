import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';

import { MIGRATIONS } from '../../../src/identity/schema.ts';
import { openSqliteIdentity } from '../../../src/identity/sqlite-identity.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { newUser } from '../../helpers/new-user.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const DAY = 86_400_000;
const FIRST = 'holdfast:ada@local';
const ADA = { user: 'ada', project: 'holdfast', customer: 'local' };

function open(path: string, clock = new FakeClock()) {
  const identity = openSqliteIdentity({ path, clock });
  onTestFinished(() => identity.close());
  return identity;
}

const newPath = () => join(temporaryFolder('identity'), 'identity.sqlite');

/** Opens a new database with the first user and the key of that user. */
function withFirstUser(clock = new FakeClock()) {
  const path = newPath();
  const identity = open(path, clock);
  const principal = identity.ensureFirstUser({ user: 'ada' });
  return { path, clock, identity, principal };
}

const refusal = (code: string, hint?: string) =>
  expect.objectContaining(
    hint === undefined ? { code } : { code, hint: expect.stringContaining(hint) as string },
  );

describe('the first user', () => {
  test('the first user has one key with full access and a secret of 40 characters', () => {
    const { identity, principal } = withFirstUser();
    expect(identity.keys.findKey(FIRST)).toMatchObject({
      accessKeyId: FIRST,
      secretAccessKey: expect.stringMatching(/^[A-Za-z0-9_-]{40}$/) as string,
      principal,
    });
    expect(principal).toEqual({
      kind: 'user',
      project: 'holdfast',
      user: 'ada',
      customer: 'local',
      fullAccess: true,
    });
  });

  test('the first user keeps the same key in a new process', () => {
    const { path, identity } = withFirstUser();
    const first = identity.keys.findKey(FIRST);
    const again = open(path);
    again.ensureFirstUser({ user: 'ada' });
    expect(again.keys.findKey(FIRST)).toEqual(first);
    expect(again.keys.currentKey(ADA)).toEqual(first);
  });

  test('the first user gets no new key automatically after its key was removed', () => {
    const { path, identity } = withFirstUser();
    identity.keys.removeKey(FIRST);
    const again = open(path);
    again.ensureFirstUser({ user: 'ada' });
    expect(again.keys.listKeys()).toEqual([]);
    expect(again.keys.currentKey(ADA)).toBeUndefined();
  });

  test.for(['', 'x'.repeat(65)])('a first user named %j is refused', (user) => {
    expect(() => open(newPath()).ensureFirstUser({ user })).toThrow(/CHECK/);
  });
});

describe('added keys', () => {
  test('an added key is a second key of the same user', () => {
    const { identity, principal } = withFirstUser();
    const second = identity.keys.addKey(ADA);
    expect(second.accessKeyId).toMatch(/^holdfast:ada\+[0-9a-f]{10}@local$/);
    expect(identity.keys.findKey(second.accessKeyId)?.principal).toEqual(principal);
    expect(identity.keys.findKey(FIRST)?.principal).toEqual(principal);
  });

  test('adding a third active key is refused with an error that names a key that can be removed', () => {
    const { identity, clock } = withFirstUser();
    clock.advance(1);
    identity.keys.addKey(ADA);
    expect(() => identity.keys.addKey(ADA)).toThrow(refusal('Conflict', FIRST));
    expect(identity.keys.listKeys()).toHaveLength(2);
  });

  test('adding a key for an unknown user is refused', () => {
    const { identity } = withFirstUser();
    for (const names of [{ user: 'grace' }, { project: 'other' }, { customer: 'acme' }]) {
      expect(() => identity.keys.addKey({ ...ADA, ...names })).toThrow(refusal('NotFound', 'add'));
    }
    expect(identity.keys.listKeys()).toHaveLength(1);
  });
});

describe('rotated keys', () => {
  test('a rotated key works in addition to the new one until its grace period ends', () => {
    const { identity, clock, principal } = withFirstUser();
    const { key, old } = identity.keys.rotateKey({ accessKeyId: FIRST, graceMs: DAY });
    expect(old).toMatchObject({ accessKeyId: FIRST, expiresAt: clock.now() + DAY });
    expect(key.principal).toEqual(principal);
    expect(identity.keys.currentKey(ADA)).toMatchObject(key);
    clock.advance(DAY - 1);
    expect(identity.keys.findKey(FIRST)).toBeDefined();
    expect(identity.keys.listKeys()).toHaveLength(2);
    clock.advance(1);
    expect(identity.keys.findKey(FIRST)).toBeUndefined();
    expect(identity.keys.listKeys().map(({ accessKeyId }) => accessKeyId)).toEqual([
      key.accessKeyId,
    ]);
    expect(identity.keys.findKey(key.accessKeyId)).toBeDefined();
  });

  test('a key that is rotated without a grace period stops working at once', () => {
    const { identity } = withFirstUser();
    const { key } = identity.keys.rotateKey({ accessKeyId: FIRST, graceMs: 0 });
    expect(identity.keys.findKey(FIRST)).toBeUndefined();
    expect(identity.keys.findKey(key.accessKeyId)).toMatchObject(key);
  });

  test('a user with two active keys can rotate one of them only without a grace period', () => {
    const { identity } = withFirstUser();
    const { key } = identity.keys.rotateKey({ accessKeyId: FIRST, graceMs: DAY });
    const next = { accessKeyId: key.accessKeyId, graceMs: DAY };
    expect(() => identity.keys.rotateKey(next)).toThrow(refusal('Conflict', FIRST));
    identity.keys.rotateKey({ ...next, graceMs: 0 });
    expect(identity.keys.listKeys()).toHaveLength(2);
    expect(identity.keys.findKey(key.accessKeyId)).toBeUndefined();
  });

  test('a key cannot be rotated twice', () => {
    const { identity } = withFirstUser();
    identity.keys.rotateKey({ accessKeyId: FIRST, graceMs: DAY });
    expect(() => identity.keys.rotateKey({ accessKeyId: FIRST, graceMs: DAY })).toThrow(
      refusal('Conflict', 'list'),
    );
  });

  test('rotating an unknown or ended key is refused', () => {
    const { identity, clock } = withFirstUser();
    identity.keys.rotateKey({ accessKeyId: FIRST, graceMs: DAY });
    clock.advance(DAY);
    for (const accessKeyId of [FIRST, 'holdfast:nobody@local']) {
      const request = { accessKeyId, graceMs: DAY };
      expect(() => identity.keys.rotateKey(request)).toThrow(refusal('NotFound'));
      expect(() => identity.keys.removeKey(accessKeyId)).toThrow(refusal('NotFound'));
    }
  });

  test('the secret of an ended key is erased from the file by the next change', () => {
    const { identity, clock, path } = withFirstUser();
    const secret = identity.keys.findKey(FIRST)?.secretAccessKey ?? '';
    identity.keys.rotateKey({ accessKeyId: FIRST, graceMs: DAY });
    clock.advance(DAY);
    newUser(identity, { user: 'grace' });
    identity.close();
    expect(readFileSync(path).includes(secret)).toBe(false);
  });
});

test('key lists and change reports contain no secret', () => {
  const { identity } = withFirstUser();
  const { key, old } = identity.keys.rotateKey({ accessKeyId: FIRST, graceMs: DAY });
  for (const each of [key, old, ...identity.keys.listKeys()])
    expect(each).not.toHaveProperty('secretAccessKey');
});

test('looking up an unknown key returns undefined', () => {
  expect(open(newPath()).keys.findKey('holdfast:nobody@local')).toBeUndefined();
});

test('key changes by another process apply from the next request', () => {
  const { path, identity, clock } = withFirstUser();
  expect(identity.keys.findKey(FIRST)).toBeDefined();
  const other = open(path, clock);
  const { key } = other.keys.rotateKey({ accessKeyId: FIRST, graceMs: 0 });
  expect(identity.keys.findKey(FIRST)).toBeUndefined();
  expect(identity.keys.findKey(key.accessKeyId)).toMatchObject(key);
});

describe('the file', () => {
  test('the identity file and its journal get permissions for their owner only', () => {
    const { path } = withFirstUser();
    chmodSync(path, 0o644);
    open(path);
    for (const name of [path, `${path}-wal`]) expect(statSync(name).mode & 0o777).toBe(0o600);
  });

  test('an identity file of a newer Holdfast is refused with an error that names its format', () => {
    const path = newPath();
    const later = new Database(path);
    later.pragma('user_version = 99');
    later.close();
    expect(() => open(path)).toThrow(/format 99/);
  });

  test('an identity file of the first version keeps its keys', () => {
    const path = newPath();
    const before = new Database(path);
    before.exec(`${MIGRATIONS[0] ?? ''}
      INSERT INTO customer VALUES (1, 'local', 0);
      INSERT INTO project VALUES (1, 1, 'holdfast', 0);
      INSERT INTO user VALUES (1, 1, 'ada', 0);
      INSERT INTO membership VALUES (1, 1, 1);
      INSERT INTO access_key VALUES ('${FIRST}', 1, 1, '${'s'.repeat(40)}', 7);
      PRAGMA user_version = 1`);
    before.close();
    const identity = open(path);
    identity.ensureFirstUser({ user: 'ada' });
    expect(identity.keys.listKeys()).toEqual([
      {
        accessKeyId: FIRST,
        createdAt: 7,
        disabled: false,
        principal: expect.objectContaining({ ...ADA, fullAccess: true }) as unknown,
      },
    ]);
    expect(identity.keys.findKey(FIRST)?.secretAccessKey).toBe('s'.repeat(40));
  });
});
