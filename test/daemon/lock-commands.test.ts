/**
 * Tests of lock, versioning, bucket, quota, link and rm commands with a real store, through the
 * handlers of the daemon.
 */

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { atTarget } from '../../daemon/handlers/buckets/at-target.ts';
import { linkHandlers } from '../../daemon/handlers/buckets/links.ts';
import { lockHandlers } from '../../daemon/handlers/buckets/locks.ts';
import { objectHandlers } from '../../daemon/handlers/buckets/objects.ts';
import { quotaHandlers } from '../../daemon/handlers/store/quotas.ts';
import { storageHandlers } from '../../daemon/handlers/buckets/storage.ts';
import { versionHandlers } from '../../daemon/handlers/buckets/versions.ts';
import { Links } from '../../daemon/services/links.ts';
import { ControlError } from '../../src/control/control-error.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { runProgram } from '../../src/cli/program.ts';
import { type Engine, openEngine } from '../../src/engine/engine.ts';
import { type Gateway, openGateway } from '../../src/gateway/gateway.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import { internalCaller } from '../../src/object-store/caller.ts';
import type { ObjectStore, PutObjectRequest } from '../../src/object-store/object-store.ts';
import { amzDialect, svcDialect } from '../../src/protocol/dialect.ts';
import { controlFixture } from '../helpers/control-fixture.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { daemonStatus } from '../helpers/job-status.ts';
import { CapturedSink, runCli, jsonOf } from '../helpers/run-cli.ts';
import { TEST_USER } from '../helpers/test-engine.ts';

const DAY_MS = 86_400_000;
const REGION = 'us-east-1';
const dialects = { svc: svcDialect(), amz: amzDialect };

/** Fake clock of the store. All tests share it, and each test creates its own bucket. */
const clock = new FakeClock();
let dir: string;
let engine: Engine;
let gateway: Gateway;
let links: Links;
let store: ObjectStore;
let buckets = 0;
/**
 * Maximum number of keys in a bulk delete. It is less than a page, so that deletes with many keys
 * need several calls.
 */
const keysPerBulkDelete = 400;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'lock-commands-'));
  const logger = silentLogger;
  const quotas = { bucketsPerProject: 200, keysPerBulkDelete };
  engine = await openEngine({
    dir,
    clock,
    logger,
    region: REGION,
    quotas,
    uptime: () => undefined,
  });
  store = engine.as(internalCaller(TEST_USER, clock.now()));
  const as: Engine['as'] = (caller) => engine.as(caller);
  const file = join(dir, 'link-secret');
  links = await Links.open({
    file,
    dialect: dialects.svc,
    region: REGION,
    clock,
    store: as,
    bucketIdOf: (bucket) => engine.bucketId(bucket),
  });
  gateway = await openGateway({
    store: as,
    identity: { findKey: () => undefined },
    links: links.keys,
    dialects,
    host: '127.0.0.1',
    port: 0,
    region: REGION,
    clock,
    logger,
  });
});

afterAll(async () => {
  await gateway.close();
  await engine.close();
  rmSync(dir, { recursive: true });
});

interface Shop {
  readonly bucket: string;
  readonly run: (...argv: string[]) => ReturnType<typeof runCli>;
  readonly put: (key: string, more?: Partial<PutObjectRequest>) => Promise<string>;
  readonly keys: () => Promise<string[]>;
  readonly home: string;
}

async function shop({ objectLock = false } = {}): Promise<Shop> {
  const bucket = `shop-${++buckets}`;
  await store.createBucket({ bucket, objectLockEnabled: objectLock });
  const logger = silentLogger;
  const { socketPath } = await controlFixture(({ streams }) => ({
    status: async () => daemonStatus(),
    ...atTarget(() => ({ store }), {
      ...storageHandlers(streams, logger),
      ...objectHandlers({ logger, clock, onCopyProgress: () => undefined }),
      ...lockHandlers({ clock, quotas: { keysPerBulkDelete } }),
      ...versionHandlers(),
      ...linkHandlers({ links, clock, storage: { url: gateway.url } }),
    }),
    ...quotaHandlers(engine.quotas, {
      own: TEST_USER,
      check: ({ project }) => {
        if (project === 'typo') throw new ControlError('NotFound', 'find project typo: none');
      },
    }),
  }));
  const home = dirname(socketPath);
  return {
    bucket,
    home,
    run: (...argv) => runCli(argv, { env: { HOLDFAST_HOME: home }, clock }),
    put: async (key, more = {}) => {
      const body = bytesBody('text');
      const { versionId = '' } = await store.putObject({ bucket, key, body, ...more });
      return versionId;
    },
    keys: async () => (await store.listObjects({ bucket })).objects.map(({ key }) => key),
  };
}

