/**
 * Tests of the control methods that the dashboard calls. A second daemon is the remote service of a
 * target.
 */

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startDaemon, type RunningDaemon } from '../../daemon/main.ts';
import { resolveHome } from '../../src/config/home.ts';
import { connectControl, type ControlClient } from '../../src/control/client.ts';
import type { DaemonEvent, MethodName, Params } from '../../src/control/messages.ts';

import { runCli } from '../helpers/run-cli.ts';
import { until } from '../helpers/until.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'dashboard-'));
const TARGET = 'far';
const BUCKET = 'photos';
const DAY_MS = 86_400_000;

interface Side {
  readonly daemon: RunningDaemon;
  readonly client: ControlClient;
}

let here: Side;
let far: Side;
let farUrl: string;

async function start(name: string, config: string): Promise<Side> {
  const root = join(FOLDER, name);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  writeFileSync(join(root, 'config.yaml'), config, { mode: 0o600 });
  const home = resolveHome({ homeFlag: root, env: {}, cwd: '/' });
  const daemon = await startDaemon({ home });
  const client = await connectControl({ socketPath: home.socketPath, clientName: 'test' });
  return { daemon, client };
}

beforeAll(async () => {
  far = await start('far-home', 'storage: {port: 0}\n');
  const { accessKeyId, secretAccessKey, endpointUrl } = await far.client.call('credentials', {});
  farUrl = endpointUrl;
  const secrets = join(FOLDER, 'far.json');
  writeFileSync(secrets, JSON.stringify({ accessKeyId, secretAccessKey }), { mode: 0o600 });
  mkdirSync(join(FOLDER, 'notes'));
  writeFileSync(join(FOLDER, 'notes', 'a.txt'), 'note');
  here = await start(
    'here-home',
    `storage: {port: 0}
targets:
  - {name: ${TARGET}, endpoint: "${endpointUrl}", credentialsFile: "${secrets}"}
jobs:
  - {name: notes, folder: "${join(FOLDER, 'notes')}", bucket: notes, target: ${TARGET}}
`,
  );
  await at('buckets.create', { bucket: BUCKET, versioning: true, objectLock: true });
});

afterAll(async () => {
  for (const { client, daemon } of [here, far]) {
    client.close();
    await daemon.stop('the tests are over');
  }
  rmSync(FOLDER, { recursive: true });
});

/** Calls a method of the local daemon for its target, the service of the second daemon. */
function at<M extends MethodName>(method: M, params: Params<M>) {
  return here.client.call(method, { ...params, target: TARGET });
}

async function put(key: string, text: string): Promise<string> {
  const { stream } = await at('objects.put', { bucket: BUCKET, key, sizeBytes: text.length });
  await here.client.upload(
    stream,
    (async function* () {
      yield Buffer.from(text);
    })(),
  );
  const { versionId = '' } = await here.client.call('objects.put.wait', { stream });
  return versionId;
}

