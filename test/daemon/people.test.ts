/** Tests of the `admin` commands users, projects, groups and whoami, with and without a daemon. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { openSqliteIdentity } from '../../src/identity/sqlite-identity.ts';
import { internalCaller } from '../../src/object-store/caller.ts';
import { startDaemon, type RunningDaemon } from '../../daemon/main.ts';
import { resolveHome } from '../../src/config/home.ts';
import { connectControl } from '../../src/control/client.ts';
import { openTestEngine } from '../helpers/test-engine.ts';
import { runCli, jsonOf, errorOf } from '../helpers/run-cli.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const OWN = userInfo().username;

/** Creates a home with its first user. No daemon has run in this home. */
function newHome(home = temporaryFolder('people')): string {
  mkdirSync(join(home, 'data'));
  writeFileSync(join(home, 'config.yaml'), 'storage: {port: 0}\n', { mode: 0o600 });
  const path = join(home, 'data', 'identity.sqlite');
  const identity = openSqliteIdentity({ path, clock: systemClock });
  identity.ensureFirstUser({ user: OWN });
  identity.close();
  return home;
}

const runIn =
  (home: string) =>
  (...argv: string[]) =>
    runCli(argv, { env: { HOLDFAST_HOME: home }, clock: systemClock });

type Run = ReturnType<typeof runIn>;

const idsOf = async (run: Run) => {
  const { users } = jsonOf((await run('admin', 'users', 'list', '--json')).stdout) as {
    users: { id: string }[];
  };
  return users.map(({ id }) => id);
};

let daemonHome: string;
let daemon: RunningDaemon;

beforeAll(async () => {
  daemonHome = newHome(mkdtempSync(join(tmpdir(), 'people-')));
  daemon = await startDaemon({ home: resolveHome({ homeFlag: daemonHome, env: {}, cwd: '/' }) });
});
afterAll(async () => {
  await daemon.stop('the tests are over');
  rmSync(daemonHome, { recursive: true });
});