const ok = (stdout: string) => ({ exitCode: 0, stdout, stderr: '' });

describe('`lock retention`', () => {
  it('`lock retention` sets, shows and extends a COMPLIANCE retention, and does not shorten it', async () => {
    const { bucket, run, put } = await shop({ objectLock: true });
    await put('a');
    const place = `${bucket}/a`;
    expect(await run('lock', 'retention', 'get', place)).toEqual(
      ok(`${place}: no retention was ever set\n`),
    );
    const set = await run(
      'lock',
      'retention',
      'set',
      place,
      '--mode',
      'compliance',
      '--for',
      '10d',
      '--yes',
    );
    expect(set).toMatchObject({ exitCode: 0 });
    const retainUntil = clock.now() + 10 * DAY_MS;
    const { stdout } = await run('lock', 'retention', 'get', place, '--json');
    expect(jsonOf(stdout)).toEqual({ retention: { mode: 'COMPLIANCE', retainUntil } });
    const shorter = await run('lock', 'retention', 'extend', place, '--for', '9d');
    expect(shorter).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('already') });
    const weaker = await run(
      'lock',
      'retention',
      'set',
      place,
      '--mode',
      'GOVERNANCE',
      '--for',
      '20d',
    );
    expect(weaker).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('COMPLIANCE') });
    expect(
      await run('lock', 'retention', 'extend', place, '--until', '2027-12-31T00:00:00Z', '--yes'),
    ).toMatchObject({ exitCode: 0 });
    expect(await store.getRetention({ bucket, key: 'a' })).toEqual({
      mode: 'COMPLIANCE',
      retainUntil: Date.UTC(2027, 11, 31),
    });
  });

  it('`lock retention set` shortens a GOVERNANCE retention only with an explicit bypass', async () => {
    const { bucket, run, put } = await shop({ objectLock: true });
    await put('a');
    const set = (...more: string[]) =>
      run('lock', 'retention', 'set', `${bucket}/a`, '--mode', 'GOVERNANCE', ...more);
    await set('--for', '10d');
    const denied = await set('--for', '5d');
    expect(denied).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('bypass') });
    expect(await set('--for', '5d', '--bypass-governance', '--yes')).toMatchObject({ exitCode: 0 });
  });

  it('`lock retention set` applies to one version, or to all objects of a folder', async () => {
    const { bucket, run, put } = await shop({ objectLock: true });
    const first = await put('f/a');
    await put('f/a');
    await put('f/b');
    await put('other');
    const of = ['--mode', 'GOVERNANCE', '--for', '1d'];
    await run('lock', 'retention', 'set', `${bucket}/f/a`, '--version-id', first, ...of);
    expect(await store.getRetention({ bucket, key: 'f/a', versionId: first })).toBeDefined();
    const dry = await run(
      'lock',
      'retention',
      'set',
      `${bucket}/f`,
      '--recursive',
      '--dry-run',
      ...of,
    );
    expect(dry.stdout).toContain('would retain 2 objects');
    const returned = jsonOf(
      (await run('lock', 'retention', 'get', `${bucket}/f/b`, '--json')).stdout,
    );
    expect(returned).toEqual({});
    const done = await run('lock', 'retention', 'set', `${bucket}/f`, '--recursive', ...of);
    expect(done).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('2 objects') });
    expect(await store.getRetention({ bucket, key: 'f/b' })).toBeDefined();
    await expect(store.getRetention({ bucket, key: 'other' })).rejects.toMatchObject({
      code: 'ObjectLockConfigurationNotFoundError',
    });
  });

  it('`lock retention set` in a bucket without Object Lock fails with the reason', async () => {
    const { bucket, run, put } = await shop();
    await put('a');
    const refused = await run(
      'lock',
      'retention',
      'set',
      `${bucket}/a`,
      '--mode',
      'COMPLIANCE',
      '--for',
      '1d',
      '--yes',
    );
    expect(refused).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('Object Lock Configuration'),
    });
  });

  it.each([
    [['--mode', 'COMPLIANCE'], 'its end is not clear'],
    [['--mode', 'COMPLIANCE', '--for', '1d', '--until', '2030-01-01'], 'its end is not clear'],
    [['--mode', 'SOFT', '--for', '1d'], 'SOFT'],
    [['--mode', 'COMPLIANCE', '--until', '2020-01-01'], 'not in the future'],
    [['--mode', 'COMPLIANCE', '--until', '2027-02-30'], 'invalid time'],
    [['--mode', 'COMPLIANCE', '--for', '1d', '--dry-run'], '--recursive'],
    [['--mode', 'COMPLIANCE', '--for', '1d', '-r', '--version-id', 'x'], '--version-id'],
  ])('`lock retention set` with the options %j is a usage error', async (argv, words) => {
    const { run } = await shop();
    const result = await run('lock', 'retention', 'set', 'b/a', ...argv);
    expect(result).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(words) });
  });
});

