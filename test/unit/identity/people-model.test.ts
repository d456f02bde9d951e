/**
 * Property test that compares the identity database with a simple model for any sequence of
 * administrative steps.
 */

import { join } from 'node:path';

import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';

import { principalId } from '../../../src/base/principal.ts';
import { IdentityError } from '../../../src/identity/identity-error.ts';
import { openSqliteIdentity, type SqliteIdentity } from '../../../src/identity/sqlite-identity.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const CUSTOMER = 'acme';
const PROJECTS = ['p', 'q'];
const USERS = ['a', 'b'];

interface Model {
  readonly projects: Set<string>;
  /** Maps `project user` to whether full access was granted to the user. */
  readonly members: Map<string, boolean>;
  /** Maps `project group` to whether the group gives full access, and to its users. */
  readonly groups: Map<string, { fullAccess: boolean; readonly users: Set<string> }>;
  readonly disabled: Set<string>;
}

type Names = { readonly p: string; readonly u: string; readonly g: string; readonly on: boolean };
type Step = Names & { readonly kind: keyof typeof STEPS };

/**
 * Performs each step on the database and on the model. `after` also refuses steps that would remove
 * the last full access to a project.
 */
const STEPS = {
  addProject: [
    ({ projects }: SqliteIdentity, { p }: Names) =>
      projects.addProject({ project: p, customer: CUSTOMER, again: true }),
    (model: Model, { p }: Names) => check(!model.projects.has(p)) && model.projects.add(p),
  ],
  removeProject: [
    ({ projects }: SqliteIdentity, { p }: Names) =>
      projects.removeProject({ project: p, customer: CUSTOMER }),
    (model: Model, { p }: Names) => {
      check(model.projects.delete(p));
      for (const id of model.members.keys()) if (id.startsWith(`${p} `)) model.members.delete(id);
      for (const id of model.groups.keys()) if (id.startsWith(`${p} `)) model.groups.delete(id);
    },
  ],
  addUser: [
    ({ users }: SqliteIdentity, { p, u, on }: Names) =>
      users.addUser({ ...named(p, u), fullAccess: on, again: true }),
    (model: Model, { p, u, on }: Names) => {
      check(model.projects.has(p) && !model.members.has(`${p} ${u}`));
      model.members.set(`${p} ${u}`, on);
    },
  ],
  removeUser: [
    ({ users }: SqliteIdentity, { p, u }: Names) => users.removeUser(named(p, u)),
    (model: Model, { p, u }: Names) => {
      check(model.members.delete(`${p} ${u}`));
      for (const [id, { users }] of model.groups) if (id.startsWith(`${p} `)) users.delete(u);
    },
  ],
  grantUser: [
    ({ users }: SqliteIdentity, { p, u, on }: Names) => users.grantFullAccess(named(p, u), on),
    (model: Model, { p, u, on }: Names) => {
      check(model.members.has(`${p} ${u}`));
      model.members.set(`${p} ${u}`, on);
    },
  ],
  disableUser: [
    ({ users }: SqliteIdentity, { p, u, on }: Names) => users.disableUser(named(p, u), on),
    (model: Model, { p, u, on }: Names) => {
      check(model.members.has(`${p} ${u}`));
      if (on) model.disabled.add(u);
      else model.disabled.delete(u);
    },
  ],
  addGroup: [
    ({ groups }: SqliteIdentity, { p, g, on }: Names) =>
      groups.addGroup({ group: g, project: p, customer: CUSTOMER, fullAccess: on }),
    (model: Model, { p, g, on }: Names) => {
      check(model.projects.has(p) && !model.groups.has(`${p} ${g}`));
      model.groups.set(`${p} ${g}`, { fullAccess: on, users: new Set() });
    },
  ],
  removeGroup: [
    ({ groups }: SqliteIdentity, { p, g }: Names) =>
      groups.removeGroup({ group: g, project: p, customer: CUSTOMER }),
    (model: Model, { p, g }: Names) => check(model.groups.delete(`${p} ${g}`)),
  ],
  grantGroup: [
    ({ groups }: SqliteIdentity, { p, g, on }: Names) =>
      groups.grantGroup({ group: g, project: p, customer: CUSTOMER }, on),
    (model: Model, { p, g, on }: Names) => {
      const group = model.groups.get(`${p} ${g}`);
      check(group !== undefined);
      if (group) group.fullAccess = on;
    },
  ],
  setMember: [
    ({ groups }: SqliteIdentity, { p, g, u, on }: Names) =>
      groups.setMember({ group: g, project: p, customer: CUSTOMER }, u, on),
    (model: Model, { p, g, u, on }: Names) => {
      const group = model.groups.get(`${p} ${g}`);
      check(group !== undefined && model.members.has(`${p} ${u}`));
      if (on) group?.users.add(u);
      else group?.users.delete(u);
    },
  ],
} as const;

class Refused extends Error {}