describe.each([
  ['with a daemon', () => daemonHome],
  ['without a daemon', () => newHome()],
])('`admin` commands for users, projects and groups %s', (_, homeOf) => {
  it('[user-11] `admin` commands create, change, list and remove users, projects and groups', async () => {
    const run = runIn(homeOf());
    const ok = async (...argv: string[]) => {
      const { exitCode, stdout, stderr } = await run(...argv);
      expect({ argv, exitCode, stderr }).toEqual({ argv, exitCode: 0, stderr: '' });
      return stdout;
    };
    expect(
      await ok('admin', 'projects', 'add', 'photos@acme', '--email', 'p@example.com'),
    ).toContain('created project photos@acme');
    expect(await ok('admin', 'users', 'add', 'photos:ann@acme', '--full-access')).toContain(
      'holdfast admin credentials --env --key photos:ann@acme',
    );
    await ok('admin', 'users', 'add', 'photos:bob@acme');
    await ok('admin', 'users', 'add', 'restic');
    expect((await run('admin', 'users', 'list')).stdout).toMatch(
      /^USER +PROJECT +ACCESS +GROUPS +CREATED +ID\nann +photos +full +- +.*photos:ann@acme\n/,
    );
    await ok('admin', 'groups', 'add', 'photos:editors@acme', '--full-access');
    expect(await ok('admin', 'groups', 'join', 'photos:editors@acme', 'bob')).toContain(
      'users: bob',
    );
    expect(await ok('admin', 'whoami', 'photos:bob@acme')).toMatch(/access +full, by group\n/);
    expect(await ok('admin', 'users', 'revoke', 'photos:bob@acme')).toContain(
      'full, by group editors',
    );
    await ok('admin', 'groups', 'revoke', 'photos:editors@acme');
    expect(await ok('admin', 'users', 'grant', 'photos:bob@acme')).toContain('access: full');
    await ok('admin', 'users', 'disable', 'photos:bob@acme');
    expect(await ok('admin', 'keys', 'list')).toMatch(/bob +photos +disabled/);
    await ok('admin', 'users', 'enable', 'photos:bob@acme');
    expect(await ok('admin', 'groups', 'list')).toMatch(/editors +photos +acme +objects +bob/);
    await ok('admin', 'groups', 'leave', 'photos:editors@acme', 'bob');
    await ok('admin', 'groups', 'grant', 'photos:editors@acme');
    await ok('admin', 'groups', 'remove', 'photos:editors@acme', '--yes');
    expect(await ok('admin', 'projects', 'list')).toMatch(
      /photos +2 .* p@example.com +photos@acme/,
    );
    await ok('admin', 'projects', 'set-email', 'photos@acme', 'q@example.com');
    await ok('admin', 'projects', 'set-email', 'photos@acme');
    await ok('admin', 'users', 'remove', 'restic', '--yes');
    expect(await idsOf(run)).toEqual([
      `photos:ann@acme`,
      `photos:bob@acme`,
      `holdfast:${OWN}@local`,
    ]);
    await ok('admin', 'projects', 'remove', 'photos@acme', '--yes');
    expect(await idsOf(run)).toEqual([`holdfast:${OWN}@local`]);
  });

  it('[whoami-1] `admin whoami` prints the project, user, e-mail, customer and permissions, and no secret', async () => {
    const home = homeOf();
    const run = runIn(home);
    await run('admin', 'projects', 'set-email', 'holdfast', 'us@example.com');
    const { stdout } = await run('admin', 'whoami');
    for (const line of [
      `storage user id    holdfast:${OWN}@local`,
      'project id         holdfast',
      'project e-mail     us@example.com',
      'customer           local',
      'access             full',
      'region             us-east-1',
    ]) {
      expect(stdout.split('\n')).toContain(line);
    }
    const known = jsonOf((await run('admin', 'whoami', '--json')).stdout) as Record<
      string,
      unknown
    >;
    expect(known).toMatchObject({ id: `holdfast:${OWN}@local`, grantee: 'holdfast@local' });
    expect(known['endpointUrl'] !== undefined).toBe(home === daemonHome);
    expect(Object.keys(known).join()).not.toMatch(/secret/i);
  });

  it.each([
    [['admin', 'users', 'add', 'nowhere:ann'], 'NotFound', 'admin projects add'],
    [['admin', 'users', 'add', OWN], 'Conflict', 'admin keys add'],
    [['admin', 'users', 'add', 'a,b'], 'BadRequest', undefined],
    [['admin', 'users', 'remove', 'nobody', '--yes'], 'NotFound', 'admin users list'],
    [['admin', 'users', 'grant', 'nobody'], 'NotFound', 'admin users list'],
    [['admin', 'users', 'disable', 'nobody'], 'NotFound', 'admin users list'],
    [['admin', 'whoami', 'nobody'], 'NotFound', 'admin users list'],
    [['admin', 'keys', 'add', 'nobody'], 'NotFound', 'admin users list'],
    [['admin', 'users', 'remove', OWN, '--yes'], 'Conflict', undefined],
    [['admin', 'users', 'revoke', OWN], 'Conflict', undefined],
    [['admin', 'users', 'disable', OWN], 'Conflict', undefined],
    [['admin', 'projects', 'remove', 'holdfast', '--yes'], 'Conflict', undefined],
    [['admin', 'projects', 'remove', 'nowhere', '--yes'], 'NotFound', 'admin projects list'],
    [['admin', 'projects', 'add', 'holdfast'], 'Conflict', undefined],
    [['admin', 'projects', 'set-email', 'holdfast', 'nothing'], 'BadRequest', undefined],
    [['admin', 'groups', 'join', 'nobody', OWN], 'NotFound', 'admin groups list'],
  ])('the command line %j fails with %s', async (argv, code, hint) => {
    const run = runIn(homeOf());
    const before = await idsOf(run);
    const { exitCode, stdout, stderr } = await run(...argv, '--json');
    expect({ exitCode, stderr }).toEqual({ exitCode: code === 'BadRequest' ? 2 : 1, stderr: '' });
    expect(errorOf(stdout)).toMatchObject({
      code,
      ...(hint && { hint: expect.stringContaining(hint) as string }),
    });
    expect(await idsOf(run)).toEqual(before);
  });

  it.each([
    [['admin', 'users', 'add']],
    [['admin', 'users', 'add', 'photos:']],
    [['admin', 'users', 'add', '']],
    [['admin', 'projects', 'add', 'a:b']],
    [['admin', 'projects', 'add', '@b']],
    [['admin', 'groups', 'join', 'admins']],
    [['admin', 'users']],
  ])('the command line %j is a usage error', async (argv) => {
    expect((await runIn(homeOf())(...argv)).exitCode).toBe(2);
  });
});

