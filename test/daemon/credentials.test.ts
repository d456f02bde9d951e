/**
 * Tests of access keys with and without a running daemon. Also tests that no secret is printed or
 * logged.
 */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';

import { openLog } from '../../daemon/log/log.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { systemClock } from '../../src/base/clock.ts';
import { openSignedClient } from '../../src/client/signed-client.ts';
import type { Result } from '../../src/control/messages.ts';
import { openSqliteIdentity } from '../../src/identity/sqlite-identity.ts';
import { amzDialect, svcDialect } from '../../src/protocol/dialect.ts';
import { startDaemonHere } from '../helpers/daemon-here.ts';
import { startDaemonProcess } from '../helpers/daemon-process.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { FreeSigner, type FreeRequest } from '../helpers/free-signer.ts';
import { HttpSocket } from '../helpers/http-socket.ts';
import { runCli, jsonOf, errorOf } from '../helpers/run-cli.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const REGION = 'us-east-1';

async function daemonFixture() {
  const home = temporaryFolder('hf-keys');
  const config = 'logLevel: debug\nstorage:\n  port: 0\n';
  writeFileSync(join(home, 'config.yaml'), config, { mode: 0o600 });
  const daemon = await startDaemonProcess(home);
  onTestFinished(() => daemon.kill());
  const run = (...argv: string[]) => runCli(argv, { env: { HOLDFAST_HOME: home } });
  return { home, daemon, run };
}

/**
 * Lists the buckets with this access key as an S3 client. Returns the names of the buckets, or the
 * error code.
 */
async function outcomeOf({ endpointUrl, ...credentials }: Result<'credentials'>) {
  const client = openSignedClient({
    endpoint: endpointUrl,
    region: REGION,
    dialect: amzDialect,
    credentials,
    clock: systemClock,
    logger: silentLogger,
  });
  try {
    return (await client.listBuckets()).map(({ name }) => name);
  } catch (error) {
    return (error as { code?: string }).code;
  } finally {
    await client.close();
  }
}

