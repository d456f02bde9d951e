/** Tests of the `target` commands with a second Holdfast as the remote service. */

import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import type { Finding } from '../../src/base/finding.ts';
import { startDaemonHere } from '../helpers/daemon-here.ts';
import { runCli, startCli, jsonOf, parsedJson } from '../helpers/run-cli.ts';
import { openS3Front } from '../helpers/s3-front.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

async function withTarget() {
  const folder = temporaryFolder('hf-target');
  const home = join(folder, 'home');
  const [remote, local] = [
    await startDaemonHere(join(folder, 'remote')),
    await startDaemonHere(home),
  ];
  onTestFinished(async () => {
    await local.stop();
    await remote.stop();
  });
  const { endpointUrl, accessKeyId, secretAccessKey } = await remote.client.call('credentials', {});
  const key = { accessKeyId, secretAccessKey };
  const env = {
    HOLDFAST_TARGET_ACCESS_KEY_ID: accessKeyId,
    HOLDFAST_TARGET_SECRET_ACCESS_KEY: secretAccessKey,
  };
  const cli = (line: string, more: Readonly<Record<string, string>> = env) =>
    runCli([...line.split(' '), '--home', home], { env: more, cwd: folder, clock: systemClock });
  /** Runs a command in the home of the remote service. */
  const there = (line: string) =>
    runCli([...line.split(' '), '--home', join(folder, 'remote')], { cwd: folder });
  const added = await cli(`target add far ${endpointUrl}`);
  expect(added).toMatchObject({ exitCode: 0, stderr: '' });
  expect(added.stdout).toContain(`added target far: ${endpointUrl}, region us-east-1 (`);
  expect(added.stdout).toContain(`holdfast --home ${home} up FOLDER --to far`);
  return { folder, home, remote, endpointUrl, key, cli, there };
}

it('`target list` shows the endpoint of a target and the jobs that use it', async () => {
  const { folder, endpointUrl, cli } = await withTarget();
  mkdirSync(join(folder, 'docs'));
  expect((await cli('job add docs --target far')).exitCode).toBe(0);
  expect((await cli('wait')).exitCode).toBe(0);
  const { stdout } = await cli('target list');
  expect(stdout).toMatch(/^TARGET +ENDPOINT +REGION +PROTOCOL +JOBS\nfar +http/);
  expect(jsonOf((await cli('target list --json')).stdout)).toEqual({
    targets: [
      { name: 'far', endpoint: endpointUrl, region: 'us-east-1', protocol: 's3', jobs: ['docs'] },
    ],
  });
  expect(await cli('target remove far --yes')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('job docs uses it') as string,
  });
});

it('`target add` saves no access key that the service refuses, and fails without a key', async () => {
  const { endpointUrl, cli } = await withTarget();
  const wrong = {
    HOLDFAST_TARGET_ACCESS_KEY_ID: 'unknown',
    HOLDFAST_TARGET_SECRET_ACCESS_KEY: 'secret',
  };
  const other = endpointUrl.replace('127.0.0.1', 'localhost');
  expect((await cli(`target add other ${other}`, wrong)).exitCode).toBe(1);
  expect((await cli(`target add other ${other}`, {})).stderr).toContain('no credentials');
  expect((await cli('target list')).stdout).not.toContain('other');
});

it('`target test` reports an access key that the service refuses, also without a daemon, and `target set-key` replaces it', async () => {
  const { folder, home, remote, key, cli } = await withTarget();
  expect((await cli('target test far')).exitCode).toBe(0);
  const file = join(home, 'credentials', 'far.json');
  writeFileSync(file, JSON.stringify({ ...key, secretAccessKey: 'wrong' }));
  const { exitCode, stdout } = await cli('target test far');
  expect([exitCode, stdout]).toEqual([1, expect.stringContaining('target set-key far')]);

  const keyFile = join(folder, 'new-key.json');
  writeFileSync(keyFile, JSON.stringify(key), { mode: 0o600 });
  expect(await cli('target set-key far --credentials new-key.json', {})).toEqual({
    exitCode: 0,
    stdout: 'changed the key of target far\n',
    stderr: '',
  });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(key);
  expect((await cli('target test far')).exitCode).toBe(0);
  await remote.stop();
  expect((await cli('target test far')).stdout).toContain('cannot be reached');
});

