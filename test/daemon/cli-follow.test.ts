/**
 * Tests of `up` while a daemon is already running. The command adds the job to that daemon and
 * follows its progress.
 */

import { dirname } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { ControlHandlers } from '../../daemon/control/control-handlers.ts';
import { ControlError } from '../../src/control/control-error.ts';
import type { JobStatus, Status } from '../../src/control/shapes.ts';
import { controlFixture } from '../helpers/control-fixture.ts';
import { jobStatus, storeHealth } from '../helpers/job-status.ts';
import { startCli, jsonOf, eventsOf } from '../helpers/run-cli.ts';
import type { CliOptions } from '../helpers/run-cli.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const statusOf = (...jobs: JobStatus[]): Status => ({
  version: '1.2.3',
  pid: 42,
  home: '/home',
  startedAt: 0,
  listeners: [],
  store: storeHealth(),
  jobs,
  alarms: [],
  warnings: [],
});

/** Starts a control server with one job. The job is in sync when the test resolves `settled`. */
async function upFixture(handlers: Partial<ControlHandlers> = {}) {
  const cwd = temporaryFolder();
  const settled = Promise.withResolvers<JobStatus>();
  const settling = Promise.withResolvers<void>();
  const asked: Record<string, unknown>[] = [];
  const job = jobStatus({ folder: cwd, state: 'mirroring', inSync: false });
  const control = await controlFixture({
    status: async () => statusOf(job),
    'jobs.add': async (spec) => {
      asked.push(spec);
      return { job, existing: false, notes: ['a note'] };
    },
    'targets.add': async (spec) => {
      asked.push(spec);
      return { name: 'elsewhere', existing: false };
    },
    'jobs.settled': async (_, { signal }) => {
      // Like the daemon, the handler stops waiting for the job when the client aborts the request.
      signal.addEventListener('abort', () => settled.reject(signal.reason), { once: true });
      settling.resolve();
      return { job: await settled.promise, seconds: 21 };
    },
    ...handlers,
  });
  const env = { HOLDFAST_HOME: dirname(control.socketPath) };
  const up = (argv: readonly string[], options: CliOptions = {}) =>
    startCli(['up', ...argv], { cwd, ...options, env: { ...env, ...options.env } });
  return { ...control, cwd, job, asked, settled, settling: settling.promise, up };
}

const settledJob = (job: JobStatus, problems: JobStatus['problems'] = []): JobStatus =>
  jobStatus({
    name: job.name,
    folder: job.folder,
    state: 'watching',
    inSync: true,
    counts: { ...job.counts, uploadedVersions: 7, uploadedBytes: 300, problems: problems.length },
    problems,
  });

describe('`up --once` with a running daemon', () => {
  it('`up --once` prints a summary when all files are stored durably', async () => {
    const { up, job, settled, asked, cwd } = await upFixture();
    settled.resolve(settledJob(job));
    const { exitCode, stdout } = up(['.', '--once', '--bucket', 'photos']);
    expect(await exitCode).toBe(0);
    expect(asked).toEqual([{ folder: cwd, bucket: 'photos' }]);
    expect(stdout.text).toContain('note: a note');
    expect(stdout.text).toContain(
      'photos  in sync\n  5,012 files, 3.14 GB in 21 s: 7 sent (300 B), 5,005 unchanged, 0 failed\n',
    );
  });

  it('`up --once` exits with code 3 and names the paths with problems', async () => {
    const { up, job, settled } = await upFixture();
    settled.resolve(settledJob(job, [{ path: 'key.pem', code: 'unreadable', message: 'EACCES' }]));
    const { exitCode, stdout } = up(['.', '--once']);
    expect(await exitCode).toBe(3);
    expect(stdout.text).toContain('key.pem: unreadable: EACCES');
  });

  it.each(['failed', 'root missing'] as const)(
    '`up --once` exits with code 1 if a job has the state `%s`',
    async (state) => {
      const { up, job, settled } = await upFixture();
      settled.resolve({ ...job, state, reason: 'the disk is gone' });
      const { exitCode, stdout } = up(['.', '--once']);
      expect(await exitCode).toBe(1);
      expect(stdout.text).toContain(`${state}: the disk is gone`);
    },
  );

  it('`up --once --json` prints an event for each job that has finished, and a result that contains all jobs', async () => {
    const { up, job, settled } = await upFixture();
    const result = settledJob(job);
    settled.resolve(result);
    const { exitCode, stdout } = up(['.', '--once', '--json']);
    expect(await exitCode).toBe(0);
    const settledOne = { job: result, seconds: 21 };
    expect(eventsOf(stdout.text)).toEqual([{ type: 'job.settled', ...settledOne }]);
    expect(jsonOf(stdout.text)).toEqual({ settled: [settledOne] });
  });

  it('`up --once` exits with code 1 if the daemon stops before the job has finished', async () => {
    const { up, events, server, settling, connect } = await upFixture();
    const other = await connect();
    const returned = new Promise((resolve) => other.onEvent(resolve));
    await other.subscribe();
    const { exitCode, stdout } = up(['.', '--once']);
    await settling;
    events.append({ type: 'stopping' });
    await returned;
    await server.close();
    expect(await exitCode).toBe(1);
    expect(stdout.text).toContain('the daemon was stopped');
  });
});

