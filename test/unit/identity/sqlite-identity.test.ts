import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';

import { MIGRATIONS } from '../../../src/identity/schema.ts';
import { openSqliteIdentity } from '../../../src/identity/sqlite-identity.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const DAY = 86_400_000;
const FIRST = 'holdfast:ada@local';
const ADA = { user: 'ada', project: 'holdfast' };

function open(path: string, clock = new FakeClock()) {
  const identity = openSqliteIdentity({ path, clock });
  onTestFinished(() => identity.close());
  return identity;
}

const newPath = () => join(temporaryFolder('identity'), 'identity.sqlite');

/** A file with the first user in it, and its key. */
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
  test('has one key, with full access and a secret of 40 characters', () => {
    const { identity, principal } = withFirstUser();
    expect(identity.findKey(FIRST)).toMatchObject({
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

  test('has the same key ever after, also in a new process', () => {
    const { path, identity } = withFirstUser();
    const first = identity.findKey(FIRST);
    const again = open(path);
    again.ensureFirstUser({ user: 'ada' });
    expect(again.findKey(FIRST)).toEqual(first);
    expect(again.currentKey(ADA)).toEqual(first);
  });

  test('whose key was removed gets no other by itself', () => {
    const { path, identity } = withFirstUser();
    identity.removeKey(FIRST);
    const again = open(path);
    again.ensureFirstUser({ user: 'ada' });
    expect(again.listKeys()).toEqual([]);
    expect(again.currentKey(ADA)).toBeUndefined();
  });

  test.for(['', 'x'.repeat(65)])('named %j is refused', (user) => {
    expect(() => open(newPath()).ensureFirstUser({ user })).toThrow(/CHECK/);
  });
});

describe('a key that is added', () => {
  test('for a new user has the plain id, a secret of its own and no full access', () => {
    const { identity } = withFirstUser();
    const key = identity.addKey({ user: 'grace', project: 'holdfast', fullAccess: false });
    expect(key.accessKeyId).toBe('holdfast:grace@local');
    const made = identity.findKey(key.accessKeyId);
    expect(made?.secretAccessKey).not.toBe(identity.findKey(FIRST)?.secretAccessKey);
    expect(made?.principal).toMatchObject({ user: 'grace', fullAccess: false });
  });

  test('for a user who has one is a second one, of the same user', () => {
    const { identity, principal } = withFirstUser();
    const second = identity.addKey({ ...ADA, fullAccess: false });
    expect(second.accessKeyId).toMatch(/^holdfast:ada\+[0-9a-f]{10}@local$/);
    expect(identity.findKey(second.accessKeyId)?.principal).toEqual(principal);
    expect(identity.findKey(FIRST)?.principal).toEqual(principal);
  });

  test('beyond two live ones is refused, naming one that could be removed', () => {
    const { identity, clock } = withFirstUser();
    clock.advance(1);
    identity.addKey({ ...ADA, fullAccess: false });
    expect(() => identity.addKey({ ...ADA, fullAccess: false })).toThrow(
      refusal('Conflict', FIRST),
    );
    expect(identity.listKeys()).toHaveLength(2);
  });

  test('in another project is of another storage user', () => {
    const { identity } = withFirstUser();
    const key = identity.addKey({ user: 'ada', project: 'other', fullAccess: false });
    expect(key.accessKeyId).toBe('other:ada@local');
    expect(key.principal).toMatchObject({ project: 'other', fullAccess: false });
  });

  test('can give full access later, and never takes it away', () => {
    const { identity } = withFirstUser();
    const fullAccess = (given: boolean) => {
      const key = identity.addKey({ user: 'grace', project: 'holdfast', fullAccess: given });
      identity.removeKey(key.accessKeyId);
      return key.principal.fullAccess;
    };
    expect([fullAccess(false), fullAccess(true), fullAccess(false)]).toEqual([false, true, true]);
  });

  test.for([
    { user: '', project: 'p' },
    { user: 'x'.repeat(65), project: 'p' },
    { user: 'a,b', project: 'p' },
    { user: 'a\r\nb', project: 'p' },
    { user: ' a', project: 'p' },
    { user: 'a', project: 'p:q' },
    { user: 'a', project: '' },
  ])('for %j is refused', (holder) => {
    const { identity } = withFirstUser();
    expect(() => identity.addKey({ ...holder, fullAccess: false })).toThrow(refusal('BadRequest'));
  });

  test('may be of a name with every character that ids have', () => {
    const { identity } = withFirstUser();
    const holder = { user: 'DOM/ada+x:y@z é', project: 'p/q@r+s' };
    const key = identity.addKey({ ...holder, fullAccess: false });
    expect(key.accessKeyId).toBe('p/q@r+s:DOM/ada+x:y@z é@local');
    expect(identity.findKey(key.accessKeyId)).toMatchObject(key);
  });
});

describe('a key that is rotated', () => {
  test('lives on beside the new one until its grace is over, and ends by itself', () => {
    const { identity, clock, principal } = withFirstUser();
    const { key, old } = identity.rotateKey({ accessKeyId: FIRST, graceMs: DAY });
    expect(old).toMatchObject({ accessKeyId: FIRST, expiresAt: clock.now() + DAY });
    expect(key.principal).toEqual(principal);
    expect(identity.currentKey(ADA)).toMatchObject(key);
    clock.advance(DAY - 1);
    expect(identity.findKey(FIRST)).toBeDefined();
    expect(identity.listKeys()).toHaveLength(2);
    clock.advance(1);
    expect(identity.findKey(FIRST)).toBeUndefined();
    expect(identity.listKeys().map(({ accessKeyId }) => accessKeyId)).toEqual([key.accessKeyId]);
    expect(identity.findKey(key.accessKeyId)).toBeDefined();
  });

  test('without a grace ends at once', () => {
    const { identity } = withFirstUser();
    const { key } = identity.rotateKey({ accessKeyId: FIRST, graceMs: 0 });
    expect(identity.findKey(FIRST)).toBeUndefined();
    expect(identity.findKey(key.accessKeyId)).toMatchObject(key);
  });

  test('can be rotated again without a grace although two are live', () => {
    const { identity } = withFirstUser();
    const { key } = identity.rotateKey({ accessKeyId: FIRST, graceMs: DAY });
    const next = { accessKeyId: key.accessKeyId, graceMs: DAY };
    expect(() => identity.rotateKey(next)).toThrow(refusal('Conflict', FIRST));
    identity.rotateKey({ ...next, graceMs: 0 });
    expect(identity.listKeys()).toHaveLength(2);
    expect(identity.findKey(key.accessKeyId)).toBeUndefined();
  });

  test('is rotated once', () => {
    const { identity } = withFirstUser();
    identity.rotateKey({ accessKeyId: FIRST, graceMs: DAY });
    expect(() => identity.rotateKey({ accessKeyId: FIRST, graceMs: DAY })).toThrow(
      refusal('Conflict', 'list'),
    );
  });

  test('that is not there, or has ended, is refused', () => {
    const { identity, clock } = withFirstUser();
    identity.rotateKey({ accessKeyId: FIRST, graceMs: DAY });
    clock.advance(DAY);
    for (const accessKeyId of [FIRST, 'holdfast:nobody@local']) {
      const request = { accessKeyId, graceMs: DAY };
      expect(() => identity.rotateKey(request)).toThrow(refusal('NotFound'));
      expect(() => identity.removeKey(accessKeyId)).toThrow(refusal('NotFound'));
    }
  });

  test('leaves no trace of its secret in the file once it has ended and another change was made', () => {
    const { identity, clock, path } = withFirstUser();
    const secret = identity.findKey(FIRST)?.secretAccessKey ?? '';
    identity.rotateKey({ accessKeyId: FIRST, graceMs: DAY });
    clock.advance(DAY);
    identity.addKey({ user: 'grace', project: 'holdfast', fullAccess: false });
    identity.close();
    expect(readFileSync(path).includes(secret)).toBe(false);
  });
});

test('what is listed, or told of a change, holds no secret', () => {
  const { identity } = withFirstUser();
  const { key, old } = identity.rotateKey({ accessKeyId: FIRST, graceMs: DAY });
  for (const each of [key, old, ...identity.listKeys()])
    expect(each).not.toHaveProperty('secretAccessKey');
});

test('an unknown key is undefined', () => {
  expect(open(newPath()).findKey('holdfast:nobody@local')).toBeUndefined();
});

test('what another process did with the keys holds from the next request on', () => {
  const { path, identity, clock } = withFirstUser();
  expect(identity.findKey(FIRST)).toBeDefined();
  const other = open(path, clock);
  const { key } = other.rotateKey({ accessKeyId: FIRST, graceMs: 0 });
  expect(identity.findKey(FIRST)).toBeUndefined();
  expect(identity.findKey(key.accessKeyId)).toMatchObject(key);
});

describe('the file', () => {
  test('and its journal are readable by their owner alone, also when they were not', () => {
    const { path } = withFirstUser();
    chmodSync(path, 0o644);
    open(path);
    for (const name of [path, `${path}-wal`]) expect(statSync(name).mode & 0o777).toBe(0o600);
  });

  test('of a later version is refused by name', () => {
    const path = newPath();
    const later = new Database(path);
    later.pragma('user_version = 99');
    later.close();
    expect(() => open(path)).toThrow(/version 99/);
  });

  test('of the first version keeps its keys', () => {
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
    expect(identity.listKeys()).toEqual([
      { accessKeyId: FIRST, createdAt: 7, principal: expect.objectContaining(ADA) as unknown },
    ]);
    expect(identity.findKey(FIRST)?.secretAccessKey).toBe('s'.repeat(40));
  });
});