it('the `target` commands change config.yaml while no daemon is running, and test the key', async () => {
  const folder = temporaryFolder('hf-no-daemon');
  const remote = await startDaemonHere(join(folder, 'remote'));
  onTestFinished(() => remote.stop());
  const { endpointUrl, accessKeyId, secretAccessKey } = await remote.client.call('credentials', {});
  const key = { accessKeyId, secretAccessKey };
  writeFileSync(join(folder, 'key.json'), JSON.stringify(key), { mode: 0o600 });
  writeFileSync(join(folder, 'wrong.json'), JSON.stringify({ ...key, secretAccessKey: 'wrong' }), {
    mode: 0o600,
  });
  const cli = (line: string) =>
    runCli([...line.split(' '), '--home', join(folder, 'home')], {
      cwd: folder,
      clock: systemClock,
    });
  const add = `target add far ${endpointUrl} --credentials`;
  expect((await cli(`${add} wrong.json`)).stderr).toContain('is wrong');
  expect((await cli(`${add} key.json`)).stdout).toContain(`added target far: ${endpointUrl}`);
  expect((await cli('target list')).stdout).toContain(endpointUrl);
  expect((await cli('target set-key far --credentials wrong.json')).exitCode).toBe(1);
  expect((await cli('target rename far near')).stdout).toBe('renamed target far to near\n');
  expect((await cli('target test near')).exitCode).toBe(0);
  expect((await cli('target remove near --yes')).stdout).toContain('removed target near');
  expect((await cli('target list')).stderr).toContain('no targets');
});

it('`target remove` removes a target and its key file', async () => {
  const { home, cli } = await withTarget();
  const file = join(home, 'credentials', 'far.json');
  expect((await cli('target remove far --yes')).stdout).toBe(
    `removed target far, and its key in ${file}\n`,
  );
  expect((await cli('target list')).stderr).toContain('no targets');
  expect((await cli('target remove far --yes')).exitCode).toBe(1);
});

it('`target add` tests the access key with the bucket in the URL, and prints the next command and the necessary policy', async () => {
  const { home, endpointUrl, cli, there } = await withTarget();
  await there('s3 mb backup --object-lock');
  const { stdout } = await cli(`target add near ${endpointUrl}/backup/laptop`);
  expect(stdout).toContain('bucket backup exists\n');
  expect(stdout).toContain(`holdfast --home ${home} up FOLDER --to near:backup/laptop/`);
  const absent = await cli(`target add third ${endpointUrl}/absent --json`);
  expect(jsonOf(absent.stdout)).toMatchObject({
    name: 'third',
    bucketExists: false,
    bucket: 'absent',
    policy: { Version: '2012-10-17' },
  });
  const { stdout: policy, exitCode } = await cli('target add x s3://backup/a --policy', {});
  expect([exitCode, parsedJson(policy)]).toMatchObject([
    0,
    {
      Statement: [
        { Resource: 'arn:aws:s3:::backup' },
        {},
        { Resource: 'arn:aws:s3:::backup/a/*' },
        {},
      ],
    },
  ]);
  expect((await cli('target list')).stdout).not.toContain('amazonaws');
  expect(await cli('target test near:backup/a --policy')).toEqual({
    exitCode: 0,
    stdout: policy,
    stderr: '',
  });
});

it('`target add` and `target set-key` accept an access key that may not list buckets if the command line names a bucket', async () => {
  const { folder, endpointUrl, cli } = await withTarget();
  const { url } = await openS3Front(endpointUrl, 0, { deniesLists: true });
  const refused = await cli(`target add one ${url}`);
  expect(refused).toMatchObject({ exitCode: 1 });
  expect(refused.stderr).toContain('has no permission to list the buckets');
  expect(refused.stderr).toContain('target add NAME ENDPOINT/BUCKET');
  expect(await cli(`target add one ${url}/backup`)).toMatchObject({ exitCode: 0 });
  mkdirSync(join(folder, 'docs'));
  expect((await cli('up docs --once --to one:backup', {})).exitCode).toBe(0);
  expect(await cli('target set-key one')).toMatchObject({ exitCode: 0 });
});

