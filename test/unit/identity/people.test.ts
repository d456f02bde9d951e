/** Tests of users, projects and groups: valid names, removal and full access. */

import { join } from 'node:path';

import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';

import { parseStorageId, principalId, projectId } from '../../../src/base/principal.ts';
import { openSqliteIdentity, type SqliteIdentity } from '../../../src/identity/sqlite-identity.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { newUser } from '../../helpers/new-user.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const ADA = { user: 'ada', project: 'holdfast', customer: 'local' };
const ANN = { user: 'ann', project: 'photos', customer: 'acme' };
const PHOTOS = { project: 'photos', customer: 'acme' };
const ADMINS = { group: 'admins', ...PHOTOS };

function open(path = join(temporaryFolder('people'), 'identity.sqlite'), clock = new FakeClock()) {
  const identity = openSqliteIdentity({ path, clock });
  onTestFinished(() => identity.close());
  return { identity, path, clock };
}

/**
 * Opens a database with the first user and with ann, who has full access to a project of another
 * customer.
 */
function withAnn() {
  const opened = open();
  opened.identity.ensureFirstUser(ADA);
  const key = newUser(opened.identity, { ...ANN, fullAccess: true });
  const secret = opened.identity.keys.findKey(key.accessKeyId)?.secretAccessKey;
  return { ...opened, key, secret };
}

const refusal = (code: string, hint?: string) =>
  expect.objectContaining(
    hint === undefined ? { code } : { code, hint: expect.stringContaining(hint) as string },
  );

const fullAccessOf = ({ users }: SqliteIdentity, user: Parameters<typeof users.getUser>[0]) =>
  users.getUser(user).fullAccess;

describe('adding users', () => {
  test('[user-1] the identity database gives a new user an access key whose id consists of project, user and customer', () => {
    const { identity, key, secret } = withAnn();
    expect(key.accessKeyId).toBe('photos:ann@acme');
    expect(identity.keys.findKey(key.accessKeyId)?.principal).toEqual({
      kind: 'user',
      ...ANN,
      fullAccess: true,
    });
    expect(secret).not.toBe(identity.keys.findKey('holdfast:ada@local')?.secretAccessKey);
  });

  test('the identity database treats a user in two projects as two storage users with the same name', () => {
    const { identity } = withAnn();
    newUser(identity, { ...ANN, project: 'films' });
    expect(identity.users.listUsers().map(principalId)).toEqual([
      'films:ann@acme',
      'photos:ann@acme',
      'holdfast:ada@local',
    ]);
    expect(fullAccessOf(identity, { ...ANN, project: 'films' })).toBe(false);
  });

  test('the identity database refuses to add an existing user and explains how to add another key', () => {
    const { identity } = withAnn();
    expect(() => newUser(identity, ANN)).toThrow(refusal('Conflict', 'holdfast admin keys add'));
  });

  test('the identity database refuses to add a user to an unknown project and creates no project', () => {
    const { identity } = withAnn();
    const add = (names: object) => () =>
      identity.users.addUser({ ...ANN, ...names, fullAccess: false, again: false });
    expect(add({ project: 'fotos' })).toThrow(refusal('NotFound', 'holdfast admin projects add'));
    expect(add({ customer: 'acne' })).toThrow(refusal('NotFound', 'holdfast admin projects add'));
    expect(identity.projects.listProjects()).toHaveLength(2);
  });

  test.for([
    { user: '' },
    { user: 'x'.repeat(65) },
    { user: 'a,b' },
    { user: 'a\r\nb' },
    { user: 'a b' },
    { user: 'a\u{a0}b' },
    { user: 'a\u{200d}b' },
    { user: '\u{202e}nna' },
    { user: 'e\u{301}ve' },
    { user: 'ann+0123456789' },
    { project: 'p:q' },
    { project: '' },
    { customer: '' },
    { customer: 'a@b' },
    { customer: 'a:b' },
    { customer: '.a' },
    { customer: 'x'.repeat(65) },
  ])('[user-2] the identity database refuses to add the user %j and creates nothing', (names) => {
    const { identity } = withAnn();
    expect(() => newUser(identity, { ...ANN, ...names })).toThrow(refusal('BadRequest'));
    expect(identity.projects.listProjects()).toHaveLength(2);
    expect(identity.users.listUsers()).toHaveLength(2);
  });

  test('the identity database accepts every character in a user name that ids allow', () => {
    const { identity } = withAnn();
    const { accessKeyId } = newUser(identity, { user: 'DOM/ada+x:y@zé', project: 'p/q@r+s' });
    expect(accessKeyId).toBe('p/q@r+s:DOM/ada+x:y@zé@local');
    expect(identity.keys.findKey(accessKeyId)).toBeDefined();
    expect(identity.grantees.exists(accessKeyId)).toBe(true);
    expect(identity.grantees.exists('p/q@r+s@local')).toBe(true);
  });
});