describe('`up --once` with a daemon that is killed', () => {
  it('`up --once` fails and reports the lost connection if the daemon is killed', async () => {
    const { up, server, settling } = await upFixture();
    const { exitCode, stderr } = up(['.', '--once']);
    await settling;
    await server.close();
    expect(await exitCode).toBe(1);
    expect(stderr.text).toContain('holdfast: ');
  });
});

describe('`up --to` with a running daemon', () => {
  it('`up --to` first adds the target with the access key from the environment, and then adds the job', async () => {
    const { up, job, settled, asked, cwd } = await upFixture();
    settled.resolve(settledJob(job));
    const env = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
    const argv = ['.', '--once', '--to', 'http://127.0.0.1:9020', '--protocol', 's3'];
    const { exitCode, stdout, stderr } = up(argv, { env });
    expect(await exitCode).toBe(0);
    expect(asked).toEqual([
      {
        endpoint: 'http://127.0.0.1:9020',
        protocol: 's3',
        accessKeyId: 'id',
        secretAccessKey: 'secret',
      },
      { folder: cwd, target: 'elsewhere' },
    ]);
    expect(stdout.text + stderr.text).not.toContain('secret');
  });
});

describe('`up` with a running daemon', () => {
  it('`up` shows the progress, and then one line for each activity of its job', async () => {
    const { up, job, settled, settling, events, server, clock } = await upFixture();
    const { exitCode, stdout, stderr } = up(['.'], { columns: 120, clock });
    await settling;
    const counts = { ...job.counts, uploadedVersions: 3, uploadedBytes: 50, pending: 3 };
    clock.advance(1_000);
    events.append({ type: 'job.changed', job: { ...job, counts } });
    await stderr.saw(/3\/6 files[^]*mirroring photos/);
    settled.resolve(settledJob(job));
    await stdout.saw(/watching .*Ctrl-C ends this view; the daemon, pid/);
    const activity = {
      type: 'activity',
      level: 'info',
      action: 'put',
      message: '5 bytes',
    } as const;
    events.append({ ...activity, job: 'another', path: 'not-mine' });
    events.append({ ...activity, job: 'photos', path: 'new\u001b[2J.jpg' });
    events.append({ type: 'job.changed', job: { ...job, state: 'paused' } });
    await stdout.saw(/paused/);
    events.append({ type: 'stopping' });
    await server.close();
    expect(await exitCode).toBe(0);
    expect(stdout.text).toContain('new\\x1b[2J.jpg  5 bytes');
    expect(stdout.text).not.toContain('not-mine');
    expect(stderr.text.endsWith('\r\u001b[J')).toBe(true);
  });

  it('`up` leaves the running daemon running on Ctrl-C, and reports this', async () => {
    const { up, job, settled, connect } = await upFixture();
    settled.resolve(settledJob(job));
    const { exitCode, stdout } = up(['.']);
    await stdout.saw(/watching/);
    process.emit('SIGINT');
    expect(await exitCode).toBe(0);
    expect(stdout.text).toMatch(/no longer following; the daemon, pid \d+, keeps running/);
    expect((await connect()).hello.version).toBe('1.2.3');
  });

  it('`up` without a folder continues with the other jobs if one job cannot run', async () => {
    const failed = jobStatus({ name: 'away', state: 'failed', reason: 'refused', inSync: false });
    const { up, job, settled } = await upFixture({
      status: async () => statusOf(jobStatus(), failed),
      'jobs.settled': async ({ name }) => {
        if (name === 'away') throw new ControlError('Failed', 'run job away: refused');
        return { job: await settled.promise, seconds: 21 };
      },
    });
    settled.resolve(settledJob(job));
    const { exitCode, stdout } = up(['--once']);
    expect(await exitCode).toBe(1);
    expect(stdout.text).toContain('away  failed: refused\n');
    expect(stdout.text).toContain('7 sent (300 B)');
  });

  it('`up` without a folder follows all jobs', async () => {
    const { up, job, settled, asked } = await upFixture();
    settled.resolve(settledJob(job));
    const { exitCode, stdout } = up(['--once']);
    expect(await exitCode).toBe(0);
    expect(asked).toEqual([]);
    expect(stdout.text).toContain('job photos');
  });
});