it.each(['s3', 'B2', 'gs', 'azure', 'local', 'http', 'https', 'https://x', 'a b'])(
  '`target add` and `target rename` refuse the invalid name "%s"',
  async (name) => {
    const home = temporaryFolder('hf-no-daemon');
    for (const argv of [
      ['add', name, 's3://backup'],
      ['rename', 'far', name],
    ]) {
      const refused = await runCli(['target', ...argv, '--home', home]);
      expect(refused).toMatchObject({ exitCode: 2 });
      expect(refused.stderr).toContain(`invalid target name "${name}"`);
    }
  },
);

it('`target add` asks for the access key on a terminal, and does not show the secret', async () => {
  const { home, endpointUrl, key } = await withTarget();
  const argv = ['target', 'add', 'typed', endpointUrl, '--home', home];
  const stdin = `${key.accessKeyId}\n${key.secretAccessKey}\n`;
  const running = startCli(argv, { stdin, columns: 200, clock: systemClock });
  expect(await running.exitCode).toBe(0);
  expect(running.stderr.text).toContain('Secret access key (not shown): ');
  expect(running.stderr.text + running.stdout.text).not.toContain(key.secretAccessKey);
  const file = join(home, 'credentials', 'typed.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(key);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('`target add` with another name does not change the access key of a target with the same endpoint', async () => {
  const { home, endpointUrl, key, cli, there } = await withTarget();
  const { accessKeyId } = jsonOf((await there('admin keys add --json')).stdout) as typeof key;
  const shown = await there(`admin credentials --key ${accessKeyId} --show-secret --json`);
  const other = jsonOf(shown.stdout) as typeof key;
  const added = await cli(`target add second ${endpointUrl}`, {
    AWS_ACCESS_KEY_ID: other.accessKeyId,
    AWS_SECRET_ACCESS_KEY: other.secretAccessKey,
  });
  expect(added.stdout).toContain('added target second');
  const keyOf = (name: string) =>
    JSON.parse(readFileSync(join(home, 'credentials', `${name}.json`), 'utf8')) as unknown;
  expect(keyOf('far')).toEqual(key);
  expect(keyOf('second')).toMatchObject({ accessKeyId: other.accessKeyId });
});

it('`up --to TARGET:BUCKET/PREFIX` backs up to a configured target with its access key', async () => {
  const { folder, remote, cli } = await withTarget();
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs', 'a'), 'content');
  const up = await cli('up docs --once --to far:backup/laptop', {});
  expect(up).toMatchObject({ exitCode: 0 });
  const { objects } = await remote.client.call('objects.list', { bucket: 'backup' });
  expect(objects.map(({ key }) => key)).toContain('laptop/a');
  expect((await cli('up docs --to far --region eu-1')).stderr).toContain('cannot use --region');
});

interface Tested {
  readonly findings: readonly Finding[];
  readonly supports: readonly Readonly<Record<string, unknown>>[];
}

it('`target test` reports what a service supports in a bucket, and leaves no objects in the bucket', async () => {
  const { remote, cli, there } = await withTarget();
  await there('s3 mb locked --object-lock');
  await there('s3 mb plain --no-versioning');
  await there('s3 mb versioned');
  const test = async (place: string) => {
    const { exitCode, stdout } = await cli(`target test ${place} --json`);
    const { findings, supports } = jsonOf(stdout) as Tested;
    return { exitCode, messages: findings.map(({ message }) => message).join('\n'), supports };
  };
  const all = {
    versions: true,
    objectLock: true,
    conditionalWrites: 'conditions',
    checksums: true,
  };
  const locked = await test('far:locked/docs');
  expect(locked.exitCode).toBe(0);
  expect(locked.supports).toMatchObject([
    { bucket: 'locked', prefix: 'docs/', ...all, locksOfUploads: true, locksOfCopies: true },
  ]);
  expect(locked.messages).toMatch(/\d s apart from this machine/);

  const plain = await test('far:plain');
  expect(plain).toMatchObject({ exitCode: 3, supports: [{ versions: false, objectLock: false }] });
  expect(plain.messages).toContain('overwritten and deleted files cannot be restored');
  const versioned = await test('far:versioned');
  expect(versioned).toMatchObject({
    exitCode: 0,
    supports: [{ versions: true, objectLock: false }],
  });
  expect(versioned.messages).toContain('cannot lock its versions');
  const absent = await test('far:absent');
  expect(absent).toMatchObject({ exitCode: 0, supports: [] });
  expect(absent.messages).toContain('does not exist');

  for (const bucket of ['locked', 'plain', 'versioned']) {
    const { versions } = await remote.client.call('versions.list', { bucket });
    expect(versions).toEqual([]);
  }
});

it('`target test`, `init` and `status` report a missing permission for locks in the same words', async () => {
  const { folder, endpointUrl, cli, there } = await withTarget();
  await there('admin users add bob');
  await there('s3 mb unread --object-lock');
  await there('s3 mb unset --object-lock');
  for (const [bucket, action] of [
    ['unread', 's3:GetBucketObjectLockConfiguration'],
    ['unset', 's3:PutObjectRetention'],
  ] as const) {
    const Principal = { AWS: 'arn:aws:iam:::user/holdfast:bob@local' };
    const Resource = ['', '/*'].map((end) => `arn:aws:s3:::${bucket}${end}`);
    const Statement = [{ Effect: 'Deny', Principal, Action: action, Resource }];
    writeFileSync(
      join(folder, 'policy.json'),
      JSON.stringify({ Version: '2012-10-17', Statement }),
    );
    expect(await there(`s3 policy set ${bucket} policy.json`)).toMatchObject({ exitCode: 0 });
  }
  const shown = await there('admin credentials --show-secret --json --key holdfast:bob@local');
  const { accessKeyId, secretAccessKey } = jsonOf(shown.stdout) as Record<string, string>;
  const key = join(folder, 'bob.json');
  writeFileSync(key, JSON.stringify({ accessKeyId, secretAccessKey }), { mode: 0o600 });
  await cli(`target add bob ${endpointUrl} --credentials ${key}`, {});
  for (const name of ['docs', 'code']) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'plan'), 'text');
  }

  const unread =
    'the access key has no permission to read the lock configuration of the bucket ' +
    '(s3:GetBucketObjectLockConfiguration)';
  expect((await cli('target test bob:unread')).stdout).toContain(unread);
  expect((await cli('init docs --to bob:unread --yes --no-start')).stderr).toContain(unread);
  await cli('job add docs --target bob --bucket unread --name unread');
  await expect.poll(async () => (await cli('status unread')).stdout).toContain(unread);

  const unset =
    'the access key has no permission to store locked objects (s3:PutObject and s3:PutObjectRetention)';
  const holds =
    'note    support of unset/: locks were not tested: the access key has no permission to set legal holds (s3:PutObjectLegalHold)';
  expect((await cli('target test bob:unset')).stdout).toContain(holds);
  const init = await cli('init code --to bob:unset --yes');
  expect(init.stderr).toContain(holds.replace(/ +/, ' '));
  expect((await cli('status unset')).stdout).toContain(`cannot mirror plan: ${unset}`);
});