function check(possible: boolean): true {
  if (!possible) throw new Refused();
  return true;
}

function named(project: string, user: string) {
  return { user, project, customer: CUSTOMER };
}

function hasFullAccess({ members, groups }: Model, id: string): boolean {
  const [p, u = ''] = id.split(' ');
  const byGroup = [...groups].some(
    ([group, { fullAccess, users }]) =>
      fullAccess && users.has(u) && group.startsWith(`${p} `) && members.has(id),
  );
  return members.get(id) === true || byGroup;
}

/** Returns the projects that have an enabled user with full access. */
function guarded(model: Model): string[] {
  return [...model.projects].filter((p) =>
    USERS.some(
      (u) =>
        model.members.has(`${p} ${u}`) &&
        !model.disabled.has(u) &&
        hasFullAccess(model, `${p} ${u}`),
    ),
  );
}

/** Returns the model after the step, or undefined if the step is refused. */
function after(model: Model, step: Step): Model | undefined {
  const next = structuredClone(model);
  try {
    STEPS[step.kind][1](next, step);
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
  // A user exists as long as it belongs to a project.
  for (const u of next.disabled) {
    if (!PROJECTS.some((p) => next.members.has(`${p} ${u}`))) next.disabled.delete(u);
  }
  const left = guarded(next);
  const isLost = guarded(model).some((p) => next.projects.has(p) && !left.includes(p));
  return isLost ? undefined : next;
}

function does(identity: SqliteIdentity, step: Step): boolean {
  try {
    STEPS[step.kind][0](identity, step);
    return true;
  } catch (error) {
    if (error instanceof IdentityError) return false;
    throw error;
  }
}

/** Steps at the start of each sequence. */
const FIRST: readonly Step[] = [
  { kind: 'addProject', p: 'p', u: 'a', g: 'g', on: false },
  { kind: 'addUser', p: 'p', u: 'a', g: 'g', on: true },
  { kind: 'addUser', p: 'p', u: 'b', g: 'g', on: false },
  { kind: 'addGroup', p: 'p', u: 'a', g: 'g', on: false },
];

/** Kinds of steps. Removing a project is rare, because most other steps need a project. */
const kinds = (Object.keys(STEPS) as Step['kind'][]).flatMap((kind) =>
  Array.from({ length: kind === 'removeProject' ? 1 : 8 }, () => kind),
);

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(...kinds),
    p: fc.constantFrom('p', 'p', 'p', 'q'),
    u: fc.constantFrom(...USERS),
    g: fc.constantFrom('g', 'g', 'g', 'h'),
    on: fc.boolean(),
  }),
  { minLength: 30, maxLength: 60 },
);

test('the identity database has the same users, groups, keys and full access as a simple model after any changes', () => {
  const identity = openSqliteIdentity({
    path: join(temporaryFolder('people'), 'identity.sqlite'),
    clock: new FakeClock(),
  });
  onTestFinished(() => identity.close());
  fc.assert(
    fc.property(steps, (sequence) => {
      for (const { project } of identity.projects.listProjects()) {
        identity.projects.removeProject({ project, customer: CUSTOMER });
      }
      let model: Model = {
        projects: new Set(),
        members: new Map(),
        groups: new Map(),
        disabled: new Set(),
      };
      for (const step of [...FIRST, ...sequence]) {
        const next = after(model, step);
        expect({ step, done: does(identity, step) }).toEqual({ step, done: next !== undefined });
        model = next ?? model;
        expectSame(identity, model);
      }
    }),
    { numRuns: 20 },
  );
});

function expectSame({ users, groups, keys, grantees }: SqliteIdentity, model: Model): void {
  const listed = users.listUsers().map((user) => ({
    id: `${user.project} ${user.user}`,
    granted: user.granted,
    fullAccess: user.fullAccess,
    disabled: user.disabled,
  }));
  const expected = [...model.members].map(([id, granted]) => ({
    id,
    granted,
    fullAccess: hasFullAccess(model, id),
    disabled: model.disabled.has(id.split(' ')[1] ?? ''),
  }));
  const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id);
  expect(listed.sort(byId)).toEqual(expected.sort(byId));
  expect(groups.listGroups()).toHaveLength(model.groups.size);
  for (const p of PROJECTS) {
    expect(grantees.exists(`${p}@${CUSTOMER}`)).toBe(model.projects.has(p));
    for (const u of USERS) {
      expect(grantees.exists(principalId(named(p, u)))).toBe(model.members.has(`${p} ${u}`));
    }
  }
  for (const { accessKeyId, principal, disabled } of keys.listKeys()) {
    const id = `${principal.project} ${principal.user}`;
    expect(disabled).toBe(model.disabled.has(principal.user));
    const found = keys.findKey(accessKeyId)?.principal.fullAccess;
    expect(found).toBe(disabled ? undefined : hasFullAccess(model, id));
  }
  expect(keys.listKeys()).toHaveLength(model.members.size);
}