test('the identity database parses the id of any user or project back to its names', () => {
  const name = fc.string({ minLength: 1, maxLength: 64, unit: 'grapheme' });
  const project = name.filter((text) => !text.includes(':'));
  const customer = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/);
  fc.assert(
    fc.property(project, name, customer, (project, user, customer) => {
      const names = { project, user, customer };
      expect(parseStorageId(principalId(names))).toEqual(names);
      expect(parseStorageId(projectId(names))).toEqual({ project, customer });
    }),
  );
});

test.for(['', '@', 'a', 'a@', '@b', ':a@b', 'a:@b', 'a:b', ':@'])(
  'the identity database refuses %j as a user or project id',
  (id) => {
    expect(parseStorageId(id)).toBeUndefined();
  },
);

describe('removing users', () => {
  test('[user-3] the identity database disables the keys of a removed user at once', () => {
    const { identity, key } = withAnn();
    newUser(identity, { ...ANN, user: 'grace', fullAccess: true });
    const further = identity.keys.addKey(ANN);
    for (const { accessKeyId } of [key, further])
      expect(identity.keys.findKey(accessKeyId)).toBeDefined();
    identity.users.removeUser(ANN);
    for (const { accessKeyId } of [key, further])
      expect(identity.keys.findKey(accessKeyId)).toBeUndefined();
    expect(identity.keys.listKeys()).toHaveLength(2);
    expect(identity.grantees.exists(principalId(ANN))).toBe(false);
  });

  test('[user-4] the identity database does not reuse the name of a removed user, because permissions may still contain it', () => {
    const { identity, key, secret } = withAnn();
    newUser(identity, { ...ANN, user: 'grace', fullAccess: true });
    identity.users.removeUser(ANN);
    expect(() => newUser(identity, ANN)).toThrow(refusal('Conflict', '--again'));
    const again = identity.users.addUser({ ...ANN, fullAccess: false, again: true });
    expect(again.accessKeyId).toMatch(/^photos:ann\+[0-9a-f]{10}@acme$/);
    expect(identity.keys.findKey(again.accessKeyId)?.secretAccessKey).not.toBe(secret);
    expect(identity.keys.findKey(key.accessKeyId)).toBeUndefined();
    expect(fullAccessOf(identity, ANN)).toBe(false);
  });

  test('the identity database keeps a user in its other projects when it is removed from one project', () => {
    const { identity } = withAnn();
    const films = { ...ANN, project: 'films' };
    const { accessKeyId } = newUser(identity, films);
    identity.users.removeUser(films);
    expect(identity.keys.findKey(accessKeyId)).toBeUndefined();
    expect(identity.users.getUser(ANN)).toMatchObject({ granted: true });
  });

  test('the identity database does not add a user to its former groups when the user is added again', () => {
    const { identity } = withAnn();
    const films = { ...ANN, project: 'films' };
    newUser(identity, films);
    identity.groups.addGroup({ ...ADMINS, project: 'films', fullAccess: false });
    identity.groups.setMember({ ...ADMINS, project: 'films' }, 'ann', true);
    identity.users.removeUser(films);
    identity.users.addUser({ ...films, fullAccess: false, again: true });
    expect(identity.users.getUser(films).groups).toEqual([]);
  });

  test('the identity database refuses to remove an unknown user', () => {
    const { identity } = withAnn();
    expect(() => identity.users.removeUser({ ...ANN, user: 'grace' })).toThrow(refusal('NotFound'));
  });
});

describe('disabling users', () => {
  test('[user-5] the identity database stops the keys of a disabled user in every project until the user is enabled', () => {
    const { identity, key, secret } = withAnn();
    newUser(identity, { ...ANN, user: 'grace', fullAccess: true });
    const film = newUser(identity, { ...ANN, project: 'films' });
    identity.users.disableUser(ANN, true);
    for (const { accessKeyId } of [key, film])
      expect(identity.keys.findKey(accessKeyId)).toBeUndefined();
    expect(identity.keys.listKeys().filter(({ disabled }) => disabled)).toHaveLength(2);
    expect(identity.grantees.exists(principalId(ANN))).toBe(true);
    identity.users.disableUser(ANN, false);
    expect(identity.keys.findKey(key.accessKeyId)?.secretAccessKey).toBe(secret);
  });

  test('the identity database disables a user in other processes at once', () => {
    const { identity, key, path, clock } = withAnn();
    newUser(identity, { ...ANN, user: 'grace', fullAccess: true });
    expect(identity.keys.findKey(key.accessKeyId)).toBeDefined();
    open(path, clock).identity.users.disableUser(ANN, true);
    expect(identity.keys.findKey(key.accessKeyId)).toBeUndefined();
  });
});

