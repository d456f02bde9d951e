/**
 * Tests of jobs that are changed by commands or in an editor. The daemon must run the jobs that
 * `config.yaml` contains.
 */

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import type { ControlClient } from '../../src/control/client.ts';
import type { Result } from '../../src/control/messages.ts';
import type { JobStatus } from '../../src/control/shapes.ts';
import { startDaemonHere } from '../helpers/daemon-here.ts';
import { startDaemonProcess } from '../helpers/daemon-process.ts';
import { runCli, jsonOf } from '../helpers/run-cli.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { makeTree } from '../helpers/tree.ts';
import { until } from '../helpers/until.ts';

const COMMENTED = `# My backups.
storage:
  port: 0   # any

jobs:       # what matters
  # Never remove this one.
  - name: kept
    folder: KEPT   # relative to this file
    bucket: kept
`;

interface Daemon {
  readonly client: ControlClient;
  stop(): Promise<unknown>;
}

const jobsFixture = () => fixtureOf(startDaemonHere);

/**
 * Starts a daemon with a job that was added in an editor, and creates two folders named `pictures`.
 */
async function fixtureOf<D extends Daemon>(start: (home: string) => Promise<D>) {
  const folder = temporaryFolder('hf-jobs');
  const home = join(folder, 'home');
  const configFile = join(home, 'config.yaml');
  const folders = ['a/pictures', 'b/pictures'].map((name) => join(folder, name));
  const [first = '', second = ''] = folders;
  for (const each of folders) makeTree(each, 10);
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(join(folder, 'kept'));
  writeFileSync(configFile, COMMENTED.replace('KEPT', join(folder, 'kept')), { mode: 0o600 });
  const daemon = await start(home);
  onTestFinished(async () => void (await daemon.stop()));

  const cli = (...argv: string[]) => runCli([...argv, '--home', home], { clock: systemClock });
  async function json<T>(...argv: string[]): Promise<T> {
    const { exitCode, stdout, stderr } = await cli(...argv, '--json');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    return jsonOf(stdout) as T;
  }
  const job = async (name: string): Promise<JobStatus | undefined> =>
    (await daemon.client.call('status', {})).jobs.find((each) => each.name === name);
  const config = () => readFileSync(configFile, 'utf8');
  return { folder, configFile, first, second, daemon, cli, json, job, config };
}

