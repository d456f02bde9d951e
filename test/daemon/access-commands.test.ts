/** Tests of `s3 acl` and `s3 policy` with the embedded store of a real daemon. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startDaemon, type RunningDaemon } from '../../daemon/main.ts';
import { systemClock } from '../../src/base/clock.ts';
import { resolveHome } from '../../src/config/home.ts';
import { runCli, jsonOf, errorOf } from '../helpers/run-cli.ts';

const HOME = mkdtempSync(join(tmpdir(), 'access-'));
const OWN = `holdfast:${userInfo().username}@local`;
let daemon: RunningDaemon;

const run = (argv: readonly string[], stdin?: string) =>
  runCli(argv, {
    env: { HOLDFAST_HOME: HOME },
    cwd: HOME,
    clock: systemClock,
    ...(stdin !== undefined && { stdin }),
  });

async function ok(...argv: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await run(argv);
  const rest = stderr.replace(/^note: this permits listing bucket photos, .*\n$/, '');
  expect({ argv, exitCode, rest }).toEqual({ argv, exitCode: 0, rest: '' });
  return stdout;
}

/** Runs a command that must fail. Returns its exit code and the error code. */
async function refusal(...argv: string[]) {
  const { exitCode, stdout, stderr } = await run([...argv, '--json']);
  expect(stderr).toBe('');
  return [exitCode, errorOf(stdout)?.code];
}

beforeAll(async () => {
  writeFileSync(join(HOME, 'config.yaml'), 'storage: {port: 0}\n', { mode: 0o600 });
  daemon = await startDaemon({ home: resolveHome({ homeFlag: HOME, env: {}, cwd: '/' }) });
  await ok('admin', 'projects', 'add', 'films@umbrella', '--email', 'films@example.com');
  await ok('admin', 'users', 'add', 'films:eve@umbrella');
  await ok('s3', 'mb', 'photos');
  writeFileSync(join(HOME, 'a'), 'hello');
  await ok('s3', 'put', 'a', 'photos/k');
});

afterAll(async () => {
  await daemon.stop('the tests are over');
  rmSync(HOME, { recursive: true });
});

const NO_GRANTS = `owner ${OWN}: all users of that project have full permissions\nthis ACL grants nothing to other projects\n`;

describe.each(['photos', 'photos/k'])('`s3 acl` with the ACL of %s', (place) => {
  it('[user-18] `s3 acl` shows, replaces, grants and revokes permissions, and makes an ACL private again', async () => {
    expect(await ok('s3', 'acl', 'get', place)).toBe(NO_GRANTS);
    const granted = await ok('s3', 'acl', 'grant', place, 'read:films@umbrella', '--public');
    expect(granted).toMatch(/RIGHT +WHOM\nread +everyone\nread +films@umbrella\n$/);
    await ok('s3', 'acl', 'grant', place, 'write:films:eve@umbrella', 'read:films@umbrella');
    const known = jsonOf(await ok('s3', 'acl', 'get', place, '--json')) as { grants: object[] };
    expect(known.grants).toEqual([
      { grantee: 'AllUsers', permission: 'READ' },
      { grantee: OWN, permission: 'FULL_CONTROL' },
      { grantee: 'films@umbrella', permission: 'READ' },
      { grantee: 'films:eve@umbrella', permission: 'WRITE' },
    ]);
    await ok('s3', 'acl', 'revoke', place, 'read:email:films@example.com', '--public');
    expect(await ok('s3', 'acl', 'get', place)).toMatch(/WHOM\nwrite +films:eve@umbrella\n$/);
    expect(await ok('s3', 'acl', 'set', place, 'read-acl:authenticated')).toMatch(
      /WHOM\nread-acl +authenticated\n$/,
    );
    expect(await ok('s3', 'acl', 'set', place, 'public-read')).toMatch(/WHOM\nread +everyone\n$/);
    expect(await ok('s3', 'acl', 'set', place, 'private')).toBe(NO_GRANTS);
  });

  it.each([
    [['grant', 'read:nobody@umbrella'], 'InvalidArgument', 2],
    [['grant', 'read:films:nobody@umbrella'], 'InvalidArgument', 2],
    [['grant', 'read:email:nobody@example.com'], 'NotFound', 1],
    [['revoke', 'read:films@umbrella'], 'NotFound', 1],
    [['set', 'aws-exec-read'], 'BadRequest', 2],
  ] as const)(
    '`s3 acl` with %j fails with %s and exit code %i, and does not change the ACL',
    async (typed, code, exitCode) => {
      const [verb, ...rights] = typed;
      expect(await refusal('s3', 'acl', verb, place, ...rights)).toEqual([exitCode, code]);
      expect(await ok('s3', 'acl', 'get', place)).toBe(NO_GRANTS);
    },
  );

  it.each([[['grant']], [['set', 'private', 'read:a@b']], [['set', 'private', '--public']]])(
    '`s3 acl` with the arguments %j is a usage error',
    async ([verb = '', ...rights]) => {
      expect((await run(['s3', 'acl', verb, place, ...rights])).exitCode).toBe(2);
    },
  );
});