async function textOf(params: Params<'objects.get'>): Promise<string> {
  const { stream } = await here.client.call('objects.get', params);
  const chunks: Uint8Array[] = [];
  for await (const chunk of here.client.download(stream)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('the control method targets.list', () => {
  it('targets.list returns each target with the jobs that use it', async () => {
    await expect(here.client.call('targets.list', {})).resolves.toEqual({
      targets: [
        { name: TARGET, endpoint: farUrl, region: 'us-east-1', protocol: 's3', jobs: ['notes'] },
      ],
    });
  });
});

describe('control methods on buckets and objects with a target', () => {
  it('control methods with a target use the service of that target, and methods without a target use the embedded store', async () => {
    const { buckets } = await at('buckets.list', {});
    expect(buckets.map(({ name }) => name)).toContain(BUCKET);
    await expect(here.client.call('buckets.list', {})).resolves.toEqual({ buckets: [] });
    await expect(here.client.call('buckets.list', { target: 'local' })).resolves.toEqual({
      buckets: [],
    });
  });

  it('control methods with a target list, read, lock, tag, rename and delete objects', async () => {
    const key = 'a/object';
    const first = await put(key, 'first');
    const second = await put(key, 'second');
    const ref = { bucket: BUCKET, key };
    const listed = await at('objects.list', { bucket: BUCKET, prefix: 'a/' });
    expect(listed.objects).toMatchObject([{ key, sizeBytes: 6 }]);
    const { versions } = await at('versions.list', { bucket: BUCKET, prefix: key });
    expect(versions.map(({ versionId }) => versionId)).toEqual([second, first]);
    expect(await textOf({ ...ref, versionId: first, target: TARGET })).toBe('first');

    const retention = { mode: 'GOVERNANCE', retainUntil: Date.now() + DAY_MS } as const;
    await at('retention.set', { ...ref, versionId: first, retention });
    await at('hold.set', { ...ref, versionId: first, legalHold: true });
    await expect(at('hold.get', { ...ref, versionId: first })).resolves.toMatchObject({
      legalHold: true,
    });
    await expect(at('objects.describe', { ...ref, versionId: first })).resolves.toMatchObject({
      legalHold: true,
      retention: { mode: 'GOVERNANCE' },
      versions: { count: 2, more: false },
    });
    await expect(at('objects.delete', { ...ref, versionId: first })).rejects.toMatchObject({
      code: 'Storage',
      storageCode: 'AccessDenied',
    });
    await at('objects.retag', { ...ref, changes: { set: [{ key: 'k', value: 'v' }], remove: [] } });
    await expect(at('objects.tags', ref)).resolves.toMatchObject({
      tags: [{ key: 'k', value: 'v' }],
    });
    const to = { bucket: BUCKET, key: 'a/moved' };
    await at('objects.rename', { from: ref, to, overwrite: false });
    const moved = await at('objects.deleteMany', { bucket: BUCKET, objects: [{ key: to.key }] });
    expect(moved).toMatchObject({ deleted: 1, markers: 1, made: [{ key: to.key }], failed: [] });
    const undone = await at('objects.deleteMany', { bucket: BUCKET, objects: moved.made ?? [] });
    expect(undone).toMatchObject({ deleted: 1, markers: 0, made: [] });
  });

  it('control methods with a target read and change the settings of a bucket', async () => {
    const bucket = BUCKET;
    await at('versioning.set', { bucket, versioning: 'Enabled' });
    await at('locks.set', { bucket, defaultRetention: { mode: 'GOVERNANCE', days: 1 } });
    await at('locks.set', { bucket });
    const cors = [{ allowedOrigins: ['https://a.example'], allowedMethods: ['GET' as const] }];
    await at('cors.set', { bucket, rules: cors });
    const rules = [{ enabled: true, filter: { prefix: 'x/' }, expiration: { days: 3 } }];
    await at('lifecycle.set', { bucket, rules });
    const website = { indexSuffix: 'index.html' };
    await expect(at('website.set', { bucket, website, public: false })).resolves.toEqual({
      state: 'unknown',
    });
    await at('acl.set', { bucket, canned: 'private' });
    await at('buckets.retag', {
      bucket,
      changes: { set: [{ key: 'a', value: 'b' }], remove: [] },
    });
    await expect(at('buckets.describe', { bucket })).resolves.toMatchObject({
      versioning: 'Enabled',
      configured: ['cors', 'lifecycle', 'website'],
      tags: [{ key: 'a', value: 'b' }],
    });
    await expect(at('buckets.describe', { bucket })).resolves.not.toHaveProperty('unreported');
    await at('lifecycle.set', { bucket, rules: [] });
  });

  it('links.create with a target returns a presigned URL for the endpoint of that target', async () => {
    await put('linked', 'by a link');
    const link = { bucket: BUCKET, key: 'linked', does: 'get', expiresSeconds: 60 } as const;
    const { url, local } = await at('links.create', link);
    expect(url).toContain(farUrl);
    expect(local).toBe(true);
    await expect((await fetch(url)).text()).resolves.toBe('by a link');
    await expect(at('links.create', { ...link, key: 'nothing' })).rejects.toMatchObject({
      storageCode: 'NoSuchKey',
    });
    await expect(
      at('links.create', { ...link, origin: 'https://other.example' }),
    ).rejects.toMatchObject({ code: 'BadRequest' });
  });

  it('a control method rejects an unknown target, and also a target if only the embedded store supports the method', async () => {
    const other = here.client.call('buckets.list', { target: 'nowhere' });
    await expect(other).rejects.toMatchObject({ code: 'NotFound' });
    const usage = at('metrics.get', { bucket: BUCKET });
    await expect(usage).rejects.toMatchObject({
      code: 'BadRequest',
      message: 'cannot use target "far": only the embedded store supports this',
    });
  });
});

describe('the control method jobs.queue', () => {
  it('jobs.queue lists the pending paths of a job with their reasons, page by page', async () => {
    const none = { error: 0, conflict: 0, held: 0, drifted: 0, busy: 0, waiting: 0, retained: 0 };
    const ask = (limit: number, after?: string) =>
      here.client.call('jobs.queue', { name: 'notes', limit, ...(after && { after }) });
    await here.client.call('jobs.settled', { name: 'notes' });
    await expect(ask(10)).resolves.toEqual({ rows: [], counts: none });
    const sockets = ['a.sock', 'b.sock'].map((name) => join(FOLDER, 'notes', name));
    const servers = sockets.map((path) => createServer().listen(path));
    await here.client.call('jobs.settled', { name: 'notes' });
    const first = await ask(1);
    expect(first).toMatchObject({
      rows: [{ path: 'a.sock', reason: 'error' }],
      counts: { ...none, error: 2 },
    });
    const second = await ask(10, first.next);
    expect(second.rows.map(({ path }) => path)).toEqual(['b.sock']);
    for (const server of servers) server.close();
  });
});

describe('the control methods jobs.get and jobs.edit', () => {
  const edit = (changes: Record<string, unknown>, dryRun = false) =>
    here.client.call('jobs.edit', { name: 'notes', changes, dryRun });

  it('jobs.get returns the settings as written in config.yaml, and the default values', async () => {
    const { settings, defaults, options } = await here.client.call('jobs.get', { name: 'notes' });
    expect(settings).toEqual({
      name: 'notes',
      folder: join(FOLDER, 'notes'),
      bucket: 'notes',
      target: TARGET,
    });
    expect(defaults).toMatchObject({ conflict: 'keep-both', exclude: [], paused: false });
    expect(options).toContain('lock');
  });

  it('jobs.edit writes and applies valid settings, and reports invalid settings', async () => {
    const plan = await edit({ conflict: 'ask' }, true);
    expect(plan.problems).toEqual([]);
    expect(plan.diff.filter(({ is }) => is === 'added')).toHaveLength(1);
    expect(plan).not.toHaveProperty('job');
    const wrong = await edit({ lock: { mode: 'GOVERNANCE', days: 0 }, conflikt: 'ask' });
    expect(wrong.problems).toMatchObject([
      { option: expect.stringMatching(/^(lock\.days|conflikt)$/) as string },
      { option: expect.stringMatching(/^(lock\.days|conflikt)$/) as string },
    ]);
    const { job } = await edit({ conflict: 'ask', exclude: ['*.tmp'] });
    expect(job?.name).toBe('notes');
    const returned = await here.client.call('jobs.get', { name: 'notes' });
    expect(returned.settings).toMatchObject({ conflict: 'ask', exclude: ['*.tmp'] });
    await edit({ conflict: null, exclude: null });
    await expect(edit({ name: 'other' })).rejects.toMatchObject({ code: 'BadRequest' });
  });
});

describe('the control method jobs.plan', () => {
  const plan = (changes: object) =>
    here.client.call('jobs.plan', { folder: join(FOLDER, 'planned'), ...changes });

  it('jobs.plan returns the lines that it would add to config.yaml, and does not create the job', async () => {
    mkdirSync(join(FOLDER, 'planned'));
    const returned = await plan({ exclude: ['*.tmp'] });
    expect(returned).toMatchObject({ name: 'planned', bucketExists: false, existing: false });
    const added = returned.diff.filter(({ is }) => is === 'added').map(({ text }) => text.trim());
    expect(added).toContain('- name: planned');
    const { jobs } = await here.client.call('status', {});
    expect(jobs.map(({ name }) => name)).not.toContain('planned');
  });

  it('jobs.plan includes locks and the pruning rule in the lines for config.yaml, and reports an invalid rule', async () => {
    const returned = await plan({ lock: { mode: 'GOVERNANCE', days: 30 }, keep: 'smart' });
    const added = returned.diff.filter(({ is }) => is === 'added').map(({ text }) => text.trim());
    expect(added).toEqual(expect.arrayContaining(['mode: GOVERNANCE', 'days: 30', 'keep: smart']));
    const { problems } = await plan({ lock: { mode: 'GOVERNANCE', days: 0 } });
    expect(problems).toMatchObject([{ option: 'lock.days', message: 'must be at least 1' }]);
  });

  it('jobs.plan reports an existing job, a name that is in use, and invalid values', async () => {
    const folder = join(FOLDER, 'notes');
    expect(await plan({ folder, target: TARGET })).toMatchObject({ name: 'notes', existing: true });
    await expect(plan({ name: 'notes' })).rejects.toMatchObject({ code: 'Conflict' });
    const { problems } = await plan({ name: 'not a name' });
    expect(problems).not.toEqual([]);
    await expect(plan({ folder: join(FOLDER, 'nowhere') })).rejects.toMatchObject({
      code: 'NotFound',
    });
  });
});

describe('the control method objects.locks', () => {
  it('objects.locks returns the retention and the legal hold of a version', async () => {
    const versionId = await put('locked.txt', 'text');
    const place = { bucket: BUCKET, key: 'locked.txt', versionId };
    await expect(at('objects.locks', place)).resolves.toEqual({ versionId });
    const retention = { mode: 'GOVERNANCE' as const, retainUntil: Date.now() + DAY_MS };
    await at('retention.set', { ...place, retention });
    await at('hold.set', { ...place, legalHold: true });
    await expect(at('objects.locks', place)).resolves.toMatchObject({
      retention: { mode: 'GOVERNANCE' },
      legalHold: true,
    });
  });
});

describe('the control methods targets.plan and targets.add', () => {
  const added = () => {
    const { port } = new URL(farUrl);
    return { endpoint: `http://localhost:${port}`, protocol: 'svc' as const, name: 'other' };
  };
  const homeOf = (...path: string[]) => join(FOLDER, 'here-home', ...path);
  const config = () => readFileSync(homeOf('config.yaml'), 'utf8');

  it('targets.plan returns the lines for config.yaml and the path of the key file, and creates nothing', async () => {
    const before = config();
    const plan = await here.client.call('targets.plan', added());
    expect(plan).toMatchObject({ name: 'other', existing: false, problems: [] });
    const lines = plan.diff.filter(({ is }) => is === 'added').map(({ text }) => text.trim());
    expect(lines).toContain('- name: other');
    expect([config(), existsSync(plan.credentialsFile)]).toEqual([before, false]);
  });

  it('targets.add stores the access key in a file with mode 0600, and keeps all comments of config.yaml', async () => {
    writeFileSync(homeOf('config.yaml'), `# by hand\n${config()}`);
    const key = await far.client.call('credentials', {});
    const { accessKeyId, secretAccessKey } = key;
    const { credentialsFile } = await here.client.call('targets.plan', added());
    const wrong = { ...added(), accessKeyId, secretAccessKey: 'wrong' };
    await expect(here.client.call('targets.add', wrong)).rejects.toMatchObject({ code: 'Storage' });
    expect(existsSync(credentialsFile)).toBe(false);
    await here.client.call('targets.add', { ...added(), accessKeyId, secretAccessKey });
    expect(config()).toContain('# by hand\n');
    expect(config()).not.toContain(secretAccessKey);
    expect(statSync(credentialsFile).mode & 0o777).toBe(0o600);
    await expect(here.client.call('targets.plan', added())).resolves.toMatchObject({
      existing: true,
      diff: [],
    });
  });

  it('targets.add refuses the name of an existing target, and does not change the access key of that target', async () => {
    const { accessKeyId, secretAccessKey } = await far.client.call('credentials', {});
    const taken = { ...added(), region: 'elsewhere', accessKeyId, secretAccessKey };
    const before = readFileSync(homeOf('credentials', 'other.json'), 'utf8');
    await expect(here.client.call('targets.add', taken)).rejects.toThrow(
      'a target other with another endpoint, region or protocol exists already',
    );
    expect(readFileSync(homeOf('credentials', 'other.json'), 'utf8')).toBe(before);
    await expect(here.client.call('targets.plan', { endpoint: 'ftp://x' })).rejects.toMatchObject({
      code: 'BadRequest',
    });
  });
});

describe('the control method locks.summary', () => {
  it('locks.summary lists the buckets of the embedded store with Object Lock, and their default retention', async () => {
    const call = here.client.call.bind(here.client);
    const buckets = async () => (await call('locks.summary', {})).buckets;
    expect(await buckets()).toEqual([]);
    await call('buckets.create', { bucket: 'plain', versioning: true, objectLock: false });
    await call('buckets.create', { bucket: 'vault', versioning: true, objectLock: true });
    expect(await buckets()).toMatchObject([{ bucket: 'vault', versions: 0 }]);
    const defaultRetention = { mode: 'GOVERNANCE', days: 7 } as const;
    await call('locks.set', { bucket: 'vault', defaultRetention });
    expect(await buckets()).toMatchObject([{ bucket: 'vault', versions: 0, defaultRetention }]);
    const counted = await until(buckets, ([vault]) => vault?.counted !== undefined);
    expect(counted).toMatchObject([{ counted: { held: { versions: 0, bytes: 0 } } }]);
    for (const bucket of ['plain', 'vault']) await call('buckets.delete', { bucket });
  });

  it('locks.summary adds up the locks of all jobs', async () => {
    await here.client.call('jobs.settled', { name: 'notes' });
    const none = await here.client.call('locks.summary', {});
    expect(none).toMatchObject({ jobs: [], days: [], retained: [], renewalsDue: 0, unopened: [] });
    const changes = { lock: { mode: 'GOVERNANCE', days: 3 } };
    await here.client.call('jobs.edit', { name: 'notes', changes, dryRun: false });
    const { modes, jobs, days } = await until(
      () => here.client.call('locks.summary', {}),
      (summary) => summary.jobs.some(({ locks }) => locks.locked > 0),
    );
    expect(modes).toMatchObject([{ mode: 'COMPLIANCE', versions: 0 }, { mode: 'GOVERNANCE' }]);
    expect(jobs).toMatchObject([{ name: 'notes', mode: 'GOVERNANCE' }]);
    expect(days.length).toBeGreaterThan(0);
    await here.client.call('jobs.edit', { name: 'notes', changes: { lock: null }, dryRun: false });
  });
});

const cli = (...argv: string[]) =>
  runCli(argv, { env: { HOLDFAST_HOME: join(FOLDER, 'here-home') }, cwd: FOLDER });

describe('commands with --target', () => {
  it('commands with --target use the service of that target, and commands without it use the embedded store', async () => {
    await put('by-hand/a', 'text');
    expect((await cli('s3', 'ls', '--target', TARGET)).stdout).toContain(BUCKET);
    expect((await cli('s3', 'ls')).stdout).not.toContain(BUCKET);
    expect((await cli('s3', 'get', `${BUCKET}/by-hand/a`, '-', '--target', TARGET)).stdout).toBe(
      'text',
    );
    const copied = await cli(
      's3',
      'cp',
      `${BUCKET}/by-hand/a`,
      `${BUCKET}/by-hand/b`,
      '--target',
      TARGET,
    );
    expect(copied).toMatchObject({ exitCode: 0, stderr: '' });
    const { objects } = await at('objects.list', { bucket: BUCKET, prefix: 'by-hand/' });
    expect(objects.map(({ key }) => key)).toEqual(['by-hand/a', 'by-hand/b']);
  });

  it('a command refuses --target with an unknown name, and refuses every target if it supports only the embedded store', async () => {
    const preview = await cli('s3', 'lifecycle', 'preview', BUCKET, '--target', TARGET);
    expect(preview).toMatchObject({ exitCode: 2 });
    expect(preview.stderr).toContain(
      'cannot use target "far": only the embedded store supports this',
    );
    expect((await cli('s3', 'ls', '--target', 'nowhere')).stderr).toContain(
      'unknown target "nowhere"',
    );
    expect(await cli('job', 'list', '--target', TARGET)).toMatchObject({ exitCode: 2 });
  });
});

describe('`job edit`', () => {
  const edit = (...argv: string[]) => cli('job', 'edit', 'notes', ...argv);

  it('`job edit` prints its changes, and an empty value restores the default', async () => {
    const set = await edit('verifyDays=7', 'exclude=["*.x", y/]');
    expect(set).toMatchObject({ exitCode: 0, stderr: '' });
    expect(set.stdout).toContain('verifyDays: 7');
    const returned = await here.client.call('jobs.get', { name: 'notes' });
    expect(returned.settings).toMatchObject({ verifyDays: 7, exclude: ['*.x', 'y/'] });
    const reset = await edit('verifyDays=', 'exclude=');
    expect(reset.exitCode).toBe(0);
    await expect(here.client.call('jobs.get', { name: 'notes' })).resolves.not.toHaveProperty(
      'settings.verifyDays',
    );
  });

  it('`job edit` changes nothing with --dry-run, or if a value is invalid', async () => {
    const before = await here.client.call('jobs.get', { name: 'notes' });
    expect((await edit('verifyDays=7', '--dry-run')).stdout).toContain('verifyDays: 7');
    expect((await edit('verifyDays=x')).stdout).toContain('verifyDays: must be a whole number');
    expect(await edit('verifyDays=x')).toMatchObject({ exitCode: 2 });
    expect(await edit('what')).toMatchObject({ exitCode: 2 });
    await expect(here.client.call('jobs.get', { name: 'notes' })).resolves.toEqual(before);
  });
});

describe('the control method history.folder', () => {
  it('history.folder lists the files of a folder at a time that history.moments returned', async () => {
    await here.client.call('jobs.settled', { name: 'notes' });
    const { moments } = await here.client.call('history.moments', { job: 'notes', limit: 10 });
    const [newest] = moments;
    expect(newest?.at).toBeGreaterThan(0);
    const at = newest?.at ?? 0;
    const then = await here.client.call('history.folder', { job: 'notes', at, limit: 100 });
    expect(then.entries.map(({ path }) => path)).toContain('a.txt');
    const before = await here.client.call('history.folder', { job: 'notes', at: 0, limit: 100 });
    expect(before.entries).toEqual([]);
  });
});

describe('the control method jobs.history', () => {
  it('jobs.history returns the sync rounds of a job, page by page', async () => {
    await here.client.call('jobs.settled', { name: 'notes' });
    const { rounds } = await here.client.call('jobs.history', { name: 'notes', limit: 1 });
    expect(rounds).toMatchObject([{ rounds: 1 }]);
    const before = rounds[0]?.number ?? 0;
    const older = await here.client.call('jobs.history', { name: 'notes', limit: 1000, before });
    expect(older.rounds.at(-1)).toMatchObject({ number: 1, kind: 'listing' });
    expect(older.rounds.map(({ number }) => number)).not.toContain(before);
  });
});

describe('job.transfers events and the disk in the status', () => {
  it('a client that subscribes to job.transfers receives these events, and the throughput method adds up the transfers', async () => {
    const heard: DaemonEvent['event'][] = [];
    const stop = here.client.onEvent(({ event }) => heard.push(event));
    await here.client.subscribe({ types: ['job.transfers'] });
    writeFileSync(join(FOLDER, 'notes', 'b.txt'), 'another note');
    await here.client.call('jobs.settled', { name: 'notes' });
    await until(
      () => heard.at(-1),
      (last) => last?.type === 'job.transfers' && last.count === 0,
    );
    stop();
    expect(new Set(heard.map(({ type }) => type))).toEqual(new Set(['job.transfers']));
    const { samples, jobs, today } = await here.client.call('throughput', {});
    expect(samples).toHaveLength(60);
    expect(jobs.map(({ name }) => name)).toEqual(['notes']);
    expect(today.versions).toBeGreaterThanOrEqual(2);
    const now = await here.client.call('jobs.transfers', { name: 'notes' });
    expect(now).toEqual({ transfers: [], count: 0 });
  });

  it('the status contains the size and the free bytes of the disk of the store', async () => {
    const { disk } = await here.client.call('status', {});
    expect(disk?.freeBytes).toBeGreaterThan(0);
    expect(disk?.sizeBytes).toBeGreaterThan(disk?.freeBytes ?? 0);
  });
});

describe('the control method versions.locks', () => {
  it('versions.locks returns the locks of each requested version, and an error code for a missing key', async () => {
    const versionId = await put('locked', 'x');
    await put('plain', 'y');
    const retention = { mode: 'GOVERNANCE', retainUntil: Date.now() + DAY_MS } as const;
    await at('retention.set', { bucket: BUCKET, key: 'locked', versionId, retention });
    const objects = [{ key: 'locked', versionId }, { key: 'plain' }, { key: 'nothing' }];
    const returned = await at('versions.locks', { bucket: BUCKET, objects });
    expect(returned.objects).toEqual([
      { versionId, retention: { ...retention, retainUntil: expect.any(Number) as number } },
      { versionId: expect.any(String) as string },
      { code: 'NoSuchKey' },
    ]);
  });
});

describe('the control method folders.sizes', () => {
  it('folders.sizes returns the sizes of folders in a bucket of a target after counting, and the reason of a failed count', async () => {
    await put('sized/2026/a', '12345');
    await put('sized/2026/a', '123');
    const folder = { bucket: BUCKET, prefix: 'sized/' };
    expect(await at('folders.sizes', { ...folder, count: 'missing' })).toMatchObject({
      isCounting: true,
      folders: [],
    });
    const sized = await until(
      () => at('folders.sizes', { ...folder, count: 'never' }),
      ({ isCounting }) => !isCounting,
    );
    expect(sized).toMatchObject({
      folder: { objects: 1, bytes: 3, olderVersions: 1, olderBytes: 5 },
    });
    expect(sized.folders.map(({ prefix, bytes }) => [prefix, bytes])).toEqual([['sized/2026/', 3]]);
    await at('folders.sizes', { bucket: 'unknown', prefix: '', count: 'missing' });
    const { error } = await until(
      () => at('folders.sizes', { bucket: 'unknown', prefix: '', count: 'never' }),
      ({ isCounting }) => !isCounting,
    );
    expect(error).toContain('does not exist');
  });
});

describe('the control method objects.get with a range', () => {
  it('objects.get with a range returns only those bytes, even for an older version', async () => {
    const versionId = await put('long', '0123456789');
    await put('long', 'short');
    const ref = { bucket: BUCKET, key: 'long', target: TARGET };
    expect(await textOf({ ...ref, versionId, range: { start: 2, end: 4 } })).toBe('234');
    expect(await textOf({ ...ref, versionId, range: { start: 7 } })).toBe('789');
    await expect(
      here.client.call('objects.get', { ...ref, versionId, range: { start: 0, end: 100 } }),
    ).resolves.toMatchObject({ info: { sizeBytes: 10 }, range: { start: 0, end: 9 } });
  });

  it('objects.get with a range from 0 returns an empty object without an error', async () => {
    await put('empty', '');
    const range = { start: 0, end: 65_535 };
    expect(await textOf({ bucket: BUCKET, key: 'empty', target: TARGET, range })).toBe('');
  });
});