describe('lock commands with --dry-run', () => {
  const onAll = (bucket: string) => [`${bucket}/f`, '--recursive', '--dry-run'];

  it('`lock retention set --dry-run` reports the versions whose COMPLIANCE retention it could not shorten', async () => {
    const { bucket, run, put } = await shop({ objectLock: true });
    const retainUntil = clock.now() + 10 * DAY_MS;
    await put('f/locked', { lock: { retention: { mode: 'COMPLIANCE', retainUntil } } });
    await put('f/free');
    const of = ['--mode', 'COMPLIANCE', '--for', '5d'];
    const dry = await run('lock', 'retention', 'set', ...onAll(bucket), ...of);
    expect(dry.exitCode).toBe(3);
    expect(dry.stdout).toContain('would retain 1 object');
    expect(dry.stdout).toMatch(/! \S+\/f\/locked: cannot change the retention: .*COMPLIANCE until/);
    const real = await run('lock', 'retention', 'set', `${bucket}/f`, '-r', '--yes', ...of);
    expect(real.exitCode).toBe(3);
    expect(real.stdout).toContain(dry.stdout.split('! ')[1]);
    await expect(store.getRetention({ bucket, key: 'f/free' })).resolves.toBeDefined();
  });

  it('`lock retention extend --dry-run` reports the versions whose retention it could not extend', async () => {
    const { bucket, run, put } = await shop({ objectLock: true });
    const until = (days: number) => clock.now() + days * DAY_MS;
    const retained = (days: number) => ({
      lock: { retention: { mode: 'GOVERNANCE' as const, retainUntil: until(days) } },
    });
    await put('f/longer', retained(10));
    await put('f/shorter', retained(1));
    await put('f/free');
    const dry = await run('lock', 'retention', 'extend', ...onAll(bucket), '--for', '5d');
    expect(dry.exitCode).toBe(3);
    expect(dry.stdout).toContain('would extend 1 object');
    expect(dry.stdout).toMatch(/! \S+\/f\/free: .*it has none/);
    expect(dry.stdout).toMatch(/! \S+\/f\/longer: .*already/);
    expect(await store.getRetention({ bucket, key: 'f/shorter' })).toEqual({
      mode: 'GOVERNANCE',
      retainUntil: until(1),
    });
  });

  it.each([
    [
      ['lock', 'retention', 'set'],
      ['--mode', 'GOVERNANCE', '--for', '1d'],
    ],
    [
      ['lock', 'retention', 'extend'],
      ['--for', '1d'],
    ],
    [['lock', 'hold', 'on'], []],
    [['lock', 'hold', 'off'], []],
  ])(
    'with --dry-run in a bucket without Object Lock, %j fails with the same error as without --dry-run',
    async (command, options) => {
      const { bucket, run, put } = await shop();
      await put('f/a');
      const dry = await run(...command, ...onAll(bucket), ...options);
      const real = await run(...command, `${bucket}/f`, '-r', ...options, '--yes');
      expect(real.stdout).toContain('Object Lock Configuration');
      expect(dry).toEqual(real);
    },
  );

  it('`lock hold on --dry-run` sets no legal hold', async () => {
    const { bucket, run, put } = await shop({ objectLock: true });
    await put('f/a');
    const dry = await run('lock', 'hold', 'on', ...onAll(bucket));
    expect(dry).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('would put a hold') });
    await expect(store.getLegalHold({ bucket, key: 'f/a' })).rejects.toMatchObject({
      code: 'ObjectLockConfigurationNotFoundError',
    });
  });

  it('`s3 rm --all-versions --dry-run` reports the versions that are locked', async () => {
    const { bucket, run, put } = await shop({ objectLock: true });
    const retainUntil = clock.now() + DAY_MS;
    await put('f/held', { lock: { legalHold: true } });
    await put('f/kept', { lock: { retention: { mode: 'GOVERNANCE', retainUntil } } });
    await put('f/free');
    const dry = await run('s3', 'rm', ...onAll(bucket), '--all-versions');
    expect(dry.exitCode).toBe(3);
    expect(dry.stdout).toContain('would remove 1 version\n');
    expect(dry.stdout).toMatch(/! \S+\/f\/held {2}\S+: its legal hold is on/);
    expect(dry.stdout).toMatch(/! \S+\/f\/kept {2}\S+: GOVERNANCE until/);
    const bypass = [...onAll(bucket), '--all-versions', '--bypass-governance'];
    expect((await run('s3', 'rm', ...bypass)).stdout).toContain('would remove 2 versions\n');
  });
});