describe('access keys with a running daemon', () => {
  it('a running daemon uses a rotated access key immediately, and a job without a configured key continues', async () => {
    const { daemon, run } = await daemonFixture();
    const { client } = daemon;
    const folder = temporaryFolder('hf-notes');
    writeFileSync(join(folder, 'a.txt'), 'a');
    const { job } = await client.call('jobs.add', { folder, bucket: 'notes' });
    await client.call('jobs.settled', { name: job.name });

    const old = await client.call('credentials', {});
    expect((await run('admin', 'keys', 'rotate')).exitCode).toBe(0);
    const fresh = await client.call('credentials', {});
    expect(fresh.accessKeyId).not.toBe(old.accessKeyId);
    for (const key of [old, fresh]) expect(await outcomeOf(key)).toEqual(['notes']);

    await run('admin', 'keys', 'remove', old.accessKeyId, '--yes');
    await run('admin', 'keys', 'remove', fresh.accessKeyId, '--yes');
    for (const key of [old, fresh]) expect(await outcomeOf(key)).toBe('InvalidAccessKeyId');
    writeFileSync(join(folder, 'b.txt'), 'b');
    const settled = await client.call('jobs.settled', { name: job.name });
    expect(settled.job).toMatchObject({ inSync: true, counts: { files: 2 } });
    expect((await run('admin', 'credentials', '--env')).stderr).toContain(
      'holdfast admin keys add',
    );
    expect((await run('admin', 'keys', 'add')).exitCode).toBe(0);
    expect((await run('admin', 'credentials', '--env')).stdout).toContain('AWS_SECRET_ACCESS_KEY=');
  });

  it('no other process can change users and access keys while a daemon runs, but every process can read them', async () => {
    const { home, daemon, run } = await daemonFixture();
    const { accessKeyId } = await daemon.client.call('credentials', {});
    const path = join(home, 'data', 'identity.sqlite');
    const other = new Database(path, { timeout: 0 });
    onTestFinished(() => void other.close());
    const locked = expect.objectContaining({ code: 'SQLITE_BUSY' }) as Error;
    const remove = () => other.exec('DELETE FROM access_key');
    expect(remove).toThrow(locked);
    expect((await run('admin', 'users', 'add', 'ann')).exitCode).toBe(0);
    expect(remove).toThrow(locked);
    const reader = openSqliteIdentity({ path, clock: systemClock });
    onTestFinished(() => reader.close());
    expect(reader.keys.listKeys().map((key) => key.accessKeyId)).toEqual([
      'holdfast:ann@local',
      accessKeyId,
    ]);
  });

  it('[user-25] after a kill, the daemon knows each user whose creation or removal it acknowledged', async () => {
    const { home, daemon, run } = await daemonFixture();
    const ids = async () => {
      const { users } = jsonOf((await run('admin', 'users', 'list', '--json')).stdout) as {
        users: { id: string }[];
      };
      return users.map(({ id }) => id);
    };
    expect((await run('admin', 'projects', 'add', 'photos')).exitCode).toBe(0);
    expect((await run('admin', 'users', 'add', 'photos:ann')).exitCode).toBe(0);
    expect((await run('admin', 'users', 'add', 'bob')).exitCode).toBe(0);
    expect((await run('admin', 'users', 'remove', 'bob', '--yes')).exitCode).toBe(0);
    const before = await ids();
    await daemon.kill();
    const again = await startDaemonHere(home);
    onTestFinished(() => again.stop());
    expect(await ids()).toEqual(before);
    expect(before.filter((id) => !id.startsWith('holdfast:'))).toEqual(['photos:ann@local']);
  });

  it('the daemon writes no secret and no signature to its log, standard error or process arguments', async () => {
    const { home, daemon, run } = await daemonFixture();
    let said = '';
    daemon.process.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const first = await daemon.client.call('credentials', {});
    const { host } = new URL(first.endpointUrl);
    const secrets = [first.secretAccessKey, 'a wrong secret'];
    for (const dialect of [svcDialect(), amzDialect]) {
      const signer = new FreeSigner({
        dialect,
        host,
        region: REGION,
        credentials: first,
        now: () => systemClock.now(),
      });
      for (const wish of requestsOfEveryKind(first)) {
        const { text, seed } = signer.sign(wish);
        secrets.push(seed.signature);
        const socket = new HttpSocket(Number(new URL(first.endpointUrl).port));
        socket.write(text);
        expect((await socket.answer(wish.method)).status).toBeGreaterThanOrEqual(200);
        socket.destroy();
      }
    }
    const target = {
      endpoint: 'http://127.0.0.1:1',
      accessKeyId: 'x',
      secretAccessKey: 'of a target',
    };
    secrets.push(target.secretAccessKey);
    const { warning } = await daemon.client.call('targets.add', target);
    expect(warning).toContain('the connection was refused');
    expect(warning).not.toContain('of a target');
    const rotated = jsonOf((await run('admin', 'keys', 'rotate', '--json')).stdout) as {
      readonly key: { readonly accessKeyId: string };
    };
    const { accessKeyId } = rotated.key;
    secrets.push((await daemon.client.call('credentials', { accessKeyId })).secretAccessKey);
    const listed = await run('admin', 'keys', 'list');
    await run('admin', 'keys', 'remove', 'no:such@key', '--yes');
    const argv = readFileSync(`/proc/${daemon.process.pid}/cmdline`, 'utf8');
    expect(await daemon.stop()).toBe(0);

    const log = readFileSync(join(home, 'state', 'holdfast.log'), 'utf8');
    expect(log).toContain('"level":"debug"');
    for (const text of [log, said, argv, listed.stdout, JSON.stringify(rotated)]) {
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    }
    expect(filesThatHold(home, first.secretAccessKey)).toEqual(['data/identity.sqlite']);
  });
});

/**
 * Returns requests that succeed, requests that are refused, and requests that fail late. Together,
 * their signatures are in every possible place.
 */