describe('jobs that commands change', () => {
  it('the command line adds, lists, pauses, resumes, runs and removes jobs', async () => {
    const { first, json, job, config, daemon } = await jobsFixture();
    const before = config();
    const added = await json<Result<'jobs.add'>>('job', 'add', first);
    expect(added).toMatchObject({ existing: false, job: { name: 'pictures', bucket: 'pictures' } });
    await until(
      () => job('pictures'),
      (status) => status?.inSync === true && status.counts.files === 10,
    );
    const { jobs } = await json<{ jobs: JobStatus[] }>('job', 'list');
    expect(jobs.map(({ name }) => name)).toEqual(['kept', 'pictures']);

    expect(await json('job', 'pause', 'pictures')).toMatchObject({
      state: 'paused',
      reason: expect.stringMatching(/^since \d{4}-/),
    });
    writeFileSync(join(first, 'while paused'), 'x');
    expect(config()).toContain('paused: true');
    // A resumed job is in sync only after it has scanned the folder.
    expect(await json('job', 'resume', 'pictures')).toMatchObject({
      inSync: false,
    });
    await until(
      () => job('pictures'),
      (status) => status?.inSync === true && status.counts.files === 11,
    );
    const { lines } = await daemon.client.call('log.tail', { lines: 200 });
    expect(lines.join('\n')).toMatch(/the job is paused[^]*the job is resumed/);
    expect(await json('job', 'run', 'pictures')).toMatchObject({ name: 'pictures' });
    expect(await json('job', 'remove', 'pictures', '--yes')).toMatchObject({
      targets: [],
      notes: [expect.stringContaining('all versions stay in pictures/ (current: 11 files')],
    });
    expect(await job('pictures')).toBeUndefined();
    expect(config()).toBe(before);
  });

  it('job commands keep the comments of config.yaml', async () => {
    const { first, json, config } = await jobsFixture();
    const before = config();
    await json('job', 'add', first);
    await json('job', 'pause', 'kept');
    const lines = config().split('\n');
    for (const line of before.split('\n')) expect(lines).toContain(line);
  });

  it('a job that is removed and added again uses its old bucket, and uploads nothing', async () => {
    const { first, daemon, json } = await jobsFixture();
    await json('job', 'add', first);
    await daemon.client.call('jobs.settled', { name: 'pictures' });
    await json('job', 'remove', 'pictures', '--yes');
    const again = await json<Result<'jobs.add'>>('job', 'add', first);
    expect(again).toMatchObject({ notes: [], job: { bucket: 'pictures' } });
    const { job } = await daemon.client.call('jobs.settled', { name: 'pictures' });
    expect(job).toMatchObject({ inSync: true, counts: { files: 10, uploadedVersions: 0 } });
    const { versions } = await daemon.client.call('versions.list', {
      bucket: 'pictures',
      prefix: 'folder',
    });
    expect(versions).toHaveLength(10);
  });

  it('a job owns its prefix until another job takes it over, and `job show` reports how its writes are protected', async () => {
    const { first, daemon, cli, json } = await jobsFixture();
    await json('job', 'add', first);
    await daemon.client.call('jobs.settled', { name: 'pictures' });
    const claim = { bucket: 'pictures', key: '.holdfast/claim' };
    const other = join(dirname(first), 'claim');
    writeFileSync(other, JSON.stringify({ job: 'theirs', host: 'attic', root: '/theirs' }));
    expect((await cli('s3', 'cp', other, `${claim.bucket}/${claim.key}`)).exitCode).toBe(0);
    await daemon.client.call('jobs.settled', { name: 'pictures' });
    const refused = await cli('job', 'show', 'pictures');
    expect(refused.stdout).toMatch(
      /failed.*: .*job theirs of folder \/theirs of another installation/,
    );
    const taken = await cli('job', 'take-over', 'pictures', '--yes');
    expect(taken.stdout).toContain(
      'took over pictures for job pictures; it belonged to job theirs of folder /theirs\n',
    );
    expect(taken.stdout).not.toContain('failed');
    expect(taken.stdout).toContain("holdfast job edit pictures lock='GOVERNANCE 30d'");
    await daemon.client.call('jobs.settled', { name: 'pictures' });
    const { stdout } = await cli('job', 'show', 'pictures');
    expect(stdout).toMatch(/in sync/);
    expect(stdout).toContain('writes of other clients are detected by conditional writes');
    await json('job', 'remove', 'pictures', '--yes');
    const { exitCode } = await cli('s3', 'get', `${claim.bucket}/${claim.key}`, other);
    expect([exitCode, readFileSync(other, 'utf8')]).toEqual([
      0,
      expect.stringContaining('"released":true'),
    ]);
    // Simulates a lost computer. The ownership marker contains the same folder, but the id of
    // another host.
    writeFileSync(other, JSON.stringify({ job: 'pictures', host: 'attic', root: first }));
    expect((await cli('s3', 'cp', other, `${claim.bucket}/${claim.key}`)).exitCode).toBe(0);
    const lock = [
      'lock',
      'retention',
      'set',
      'pictures',
      '-r',
      '--mode',
      'GOVERNANCE',
      '--for',
      '1d',
    ];
    expect(await cli(...lock)).toMatchObject({ exitCode: 0 });
    const again = await json<Result<'jobs.add'>>('job', 'add', first, '--take-over');
    expect(again.job.bucket).toBe('pictures');
    expect(again.notes).toEqual([
      expect.stringMatching(
        /^files of the earlier job are locked, one until \S+Z \(GOVERNANCE\); this job sets no locks; .* job edit pictures lock='GOVERNANCE 30d'$/,
      ),
    ]);
    const { job } = await daemon.client.call('jobs.settled', { name: 'pictures' });
    expect(job).toMatchObject({ inSync: true, counts: { uploadedVersions: 0 } });
  });

  it('a new job with the name of a removed job does not inherit its state', async () => {
    const { first, folder, daemon, json } = await jobsFixture();
    const other = join(folder, 'other');
    mkdirSync(other);
    for (const name of ['x', 'y', 'z']) writeFileSync(join(other, name), name);
    await json('job', 'add', first, '--name', 'mine');
    await daemon.client.call('jobs.settled', { name: 'mine' });
    await json('job', 'remove', 'mine', '--yes');
    await json('job', 'add', other, '--name', 'mine');
    const { job } = await daemon.client.call('jobs.settled', { name: 'mine' });
    expect(job).toMatchObject({
      state: 'watching',
      inSync: true,
      bucket: 'other',
      counts: { files: 3, uploadedVersions: 3, deleted: 0 },
    });
  });

  it('`job add` gives two folders of the same name different buckets, and reports the name of the new bucket', async () => {
    const { first, second, cli, daemon } = await jobsFixture();
    await cli('job', 'add', first);
    const { stdout, exitCode } = await cli('job', 'add', second);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`${second} → bucket pictures-2`);
    expect(stdout).toContain(
      'bucket pictures belongs to another folder, so this folder gets bucket pictures-2',
    );
    const { job } = await daemon.client.call('jobs.settled', { name: 'pictures-2' });
    expect(job).toMatchObject({ inSync: true, counts: { files: 10 } });
  });

  it('`job add` names a job after its bucket, also if the bucket of the folder is not free', async () => {
    const { first, cli, json } = await jobsFixture();
    await cli('s3', 'mb', 'pictures');
    expect(await json('job', 'add', first)).toMatchObject({
      job: { name: 'pictures-2', bucket: 'pictures-2' },
    });
  });

  it('a job inside the folder of another job or of Holdfast is refused, even through a symbolic link', async () => {
    const { folder, first, cli, config } = await jobsFixture();
    await cli('job', 'add', first);
    symlinkSync(join(folder, 'a'), join(folder, 'link'));
    symlinkSync(join(folder, 'home'), join(folder, 'to-home'));
    const before = config();
    const overlapping = [
      ['a/pictures/folder 0', 'overlaps'],
      ['a', 'overlaps'],
      ['link/pictures', 'job pictures already backs it up'],
      ['b/pictures', 'job pictures stores its objects', '--bucket', 'pictures'],
      ['b/pictures', 'job pictures already exists', '--name', 'pictures'],
      ['home', 'which Holdfast uses for its own data'],
      ['home/state', 'which Holdfast uses for its own data'],
      ['to-home/data', 'which Holdfast uses for its own data'],
    ] as const;
    for (const [name, words, ...options] of overlapping) {
      const { exitCode, stderr } = await cli('job', 'add', join(folder, name), ...options);
      expect({ name, exitCode }).toEqual({ name, exitCode: words.includes('Holdfast') ? 2 : 1 });
      expect(stderr).toContain(words);
    }
    expect(config()).toBe(before);
  });
});