describe('`lock hold`', () => {
  it('`lock hold` sets and removes a legal hold, and shows a removed legal hold as off', async () => {
    const { bucket, run, put } = await shop({ objectLock: true });
    const versionId = await put('a');
    const place = `${bucket}/a`;
    expect(await run('lock', 'hold', 'get', place)).toEqual(
      ok(`${place}: no legal hold was ever set\n`),
    );
    expect(await run('lock', 'hold', 'on', place)).toEqual(ok(`${place}: legal hold ON\n`));
    const removal = await run('s3', 'rm', place, '--version-id', versionId, '--yes');
    expect(removal).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('legal hold') });
    expect(
      await run('lock', 'hold', 'off', place, '--version-id', versionId, '--yes'),
    ).toMatchObject({
      exitCode: 0,
    });
    expect(await run('lock', 'hold', 'get', place)).toEqual(ok(`${place}: legal hold OFF\n`));
    expect(jsonOf((await run('lock', 'hold', 'get', place, '--json')).stdout)).toEqual({
      legalHold: false,
      stated: true,
    });
  });

  it('`lock hold on` sets a legal hold on all objects of a folder', async () => {
    const { bucket, run, put } = await shop({ objectLock: true });
    await put('f/a');
    await put('f/b');
    const on = await run('lock', 'hold', 'on', `${bucket}/f/`, '--recursive');
    expect(on.stdout).toContain('put a hold on 2 objects');
    expect(await store.getLegalHold({ bucket, key: 'f/b' })).toBe(true);
  });
});