function requestsOfEveryKind(key: { readonly accessKeyId: string }): readonly FreeRequest[] {
  const wrong = { ...key, secretAccessKey: 'a wrong secret' };
  return [
    { url: '/' },
    { url: '/', credentials: wrong },
    { url: '/', credentials: { ...wrong, accessKeyId: 'no:body@here' } },
    { url: '/?x-id=ListBuckets', presigned: {} },
    { url: '/', presigned: {}, credentials: wrong },
    { url: '/', presigned: { Expires: '0' } },
    { method: 'PUT', url: '/box' },
    { method: 'PUT', url: '/box/k', body: 'hello' },
    { method: 'PUT', url: '/box/k', body: 'hello', payloadHash: '0'.repeat(64) },
    { method: 'PUT', url: '/box?versioning', body: 'no xml' },
    { url: '/box/k?acl' },
    { url: '/box/k', scope: { region: 'elsewhere' } },
  ];
}

/** Returns the relative paths of all files in `folder` that contain `text`. */
function filesThatHold(folder: string, text: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text))
    .map((file) => file.slice(folder.length + 1))
    .sort();
}

it('a secret that is passed to the logger by mistake does not appear in the log', () => {
  const file = join(temporaryFolder('hf-log'), 'log');
  const lines: string[] = [];
  const log = openLog({ file, level: 'debug', onLine: (line) => void lines.push(line) });
  const secretAccessKey = 'never to be seen';
  log.info({ secretAccessKey }, 'one');
  log.warn({ key: { accessKeyId: 'a:b@c', secretAccessKey } }, 'two');
  log.error({ request: { headers: { authorization: secretAccessKey } } }, 'three');
  log.close();
  expect(lines).toHaveLength(3);
  expect(lines[1]).toContain('a:b@c');
  expect(lines.join() + readFileSync(file, 'utf8')).not.toContain(secretAccessKey);
});

describe('access keys without a daemon', () => {
  const clock = new FakeClock();

  function homeWithKeys() {
    const home = temporaryFolder('hf-keys');
    mkdirSync(join(home, 'data'));
    const path = join(home, 'data', 'identity.sqlite');
    const identity = openSqliteIdentity({ path, clock });
    onTestFinished(() => identity.close());
    identity.projects.addProject({ project: 'holdfast', customer: 'local', again: false });
    const run = (...argv: string[]) => runCli(argv, { env: { HOLDFAST_HOME: home }, clock });
    return { identity, run };
  }

  it('without a daemon, `admin keys` lists, adds, rotates and removes the access keys of a home', async () => {
    const { identity, run } = homeWithKeys();
    expect((await run('admin', 'keys', 'list')).stderr).toContain('no access key');
    expect((await run('admin', 'users', 'add', 'ann')).exitCode).toBe(0);
    expect(identity.keys.findKey('holdfast:ann@local')).toBeDefined();
    clock.advance(1);
    const rotated = await run('admin', 'keys', 'rotate', 'holdfast:ann@local', '--json');
    const { key, old } = jsonOf(rotated.stdout) as Record<string, { accessKeyId: string }>;
    expect(old).toMatchObject({ accessKeyId: 'holdfast:ann@local', user: 'ann' });
    expect(jsonOf((await run('admin', 'keys', 'list', '--json')).stdout)).toEqual({
      keys: [old, key],
    });
    expect((await run('admin', 'keys', 'remove', 'holdfast:ann@local', '--yes')).exitCode).toBe(0);
    expect(identity.keys.listKeys()).toMatchObject([{ accessKeyId: key?.accessKeyId }]);
  });

  it.each([
    [['remove', 'no:such@key', '--yes'], 'NotFound', 'keys list'],
    [['rotate', 'no:such@key'], 'NotFound', 'keys list'],
    [['rotate'], 'NotFound', 'keys add'],
    [['add', 'nobody'], 'NotFound', 'users add'],
  ])(
    '`admin keys` %j fails without a daemon with the same error as with a daemon: %s',
    async (argv, code, hint) => {
      const { run } = homeWithKeys();
      const { exitCode, stdout } = await run('admin', 'keys', ...argv, '--json');
      expect(exitCode).toBe(1);
      expect(errorOf(stdout)).toMatchObject({
        code,
        ...(hint && { hint: expect.stringContaining(hint) as string }),
      });
    },
  );

  it('`admin keys` fails in an empty home, and creates no file', async () => {
    const home = temporaryFolder('hf-keys');
    const { exitCode, stderr } = await runCli(['admin', 'keys', 'list'], {
      env: { HOLDFAST_HOME: home },
    });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('up FOLDER');
    expect(readdirSync(home)).toEqual([]);
  });
});