describe('jobs that an editor changes in config.yaml', () => {
  it('SIGHUP applies a config.yaml that adds one job and removes another', async () => {
    const { first, configFile, config, daemon, job } = await fixtureOf(startDaemonProcess);
    const more = `  - name: by-hand\n    folder: ${first}\n    bucket: by-hand\n`;
    writeFileSync(configFile, config() + more);
    daemon.process.kill('SIGHUP');
    await until(
      () => job('by-hand'),
      (status) => status?.inSync === true && status.counts.files === 10,
    );
    writeFileSync(configFile, 'storage: {port: 0}\n');
    daemon.process.kill('SIGHUP');
    const jobs = await until(
      async () => (await daemon.client.call('status', {})).jobs,
      ({ length }) => length === 0,
    );
    expect(jobs).toEqual([]);
  });

  it('changing the bucket of a job in config.yaml uploads all files to the new bucket', async () => {
    const { first, configFile, config, daemon, json, job } = await jobsFixture();
    await json('job', 'add', first);
    await daemon.client.call('jobs.settled', { name: 'pictures' });
    writeFileSync(configFile, config().replace('bucket: pictures', 'bucket: elsewhere'));
    daemon.reload();
    await until(
      () => job('pictures'),
      (status) => status?.bucket === 'elsewhere' && status.inSync,
    );
    const { objects } = await daemon.client.call('objects.list', {
      bucket: 'elsewhere',
      prefix: 'folder',
    });
    expect(objects).toHaveLength(10);
  });

  it('a job that would back up the home of Holdfast is refused, also by `job edit`', async () => {
    const { folder, first, cli, configFile, config } = await jobsFixture();
    await cli('job', 'add', first);
    const home = join(folder, 'home');
    const edit = await cli('job', 'edit', 'pictures', `folder=${home}`);
    expect(edit).toMatchObject({ exitCode: 2 });
    expect(edit.stdout + edit.stderr).toContain('which Holdfast uses for its own data');
    writeFileSync(configFile, config().replace(`folder: ${first}`, `folder: ${home}`));
    const reload = await cli('config', 'reload');
    expect(reload).toMatchObject({ exitCode: 1 });
    expect(reload.stderr).toContain('folder: is inside');
  });

  it('`status` reports an invalid config.yaml, and the running jobs continue', async () => {
    const { configFile, config, daemon, job } = await jobsFixture();
    const good = config();
    const warnings = async () => (await daemon.client.call('status', {})).warnings;
    writeFileSync(configFile, good.replace('bucket: kept', 'bucket: Kept'));
    daemon.reload();
    const [said] = await until(warnings, ({ length }) => length > 0);
    expect(said).toContain('holdfast config check');
    expect(await job('kept')).toMatchObject({ bucket: 'kept' });
    writeFileSync(configFile, good.replace('port: 0', 'port: 9'));
    daemon.reload();
    const [later] = await until(warnings, ([first]) => first !== said);
    expect(later).toContain('the change of storage takes effect at the next start');
  });
});