it.each([
  [['grant', 'photos', 'read:films@umbrella'], true],
  [['grant', 'photos', 'full:films@umbrella'], true],
  [['grant', 'photos', '--public'], true],
  [['set', 'photos', 'public-read'], true],
  [['set', 'photos', 'authenticated-read'], true],
  [['set', 'photos', 'private'], false],
  [['grant', 'photos', 'write:films@umbrella'], false],
  [['grant', 'photos/k', 'read:films@umbrella'], false],
  [['grant', 'photos', 'read:films@umbrella', '--recursive'], false],
])(
  '`s3 acl` with %j warns that the objects of the bucket stay unreadable: %s',
  async (argv, isNoted) => {
    const { exitCode, stderr } = await run(['s3', 'acl', ...argv]);
    const note = 'note: this permits listing bucket photos, but not reading its objects';
    expect([exitCode, stderr.includes(note)]).toEqual([0, isNoted]);
    for (const place of ['photos', 'photos/k']) await ok('s3', 'acl', 'set', place, 'private');
  },
);

it('`s3 acl` changes the ACL of a single object version, and fails for an unknown object or bucket', async () => {
  const { versions } = jsonOf(await ok('s3', 'versions', 'photos/k', '--json')) as {
    versions: { versionId: string }[];
  };
  const first = versions[0]?.versionId ?? '';
  await ok('s3', 'acl', 'grant', 'photos/k', '--public', '--version-id', first);
  await ok('s3', 'put', 'a', 'photos/k');
  expect(await ok('s3', 'acl', 'get', 'photos/k')).toBe(NO_GRANTS);
  expect(await ok('s3', 'acl', 'get', 'photos/k', '--version-id', first)).toContain('everyone');
  expect(await refusal('s3', 'acl', 'get', 'photos/missing')).toEqual([1, 'NoSuchKey']);
  expect(await refusal('s3', 'acl', 'get', 'nowhere')).toEqual([1, 'NoSuchBucket']);
  expect((await run(['s3', 'acl', 'get', 'photos', '--version-id', first])).exitCode).toBe(2);
});

it('`s3 acl --recursive` changes the ACL of every object below a prefix, and --dry-run only lists the objects', async () => {
  for (const name of ['x', 'y']) await ok('s3', 'put', 'a', `photos/many/${name}`);
  await ok('s3', 'put', 'a', 'photos/many-more');
  const shared = async () => {
    const lists = ['many/x', 'many/y', 'many-more'].map((key) =>
      ok('s3', 'acl', 'get', `photos/${key}`),
    );
    return (await Promise.all(lists)).map((text) => text.includes('everyone'));
  };
  const public_ = ['photos/many', '--public', '--recursive'];
  expect(await ok('s3', 'acl', 'grant', ...public_, '--dry-run')).toContain('photos/many/x');
  expect(await shared()).toEqual([false, false, false]);
  expect(await ok('s3', 'acl', 'grant', ...public_)).toContain('2 objects');
  expect(await shared()).toEqual([true, true, false]);
  await ok('s3', 'acl', 'set', 'photos/many/x', 'private');
  await ok('s3', 'acl', 'revoke', ...public_);
  expect(await shared()).toEqual([false, false, false]);
  for (const wrong of [
    ['grant', 'photos/many', '--public', '--dry-run'],
    ['grant', ...public_, '--version-id', 'x'],
  ]) {
    expect((await run(['s3', 'acl', ...wrong])).exitCode).toBe(2);
  }
});