describe('`lock default`', () => {
  it('`lock default` sets, shows and removes the default retention of a bucket', async () => {
    const { bucket, run } = await shop({ objectLock: true });
    expect(await run('lock', 'default', 'get', bucket)).toEqual(
      ok(`${bucket}: object lock on, no default retention\n`),
    );
    const set = await run('lock', 'default', 'set', bucket, '--mode', 'GOVERNANCE', '--days', '30');
    expect(set.stdout).toContain('GOVERNANCE for 30 days by default');
    await run('lock', 'default', 'set', bucket, '--mode', 'compliance', '--years', '1', '--yes');
    const returned = jsonOf((await run('lock', 'default', 'get', bucket, '--json')).stdout);
    expect(returned).toEqual({ defaultRetention: { mode: 'COMPLIANCE', years: 1 } });
    expect(await run('lock', 'default', 'remove', bucket, '--yes')).toMatchObject({ exitCode: 0 });
    expect(await store.getObjectLockConfiguration({ bucket })).toEqual({});
  });

  it('`lock default` fails with the reason in a bucket without Object Lock', async () => {
    const { bucket, run } = await shop();
    expect((await run('lock', 'default', 'get', bucket)).exitCode).toBe(1);
    const set = await run('lock', 'default', 'set', bucket, '--mode', 'GOVERNANCE', '--days', '1');
    expect(set).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Object Lock') });
  });

  it.each([[[]], [['--days', '1', '--years', '1']], [['--days', '0']], [['--years', '101']]])(
    '`lock default set` with %j is a usage error',
    async (argv) => {
      const { bucket, run } = await shop();
      expect(
        (await run('lock', 'default', 'set', bucket, '--mode', 'GOVERNANCE', ...argv)).exitCode,
      ).toBe(2);
    },
  );
});

describe('`s3 versioning`', () => {
  it('`s3 versioning` enables, suspends and shows the versioning of a bucket', async () => {
    const { bucket, run } = await shop();
    expect(await run('s3', 'versioning', 'get', bucket)).toEqual(ok(`${bucket}: never enabled\n`));
    expect((await run('s3', 'versioning', 'enable', bucket)).stdout).toContain('Enabled');
    expect((await run('s3', 'versioning', 'suspend', bucket, '--yes')).exitCode).toBe(0);
    const returned = jsonOf((await run('s3', 'versioning', 'get', bucket, '--json')).stdout);
    expect(returned).toEqual({ versioning: 'Suspended' });
  });

  it('`s3 versioning suspend` fails for a bucket with Object Lock', async () => {
    const { bucket, run } = await shop({ objectLock: true });
    const suspended = await run('s3', 'versioning', 'suspend', bucket, '--yes');
    expect(suspended).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('Object Lock'),
    });
  });
});

describe('`s3 bucket`', () => {
  it('`s3 bucket` creates, lists, shows and removes a bucket', async () => {
    const { run } = await shop();
    expect(await run('s3', 'bucket', 'create', 'grouped')).toMatchObject({ exitCode: 0 });
    expect((await run('s3', 'bucket', 'list')).stdout).toContain('grouped');
    expect((await run('s3', 'bucket', 'info', 'grouped')).stdout).toMatch(/versioning +Enabled/);
    expect((await run('s3', 'bucket', 'info', 'grouped/a')).exitCode).toBe(2);
    expect(await run('s3', 'bucket', 'remove', 'grouped', '--yes')).toEqual(
      ok('removed bucket grouped\n'),
    );
  });
});