it('`target test` writes nothing to a bucket that has a default retention', async () => {
  const { remote, cli, there } = await withTarget();
  await there('s3 mb kept --object-lock');
  await there('lock default set kept --mode GOVERNANCE --days 1');
  const { exitCode, stdout } = await cli('target test far:kept');
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('were not tested')]);
  const { versions } = await remote.client.call('versions.list', { bucket: 'kept' });
  expect(versions).toEqual([]);
});

it('`target rename` renames a target, its key file and the state of its jobs, and changes the jobs in config.yaml', async () => {
  const { folder, home, cli } = await withTarget();
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs', 'a'), 'content');
  expect((await cli('job add docs')).exitCode).toBe(0);
  const config = join(home, 'config.yaml');
  const also =
    '    also:\n      - target: far   # elsewhere\n        lock: {mode: GOVERNANCE, days: 3}\n';
  writeFileSync(
    config,
    readFileSync(config, 'utf8').replace('bucket: docs\n', `bucket: docs\n${also}`),
  );
  expect((await cli('config reload')).exitCode).toBe(0);
  expect((await cli('wait')).exitCode).toBe(0);
  const keyOf = (name: string) => join(home, 'credentials', `${name}.json`);
  const stateOf = (job: string) => join(home, 'state', 'jobs', job);
  const key = readFileSync(keyOf('far'), 'utf8');
  const proof = readFileSync(join(stateOf('docs@far'), 'provenance.key'), 'utf8');

  const renamed = await cli('target rename far distant', {});
  expect(renamed).toEqual({
    exitCode: 0,
    stdout: 'renamed target far to distant; its jobs: docs@distant\n',
    stderr: '',
  });
  expect(readFileSync(config, 'utf8')).toMatch(/- target: distant +# elsewhere/);
  expect([existsSync(keyOf('far')), readFileSync(keyOf('distant'), 'utf8')]).toEqual([false, key]);
  expect(statSync(keyOf('distant')).mode & 0o777).toBe(0o600);
  expect((await cli('wait')).exitCode).toBe(0);
  expect(existsSync(stateOf('docs@far'))).toBe(false);
  expect(readFileSync(join(stateOf('docs@distant'), 'provenance.key'), 'utf8')).toBe(proof);
  const { stdout } = await cli('status --json');
  const { jobs } = jsonOf(stdout) as { jobs: readonly object[] };
  expect(jobs).toMatchObject([
    { name: 'docs' },
    { name: 'docs@distant', inSync: true, locks: { locked: 1 } },
  ]);
});

it('`target rename` refuses a name that exists, a key file that exists, and an unknown target', async () => {
  const { home, endpointUrl, cli } = await withTarget();
  await cli(`target add near ${endpointUrl}`);
  const config = () => readFileSync(join(home, 'config.yaml'), 'utf8');
  const before = config();
  const file = join(home, 'credentials', 'spare.json');
  writeFileSync(file, 'a key of the user', { mode: 0o600 });
  const refusals: readonly (readonly [string, string])[] = [
    ['target rename far near', 'a target near exists already'],
    ['target rename far spare', 'spare.json exists already, with another key'],
    ['target rename gone other', 'unknown target "gone"'],
  ];
  for (const [line, message] of refusals) {
    const refused = await cli(line);
    expect(refused).toMatchObject({ exitCode: 1 });
    expect(refused.stderr).toContain(message);
  }
  expect([config(), readFileSync(file, 'utf8')]).toEqual([before, 'a key of the user']);
});

it('`up`, `init` and `restore --from` read the access key from a profile or a program, as `target add` does', async () => {
  const { folder, endpointUrl, key } = await withTarget();
  for (const name of ['docs', 'notes', 'aws']) mkdirSync(join(folder, name), { mode: 0o700 });
  writeFileSync(join(folder, 'docs/plan.md'), 'one');
  const { accessKeyId, secretAccessKey } = key;
  const profile = `[backup]\naws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secretAccessKey}\n`;
  const [profiles, file] = [join(folder, 'aws/credentials'), join(folder, 'key.json')];
  writeFileSync(profiles, profile, { mode: 0o600 });
  writeFileSync(file, JSON.stringify(key), { mode: 0o600 });
  const run = (line: string, ...options: string[]) =>
    runCli([...line.split(' '), ...options, '--home', join(folder, 'home')], {
      env: { PATH: process.env['PATH'], AWS_SHARED_CREDENTIALS_FILE: profiles },
      cwd: folder,
      clock: systemClock,
    });
  const byProgram = ['--credentials-command', `cat ${file}`];
  const other = endpointUrl.replace('127.0.0.1', 'localhost');
  const init = await run(`init notes --to ${other} --region us-east-1 --yes`, ...byProgram);
  expect(init).toMatchObject({ exitCode: 0 });
  expect(await run(`up docs --once --to ${other} --profile backup`)).toMatchObject({ exitCode: 0 });
  const from = `restore --from ${endpointUrl}/docs --to`;
  expect(await run(`${from} back`, ...byProgram)).toMatchObject({ exitCode: 0 });
  expect(await run(`${from} back-too --profile backup`)).toMatchObject({ exitCode: 0 });
  expect(readFileSync(join(folder, 'back-too/plan.md'), 'utf8')).toBe('one');
  const both = await run(`up docs --to ${other} --profile backup`, ...byProgram);
  expect(both).toMatchObject({ exitCode: 2 });
  expect(both.stderr).toContain('cannot use --profile --credentials-command together');
});