describe('full access of users', () => {
  test('[user-6] the identity database applies full access, granted directly or through a group, from the next request on', () => {
    const { identity, key } = withAnn();
    const grace = { ...ANN, user: 'grace' };
    const { accessKeyId } = newUser(identity, grace);
    const has = () => identity.keys.findKey(accessKeyId)?.principal.fullAccess;
    expect(has()).toBe(false);
    identity.groups.addGroup({ ...ADMINS, fullAccess: false });
    identity.groups.setMember(ADMINS, 'grace', true);
    expect(has()).toBe(false);
    identity.groups.grantGroup(ADMINS, true);
    expect(has()).toBe(true);
    expect(identity.users.getUser(grace)).toMatchObject({ granted: false, groups: ['admins'] });
    identity.groups.setMember(ADMINS, 'grace', false);
    expect(has()).toBe(false);
    identity.users.grantFullAccess(grace, true);
    expect(has()).toBe(true);
    expect(identity.keys.findKey(key.accessKeyId)?.principal.fullAccess).toBe(true);
  });

  test("the identity database limits the full access that a group gives to the group's project", () => {
    const { identity } = withAnn();
    const films = { ...ANN, project: 'films' };
    newUser(identity, films);
    identity.groups.addGroup({ ...ADMINS, project: 'films', fullAccess: true });
    identity.groups.setMember({ ...ADMINS, project: 'films' }, 'ann', true);
    newUser(identity, { ...ANN, user: 'grace', fullAccess: true });
    identity.users.grantFullAccess(ANN, false);
    expect([fullAccessOf(identity, films), fullAccessOf(identity, ANN)]).toEqual([true, false]);
  });

  const WAYS: [string, (identity: SqliteIdentity) => void][] = [
    ['removed', ({ users }) => users.removeUser(ANN)],
    ['revoked', ({ users }) => users.grantFullAccess(ANN, false)],
    ['disabled', ({ users }) => users.disableUser(ANN, true)],
  ];

  test.for(WAYS)(
    '[user-7] the identity database refuses a change by which the last user with full access to a project is %s',
    ([, way]) => {
      const { identity } = withAnn();
      newUser(identity, { ...ANN, user: 'grace' });
      expect(() => way(identity)).toThrow(refusal('Conflict', 'holdfast admin users grant'));
      expect(identity.users.getUser(ANN)).toMatchObject({ granted: true, disabled: false });
      newUser(identity, { ...ANN, user: 'eve', fullAccess: true });
      way(identity);
      expect(() => identity.users.removeUser({ ...ANN, user: 'eve' })).toThrow(refusal('Conflict'));
    },
  );

  const GROUP_WAYS: [string, (identity: SqliteIdentity) => void][] = [
    ['removed', ({ groups }) => groups.removeGroup(ADMINS)],
    ['revoked', ({ groups }) => groups.grantGroup(ADMINS, false)],
    ['left', ({ groups }) => groups.setMember(ADMINS, 'ann', false)],
  ];

  test.for(GROUP_WAYS)(
    '[user-8] the identity database refuses a change by which the group that gives the last full access to a project is %s',
    ([, way]) => {
      const { identity } = withAnn();
      identity.groups.addGroup({ ...ADMINS, fullAccess: true });
      identity.groups.setMember(ADMINS, 'ann', true);
      identity.users.grantFullAccess(ANN, false);
      expect(() => way(identity)).toThrow(refusal('Conflict'));
      expect(fullAccessOf(identity, ANN)).toBe(true);
      identity.users.grantFullAccess(ANN, true);
      way(identity);
      expect(fullAccessOf(identity, ANN)).toBe(true);
    },
  );

  test('the identity database allows the removal of the last user of a project that has no full access', () => {
    const { identity } = withAnn();
    const film = { ...ANN, project: 'films' };
    newUser(identity, film);
    identity.users.disableUser(film, false);
    identity.users.removeUser(film);
    expect(identity.projects.getProject(film).users).toBe(0);
  });
});