describe('`s3 quota`', () => {
  it('[quota-4] `s3 quota` sets, shows and removes the quota of a bucket, and the store enforces the quota', async () => {
    const { bucket, run, put } = await shop();
    await put('a');
    expect((await run('s3', 'quota', 'get', bucket)).stdout).toContain('1 of 50,000,000 objects');
    const set = await run('s3', 'quota', 'set', bucket, '--objects', '1', '--bytes', '1GiB');
    expect(set.stdout).toContain('1 of 1 object, set here');
    await expect(put('b')).rejects.toMatchObject({
      code: 'QuotaExceeded',
      message: expect.stringContaining('2 objects; its quota is 1'),
    });
    await run('s3', 'quota', 'set', bucket, '--objects', 'default');
    await put('b');
    const returned = jsonOf((await run('s3', 'quota', 'get', bucket, '--json')).stdout);
    expect(returned).toEqual({
      bucket,
      bytes: 1024 ** 3,
      objects: 50_000_000,
      set: { bytes: 1024 ** 3, objects: null },
      usage: { objects: 2, sizeBytes: 8 },
    });
  });

  it('[quota-5] `s3 quota` sets, shows and removes the quota of a project, and the store enforces the quota', async () => {
    const { run } = await shop();
    const returned = async () =>
      jsonOf((await run('s3', 'quota', 'get', '--json')).stdout) as { used: number };
    const { used } = await returned();
    await run('s3', 'quota', 'set', '--buckets', String(used));
    const refused = await run('s3', 'mb', 'one-too-many');
    expect(refused).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`the limit is ${used}`),
    });
    const back = await run('s3', 'quota', 'set', '--buckets', 'default');
    expect(back.stdout).toContain(`${used} of 200 buckets\n`);
    const other = await run(
      's3',
      'quota',
      'set',
      '--project',
      'shop@acme',
      '--buckets',
      '7',
      '--json',
    );
    expect(jsonOf(other.stdout)).toMatchObject({
      project: 'shop',
      customer: 'acme',
      buckets: 7,
    });
  });

  it.each([
    [['set', 'b']],
    [['set', '--bytes', '1GB']],
    [['set', 'b', '--buckets', '2']],
    [['set', 'b', '--objects', 'many']],
    [['set', 'b', '--objects', '1.5']],
    [['get', 'b', '--project', 'p']],
  ])('`s3 quota` with the arguments %j is a usage error', async (argv) => {
    const { run } = await shop();
    expect((await run('s3', 'quota', ...argv)).exitCode).toBe(2);
  });

  it('`s3 quota` fails for an unknown project', async () => {
    const { run } = await shop();
    const refused = await run('s3', 'quota', 'set', '--project', 'typo', '--buckets', '7');
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('typo') });
  });

  it('`s3 quota set` refuses 1,001 buckets, because the number exceeds the limit', async () => {
    const { run } = await shop();
    expect((await run('s3', 'quota', 'set', '--buckets', '1001')).exitCode).toBe(2);
  });
});

