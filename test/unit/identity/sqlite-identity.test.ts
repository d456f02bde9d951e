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
  test('the identity database gives the first user one key with full access and a secret of 40 characters', () => {
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

  test('the identity database keeps the key of the first user in a new process', () => {
    const { path, identity } = withFirstUser();
    const first = identity.keys.findKey(FIRST);
    const again = open(path);
    again.ensureFirstUser({ user: 'ada' });
    expect(again.keys.findKey(FIRST)).toEqual(first);
    expect(again.keys.currentKey(ADA)).toEqual(first);
  });

  test('the identity database creates no new key for the first user after the key was removed', () => {
    const { path, identity } = withFirstUser();
    identity.keys.removeKey(FIRST);
    const again = open(path);
    again.ensureFirstUser({ user: 'ada' });
    expect(again.keys.listKeys()).toEqual([]);
    expect(again.keys.currentKey(ADA)).toBeUndefined();
  });

  test.for(['', 'x'.repeat(65)])(
    'the identity database refuses %j as the name of the first user',
    (user) => {
      expect(() => open(newPath()).ensureFirstUser({ user })).toThrow(/CHECK/);
    },
  );
});

describe('adding access keys', () => {
  test('the identity database adds a second key for the same user', () => {
    const { identity, principal } = withFirstUser();
    const second = identity.keys.addKey(ADA);
    expect(second.accessKeyId).toMatch(/^holdfast:ada\+[0-9a-f]{10}@local$/);
    expect(identity.keys.findKey(second.accessKeyId)?.principal).toEqual(principal);
    expect(identity.keys.findKey(FIRST)?.principal).toEqual(principal);
  });

  test('the identity database refuses a third active key and names a key that can be removed', () => {
    const { identity, clock } = withFirstUser();
    clock.advance(1);
    identity.keys.addKey(ADA);
    expect(() => identity.keys.addKey(ADA)).toThrow(refusal('Conflict', FIRST));
    expect(identity.keys.listKeys()).toHaveLength(2);
  });

  test('the identity database refuses to add a key for an unknown user', () => {
    const { identity } = withFirstUser();
    for (const names of [{ user: 'grace' }, { project: 'other' }, { customer: 'acme' }]) {
      expect(() => identity.keys.addKey({ ...ADA, ...names })).toThrow(refusal('NotFound', 'add'));
    }
    expect(identity.keys.listKeys()).toHaveLength(1);
  });
});

describe('rotating access keys', () => {
  test('the identity database accepts a rotated key together with the new key until the grace period ends', () => {
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

  test('the identity database stops a key at once that is rotated without a grace period', () => {
    const { identity } = withFirstUser();
    const { key } = identity.keys.rotateKey({ accessKeyId: FIRST, graceMs: 0 });
    expect(identity.keys.findKey(FIRST)).toBeUndefined();
    expect(identity.keys.findKey(key.accessKeyId)).toMatchObject(key);
  });

  test('the identity database rotates one of two active keys of a user only without a grace period', () => {
    const { identity } = withFirstUser();
    const { key } = identity.keys.rotateKey({ accessKeyId: FIRST, graceMs: DAY });
    const next = { accessKeyId: key.accessKeyId, graceMs: DAY };
    expect(() => identity.keys.rotateKey(next)).toThrow(refusal('Conflict', FIRST));
    identity.keys.rotateKey({ ...next, graceMs: 0 });
    expect(identity.keys.listKeys()).toHaveLength(2);
    expect(identity.keys.findKey(key.accessKeyId)).toBeUndefined();
  });

  test('the identity database refuses to rotate a key twice', () => {
    const { identity } = withFirstUser();
    identity.keys.rotateKey({ accessKeyId: FIRST, graceMs: DAY });
    expect(() => identity.keys.rotateKey({ accessKeyId: FIRST, graceMs: DAY })).toThrow(
      refusal('Conflict', 'list'),
    );
  });

  test('the identity database refuses to rotate an unknown or expired key', () => {
    const { identity, clock } = withFirstUser();
    identity.keys.rotateKey({ accessKeyId: FIRST, graceMs: DAY });
    clock.advance(DAY);
    for (const accessKeyId of [FIRST, 'holdfast:nobody@local']) {
      const request = { accessKeyId, graceMs: DAY };
      expect(() => identity.keys.rotateKey(request)).toThrow(refusal('NotFound'));
      expect(() => identity.keys.removeKey(accessKeyId)).toThrow(refusal('NotFound'));
    }
  });

  test('the identity database erases the secret of an expired key from the file with the next change', () => {
    const { identity, clock, path } = withFirstUser();
    const secret = identity.keys.findKey(FIRST)?.secretAccessKey ?? '';
    identity.keys.rotateKey({ accessKeyId: FIRST, graceMs: DAY });
    clock.advance(DAY);
    newUser(identity, { user: 'grace' });
    identity.close();
    expect(readFileSync(path).includes(secret)).toBe(false);
  });
});

test('the identity database includes no secret in key lists and in reports of changes', () => {
  const { identity } = withFirstUser();
  const { key, old } = identity.keys.rotateKey({ accessKeyId: FIRST, graceMs: DAY });
  for (const each of [key, old, ...identity.keys.listKeys()])
    expect(each).not.toHaveProperty('secretAccessKey');
});

test('the identity database returns undefined for an unknown access key', () => {
  expect(open(newPath()).keys.findKey('holdfast:nobody@local')).toBeUndefined();
});

test('the identity database applies key changes by another process from the next request on', () => {
  const { path, identity, clock } = withFirstUser();
  expect(identity.keys.findKey(FIRST)).toBeDefined();
  const other = open(path, clock);
  const { key } = other.keys.rotateKey({ accessKeyId: FIRST, graceMs: 0 });
  expect(identity.keys.findKey(FIRST)).toBeUndefined();
  expect(identity.keys.findKey(key.accessKeyId)).toMatchObject(key);
});

describe('the file of the identity database', () => {
  test('the identity database gives only the owner access to the identity file and its journal', () => {
    const { path } = withFirstUser();
    chmodSync(path, 0o644);
    open(path);
    for (const name of [path, `${path}-wal`]) expect(statSync(name).mode & 0o777).toBe(0o600);
  });

  test('the identity database refuses an identity file of a newer Holdfast and names its format', () => {
    const path = newPath();
    const later = new Database(path);
    later.pragma('user_version = 99');
    later.close();
    expect(() => open(path)).toThrow(/format 99/);
  });

  test('the identity database keeps the keys of an identity file of the first version', () => {
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