describe('`s3 policy` with a bucket policy', () => {
  const EVE = { AWS: 'arn:aws:iam:::user/films:eve@umbrella' };
  const policy = JSON.stringify(
    {
      Version: '2012-10-17',
      Statement: [
        {
          Sid: 'readers',
          Effect: 'Allow',
          Principal: EVE,
          Action: 's3:GetObject',
          Resource: 'arn:aws:s3:::photos/*',
        },
        {
          Effect: 'Deny',
          Principal: '*',
          Action: 's3:ListBucket',
          Resource: 'arn:aws:s3:::photos',
          Condition: { StringLike: { 's3:prefix': 'secret/*' } },
        },
      ],
    },
    undefined,
    2,
  );

  it('`s3 policy` validates, sets, prints and removes a bucket policy', async () => {
    writeFileSync(join(HOME, 'policy.json'), policy);
    expect(await refusal('s3', 'policy', 'get', 'photos')).toEqual([1, 'NoSuchBucketPolicy']);
    expect(await ok('s3', 'policy', 'check', 'photos', 'policy.json')).toBe(
      'in order: 2 statements\n',
    );
    expect(await ok('s3', 'policy', 'set', 'photos', 'policy.json')).toContain('photos');
    expect(await ok('s3', 'policy', 'get', 'photos')).toBe(`${policy}\n`);
    expect(await ok('s3', 'policy', 'check', 'photos')).toBe('in order: 2 statements\n');
    const { exitCode, stdout } = await run(['s3', 'policy', 'check', 'films', '-'], policy);
    expect({ exitCode, lines: stdout.split('\n').length }).toEqual({ exitCode: 1, lines: 3 });
    expect(stdout).toMatch(/^statement 1 \(readers\): .*\nstatement 2: /);
    expect((await run(['s3', 'policy', 'set', 'photos', '-'], '{}')).stderr).toContain('Statement');
    expect(await ok('s3', 'policy', 'get', 'photos')).toBe(`${policy}\n`);
    expect((await run(['s3', 'policy', 'set', 'photos', 'missing.json'])).exitCode).toBe(1);
    await ok('s3', 'policy', 'remove', 'photos', '--yes');
    expect(await refusal('s3', 'policy', 'get', 'photos')).toEqual([1, 'NoSuchBucketPolicy']);
  });

  it.each([
    [
      ['GetObject', 'photos/k', '--user', 'films:eve@umbrella'],
      0,
      /statement 1 \(readers\) of the/,
    ],
    [['s3:putobject', 'photos/k', '--user', 'films:eve@umbrella'], 3, /no statement and no grant/],
    [['GetObject', 'photos/k'], 0, /by ownership/],
    [['GetObject', 'photos/k', '--anonymous'], 3, /for everyone/],
    [['GetObject', 'photos/gone', '--user', 'films:eve@umbrella'], 3, /the object does not exist/],
    [['ListBucket', 'photos', '--condition', 's3:Prefix=secret/x'], 3, /statement 2 of the/],
    [['ListBucket', 'photos', '--condition', 's3:prefix=open/x'], 0, /by ownership/],
    [['ReadIt', 'photos/k'], 2, /unknown action/],
    [['GetObject', 'photos/k', '--user', 'nobody'], 1, /user .* does not exist/],
    [['GetObject', 'nowhere/k'], 1, /does not exist|nowhere/],
    [
      ['GetObject', 'photos/k', '--user', 'a', '--anonymous'],
      2,
      /cannot use --user with --anonymous/,
    ],
    [['ListBucket', 'photos', '--condition', 'x'], 2, /KEY=VALUE/],
    [['DeleteBucket', 'photos', '--user', 'films:eve@umbrella'], 3, /only the owner/],
    [['PutObjectLegalHold', 'photos/k', '--user', 'restic'], 3, /full access/],
  ])(
    '[user-19] `s3 policy explain` with %j exits with code %s and prints %s',
    async (asked, exitCode, said) => {
      await run(['admin', 'users', 'add', 'restic']);
      await run(['s3', 'policy', 'set', 'photos', '-'], policy);
      const result = await run(['s3', 'policy', 'explain', ...asked]);
      expect(result.exitCode).toBe(exitCode);
      expect(result.stdout + result.stderr).toMatch(said);
    },
  );

  it('`s3 policy explain` names the ACL grant that allows an access, in text and in JSON output', async () => {
    await ok('s3', 'acl', 'grant', 'photos/k', 'read:films@umbrella');
    await run(['s3', 'policy', 'remove', 'photos', '--yes']);
    const asked = [
      's3',
      'policy',
      'explain',
      'GetObject',
      'photos/k',
      '--user',
      'films:eve@umbrella',
    ];
    expect(jsonOf(await ok(...asked, '--json'))).toEqual({
      allowed: true,
      action: 'GetObject',
      who: 'films:eve@umbrella',
      reason: 'grant',
      exists: true,
      grant: { grantee: 'films@umbrella', permission: 'READ', on: 'object' },
    });
    expect(await ok(...asked)).toContain('by the ACL of the object: read:films@umbrella');
  });
});