describe('groups of users', () => {
  test('the identity database lists a group with its members', () => {
    const { identity } = withAnn();
    identity.groups.addGroup({ ...ADMINS, fullAccess: true });
    identity.groups.setMember(ADMINS, 'ann', true);
    identity.groups.setMember(ADMINS, 'ann', true);
    expect(identity.groups.listGroups()).toEqual([{ ...ADMINS, fullAccess: true, users: ['ann'] }]);
    newUser(identity, { ...ANN, user: 'grace', fullAccess: true });
    identity.users.removeUser(ANN);
    expect(identity.groups.listGroups()).toEqual([{ ...ADMINS, fullAccess: true, users: [] }]);
  });

  test('the identity database refuses invalid changes of groups, such as adding an existing group or an unknown user', () => {
    const { identity } = withAnn();
    identity.groups.addGroup({ ...ADMINS, fullAccess: true });
    const add = (names: object) => () =>
      identity.groups.addGroup({ ...ADMINS, fullAccess: true, ...names });
    expect(add({})).toThrow(refusal('Conflict'));
    expect(add({ project: 'films' })).toThrow(refusal('NotFound'));
    expect(add({ group: 'a,b' })).toThrow(refusal('BadRequest'));
    expect(() => identity.groups.setMember(ADMINS, 'ada', true)).toThrow(refusal('NotFound'));
    expect(() => identity.groups.removeGroup({ ...ADMINS, group: 'x' })).toThrow(
      refusal('NotFound'),
    );
  });
});

describe('projects and customers', () => {
  test('[user-9] the identity database accepts a project as a grantee by its id and, ignoring case, by its email', () => {
    const { identity } = withAnn();
    identity.projects.setEmail(PHOTOS, 'Photos@Example.com');
    expect(identity.grantees.exists('photos@acme')).toBe(true);
    expect(identity.grantees.exists('photos@local')).toBe(false);
    expect(identity.grantees.exists('Photos@Example.com')).toBe(false);
    expect(identity.grantees.findByEmail('photos@example.COM')).toBe('photos@acme');
    expect(identity.grantees.findByEmail('photos@acme')).toBeUndefined();
    identity.projects.setEmail(PHOTOS, undefined);
    expect(identity.grantees.findByEmail('photos@example.com')).toBeUndefined();
  });

  test('the identity database refuses the email of another project', () => {
    const { identity } = withAnn();
    const email = 'us@example.com';
    identity.projects.setEmail(PHOTOS, email);
    identity.projects.setEmail(PHOTOS, email);
    expect(() => identity.projects.setEmail(ADA, email.toUpperCase())).toThrow(refusal('Conflict'));
    const films = { ...PHOTOS, project: 'films', again: false, email };
    expect(() => identity.projects.addProject(films)).toThrow(refusal('Conflict'));
    expect(identity.projects.listProjects()).toHaveLength(2);
  });

  test.for([
    '',
    'us',
    '@example.com',
    'us@',
    'a b@c',
    'a@b@c',
    'a,b@c',
    'a\n@b',
    `${'x'.repeat(250)}@b.co`,
  ])('the identity database refuses %j as the email of a project', (email) => {
    const { identity } = withAnn();
    expect(() => identity.projects.setEmail(PHOTOS, email)).toThrow(refusal('BadRequest'));
    expect(identity.projects.getProject(PHOTOS).email).toBeUndefined();
  });

  test('[user-10] the identity database removes users, keys and groups with their project, and the customer with its last project', () => {
    const { identity, key, path, secret } = withAnn();
    identity.groups.addGroup({ ...ADMINS, fullAccess: true });
    identity.groups.setMember(ADMINS, 'ann', true);
    identity.projects.removeProject(PHOTOS);
    expect(identity.keys.findKey(key.accessKeyId)).toBeUndefined();
    expect(identity.users.listUsers()).toHaveLength(1);
    expect(identity.groups.listGroups()).toEqual([]);
    expect(identity.grantees.exists('photos@acme')).toBe(false);
    expect(() => newUser(identity, ANN)).toThrow(refusal('Conflict', '--again'));
    identity.projects.addProject({ ...PHOTOS, again: true });
    expect(() => newUser(identity, ANN)).toThrow(refusal('Conflict', '--again'));
    newUser(identity, { ...ANN, user: 'grace' });
    expect(identity.users.listUsers()).toHaveLength(2);
    expect(secret).toHaveLength(40);
    expect(open(path).identity.users.listUsers()).toHaveLength(2);
  });

  test('the identity database refuses to add an existing project and to remove an unknown one', () => {
    const { identity } = withAnn();
    expect(() => identity.projects.addProject({ ...PHOTOS, again: false })).toThrow(
      refusal('Conflict'),
    );
    const films = { ...PHOTOS, project: 'films' };
    expect(() => identity.projects.removeProject(films)).toThrow(refusal('NotFound'));
    expect(() => identity.projects.setEmail(films, 'a@b')).toThrow(refusal('NotFound'));
  });
});