describe('`s3 link`', () => {
  it('[link-8] `s3 link` prints a presigned URL for a day, and a note that it works only on this computer', async () => {
    const { bucket, run, put } = await shop();
    await put('a b');
    const { exitCode, stdout, stderr } = await run('s3', 'link', `${bucket}/a b`);
    expect(exitCode).toBe(0);
    expect(stderr).toContain('this machine only');
    const answer = await fetch(stdout.trim());
    expect([answer.status, await answer.text()]).toEqual([200, 'text']);
    const json = jsonOf((await run('s3', 'link', `${bucket}/a b`, '--json')).stdout);
    expect(json).toEqual({
      url: expect.stringContaining('Expires=86400'),
      expiresAt: Math.floor(clock.now() / 1000) * 1000 + DAY_MS,
      local: true,
    });
  });

  it('[link-9] `s3 link` for an upload prints a presigned URL that stores an object', async () => {
    const { bucket, run, keys } = await shop();
    const { stdout } = await run('s3', 'link', `${bucket}/new`, '--put', '--expires', '7d');
    const answer = await fetch(stdout.trim(), { method: 'PUT', body: 'sent' });
    expect(answer.status).toBe(200);
    expect(await keys()).toEqual(['new']);
  });

  it('[link-10] `s3 link --revoke-all` invalidates all presigned URLs', async () => {
    const { bucket, run, put } = await shop();
    await put('a');
    const before = (await run('s3', 'link', `${bucket}/a`)).stdout.trim();
    expect(await run('s3', 'link', '--revoke-all', '--yes')).toMatchObject({ exitCode: 0 });
    expect(statSync(join(dir, 'link-secret')).mode & 0o777).toBe(0o600);
    expect((await fetch(before)).status).toBe(403);
    const after = (await run('s3', 'link', `${bucket}/a`)).stdout.trim();
    expect((await fetch(after)).status).toBe(200);
  });

  it('`s3 link --endpoint` prints a presigned URL that begins with the given endpoint', async () => {
    const { bucket, run, put } = await shop();
    await put('a');
    const { stdout } = await run(
      's3',
      'link',
      `${bucket}/a`,
      '--endpoint',
      'https://files.example.com',
      '--json',
    );
    expect(jsonOf(stdout)).toMatchObject({
      url: expect.stringMatching(/^https:\/\/files\.example\.com\//),
      local: false,
    });
    const bad = await run('s3', 'link', `${bucket}/a`, '--endpoint', 'files.example.com/x');
    expect(bad.exitCode).toBe(2);
  });

  it('`s3 link` fails for an object that does not exist', async () => {
    const { bucket, run } = await shop();
    const missing = await run('s3', 'link', `${bucket}/none`);
    expect(missing).toMatchObject({ exitCode: 1, stdout: '' });
  });

  it.each([
    [['b/a', '--expires', '8d']],
    [['b/a', '--expires', '0']],
    [['b/a', '--expires', 'soon']],
    [['b/a', '--put', '--version-id', 'x']],
    [['b/a', '--revoke-all', '--yes']],
    [[]],
    [['b']],
  ])('`s3 link` with the arguments %j is a usage error', async (argv) => {
    const { run } = await shop();
    expect((await run('s3', 'link', ...argv)).exitCode).toBe(2);
  });
});

describe('`s3 rm --recursive`', () => {
  it('`s3 rm --recursive` removes all objects of a folder, and with --dry-run only lists them', async () => {
    const { bucket, run, put, keys } = await shop();
    for (const key of ['f/a', 'f/b', 'fx', 'other']) await put(key);
    const dry = await run('s3', 'rm', `${bucket}/f`, '--recursive', '--dry-run');
    expect(dry).toEqual(ok(`${bucket}/f/a\n${bucket}/f/b\nwould remove 2 objects\n`));
    expect(await run('s3', 'rm', `${bucket}/f`, '-r', '--yes')).toEqual(ok('removed 2 objects\n'));
    expect(await keys()).toEqual(['fx', 'other']);
    const again = await run('s3', 'rm', `${bucket}/f`, '-r', '--yes');
    expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('no object') });
  });

  it('`s3 rm --recursive` removes more objects than one page of a listing has, and all versions with --all-versions', async () => {
    const { bucket, run, put } = await shop();
    await store.putVersioning({ bucket, versioning: 'Enabled' });
    const keys = Array.from({ length: 1050 }, (_, index) => `k${index}`);
    await Promise.all(keys.map((key) => put(key)));
    const markers = await run('s3', 'rm', bucket, '-r', '--yes');
    expect(markers.stdout).toContain('removed 1,050 objects; older versions stay');
    const { stdout } = await run('s3', 'rm', bucket, '-r', '--all-versions', '--yes', '--json');
    expect(jsonOf(stdout)).toEqual({ deleted: 2100, markers: 0, failedCount: 0, failed: [] });
    expect(await run('s3', 'rb', bucket, '--yes')).toMatchObject({ exitCode: 0 });
  });

  it('`s3 rm --recursive` skips locked objects, removes the others, and exits with code 3', async () => {
    const { bucket, run, put } = await shop({ objectLock: true });
    await put('held', { lock: { legalHold: true } });
    await put('free');
    const result = await run('s3', 'rm', bucket, '-r', '--all-versions', '--yes');
    expect(result.exitCode).toBe(3);
    expect(result.stdout).toMatch(/removed 1 version\n! \S+\/held {2}\S+: .*legal hold/);
  });

  it.each([
    ['y\n', 0, []],
    ['n\n', 1, ['a']],
    ['\n', 1, ['a']],
  ])(
    '`s3 rm --recursive` asks for confirmation on a terminal, and after the answer %j exits with code %i',
    async (answer, exitCode, left) => {
      const { bucket, home, put, keys } = await shop();
      await put('a');
      const stderr = new CapturedSink(80);
      const code = await runProgram(['s3', 'rm', bucket, '-r'], {
        stdin: Object.assign(Readable.from([answer]), { isTTY: true }),
        stdout: new CapturedSink(80),
        stderr,
        env: { HOLDFAST_HOME: home },
        cwd: home,
        clock,
      });
      expect(stderr.text).toContain(`${bucket}/ has 1 object\n`);
      expect(stderr.text).toContain(`Delete every object below ${bucket}? [y/N]`);
      expect([code, await keys()]).toEqual([exitCode, left]);
    },
  );

  it.each([
    [['b/a', '--dry-run']],
    [['b/a', '--all-versions']],
    [['b/a', '-r', '--version-id', 'x']],
  ])('`s3 rm` with the arguments %j is a usage error', async (argv) => {
    const { run } = await shop();
    expect((await run('s3', 'rm', ...argv)).exitCode).toBe(2);
  });
});