it('the log contains each change of permissions, and no refused change', async () => {
  const run = runIn(daemonHome);
  for (const argv of [
    ['admin', 'users', 'add', 'logged', '--full-access'],
    ['admin', 'users', 'add', 'logged'],
    ['admin', 'users', 'list'],
    ['admin', 'users', 'remove', 'logged', '--yes'],
  ]) {
    await run(...argv);
  }
  const lines = readFileSync(join(daemonHome, 'state', 'holdfast.log'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.filter(({ user }) => user === 'logged')).toMatchObject([
    { msg: 'users.add: done', fullAccess: true, again: false },
    { msg: 'users.remove: done' },
  ]);
});

it('[whoami-2] `admin whoami` for a remote service prints the user to whom the access key belongs', async () => {
  const root = newHome();
  const home = resolveHome({ homeFlag: root, env: {}, cwd: '/' });
  const near = await startDaemon({ home });
  onTestFinished(() => near.stop('the test is over'));
  const inDaemon = { env: { HOLDFAST_HOME: daemonHome }, clock: systemClock };
  await runCli(['admin', 'users', 'add', 'eve'], inDaemon);
  const shown = ['admin', 'credentials', '--key', 'holdfast:eve@local', '--show-secret', '--json'];
  const { endpointUrl: endpoint, ...key } = jsonOf(
    (await runCli(shown, inDaemon)).stdout,
  ) as Record<'accessKeyId' | 'endpointUrl' | 'secretAccessKey', string>;
  const client = await connectControl({ socketPath: home.socketPath, clientName: 'test' });
  onTestFinished(() => client.close());
  const { accessKeyId, secretAccessKey } = key;
  await client.call('targets.add', { name: 'far', endpoint, accessKeyId, secretAccessKey });

  const { stdout } = await runIn(root)('admin', 'whoami', '--target', 'far');
  expect(stdout).toContain('storage user id    holdfast:eve@local\nproject id         holdfast\n');
  expect(stdout).not.toContain(secretAccessKey);
  expect(
    jsonOf((await runIn(root)('admin', 'whoami', '--target', 'far', '--json')).stdout),
  ).toEqual({
    name: 'far',
    endpoint,
    region: 'us-east-1',
    protocol: 's3',
    accessKeyId,
    owner: 'holdfast:eve@local',
    project: 'holdfast',
    user: 'eve',
    customer: 'local',
  });
  expect((await runIn(root)('admin', 'whoami', '--target', 'nowhere')).stderr).toContain('nowhere');
  expect((await runIn(root)('admin', 'whoami', 'ann', '--target', 'far')).exitCode).toBe(2);
});

describe('users who own buckets', () => {
  it('[user-12] a user who owns buckets and the project of that user cannot be removed, even while no daemon runs', async () => {
    const home = newHome();
    const run = runIn(home);
    await run('admin', 'projects', 'add', 'photos');
    await run('admin', 'users', 'add', 'photos:ann');
    await run('admin', 'users', 'add', 'photos:bob');
    const ann = { kind: 'user', user: 'ann', project: 'photos', customer: 'local' } as const;
    const opened = await openTestEngine({ dir: join(home, 'data', 'store') });
    const store = opened.engine.as(internalCaller({ ...ann, fullAccess: false }, 0));
    await store.createBucket({ bucket: 'anns' });
    await opened.engine.close();

    for (const argv of [
      ['admin', 'users', 'remove', 'photos:ann', '--yes'],
      ['admin', 'projects', 'remove', 'photos', '--yes'],
    ]) {
      const { exitCode, stderr } = await run(...argv);
      expect(exitCode).toBe(1);
      expect(stderr).toContain('bucket anns would have no owner');
    }
    expect((await run('admin', 'users', 'remove', 'photos:bob', '--yes')).exitCode).toBe(0);
  });

  it('a user can be removed if the home has no store', async () => {
    const run = runIn(newHome());
    await run('admin', 'users', 'add', 'ann');
    expect((await run('admin', 'users', 'remove', 'ann', '--yes')).stderr).toBe('');
  });
});

it('the commands for users, keys and whoami print no secret', async () => {
  const home = newHome();
  const run = runIn(home);
  const said = [];
  for (const argv of [
    ['admin', 'users', 'add', 'ann'],
    ['admin', 'users', 'list', '--json'],
    ['admin', 'keys', 'list', '--json'],
    ['admin', 'keys', 'add', 'ann', '--json'],
    ['admin', 'whoami', 'ann', '--json'],
  ]) {
    const { stdout, stderr } = await run(...argv);
    said.push(stdout, stderr);
  }
  const path = join(home, 'data', 'identity.sqlite');
  const identity = openSqliteIdentity({ path, clock: systemClock });
  onTestFinished(() => identity.close());
  const keys = identity.keys.listKeys();
  expect(keys).toHaveLength(3);
  for (const { accessKeyId } of keys) {
    const secret = identity.keys.findKey(accessKeyId)?.secretAccessKey ?? '';
    expect(secret).toHaveLength(40);
    expect(said.join('\n')).not.toContain(secret);
  }
});
