/**
 * Tests of `lock list`, `lock release` and `job forget` with a fake daemon. Also tests what `job
 * remove` reports about locks.
 */

import { dirname } from 'node:path';
import { PassThrough } from 'node:stream';

import { describe, expect, it } from 'vitest';

import type { ControlHandlers } from '../../daemon/control/control-handlers.ts';
import { runProgram } from '../../src/cli/program.ts';
import { controlFixture } from '../helpers/control-fixture.ts';
import { daemonStatus, jobStatus } from '../helpers/job-status.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { CapturedSink, runCli, jsonOf } from '../helpers/run-cli.ts';

const DAY_MS = 24 * 3_600_000;
const AT = Date.UTC(2026, 11, 21, 12);

const LOCKS = {
  locked: 12,
  bytes: 3_100_000,
  unlocked: 1,
  earliestUntil: AT,
  firstLapseDays: 30,
  renewalsDue: 2,
  failing: 0,
  released: 3,
  deferred: 1,
  deferredUntil: AT,
  retained: 1,
  retainedUntil: AT,
  renewalRight: 'proven' as const,
};

async function fixture(handlers: Partial<ControlHandlers>) {
  const { socketPath } = await controlFixture(handlers);
  const home = dirname(socketPath);
  return (argv: readonly string[]) => runCli(argv, { env: { HOLDFAST_HOME: home } });
}

const statusOf = (locks: typeof LOCKS | undefined) => async () =>
  daemonStatus(jobStatus({ name: 'photos', ...(locks && { locks }) }));

describe('`lock list` and `lock why`', () => {
  it('`lock list` reports the number of locks, pending renewals, and the locks that expire by day or by week', async () => {
    const day = (number: number) => ({
      day: Date.UTC(2090, 0, 1) + number * DAY_MS,
      versions: 1,
      bytes: 10,
    });
    const answer = (count: number) => ({
      locks: LOCKS,
      days: Array.from({ length: count }, (_, number) => day(number)),
      retained: [{ key: 'a', until: AT, what: 'saved before it was deleted' }],
    });
    const byDay = await fixture({ 'jobs.locks': async () => answer(2) });
    const { stdout } = await byDay(['lock', 'list', 'photos']);
    expect(stdout).toContain(
      'photos: 12 current versions locked, 3.1 MB, the first until 2026-12-21 (30 days)',
    );
    expect(stdout).toContain('2 renewals due; 3 versions released');
    expect(stdout).toContain('1 version not locked as configured');
    expect(stdout).toContain('1 change deferred until');
    expect(stdout).toContain('a: saved before it was deleted, until');
    expect(stdout).toContain('end 2090-01-02: 1 version, 10 B');
    const byWeek = await fixture({ 'jobs.locks': async () => answer(21) });
    expect((await byWeek(['lock', 'list', 'photos'])).stdout).toMatch(
      /end week of 2090-01-05: 7 versions, 70 B/,
    );
  });

  it('`lock why` explains why a file is locked, and by which rule', async () => {
    const why = {
      job: 'photos',
      path: 'a.log',
      versionId: 'v1',
      isHead: false,
      terms: { mode: 'GOVERNANCE' as const, days: 1, refreshDays: 7 },
      pattern: '*.log',
      retention: { mode: 'GOVERNANCE' as const, retainUntil: AT },
      legalHold: true,
      renewedAt: AT,
      released: false,
      ends: 'the deletion of the file',
    };
    const run = await fixture({ 'jobs.why': async () => why });
    const { stdout } = await run(['lock', 'why', '/pictures/a.log']);
    expect(stdout).toContain('a.log of job photos: version v1, which is superseded');
    expect(stdout).toContain('legal hold: on');
    expect(stdout).toContain('kept by the pattern *.log: GOVERNANCE, 1 day, renewed every 7 days');
    expect(stdout).toContain('the deletion of the file');
    const { stdout: json } = await run(['lock', 'why', '/pictures/a.log', '--json']);
    expect(jsonOf(json)).toEqual(why);
  });
});

it('`lock release` and `job forget` report how many versions or objects they changed', async () => {
  const asked: unknown[] = [];
  const run = await fixture({
    'jobs.release': async (params) => {
      asked.push(params);
      return { versions: 2, firstEnd: AT, lastEnd: AT + DAY_MS };
    },
    'jobs.forget': async () => ({ objects: 3 }),
  });
  expect(
    (await run(['lock', 'release', 'photos', '/pictures/a', '/pictures/b', '--yes'])).stdout,
  ).toMatch(/^released the locks of 2 versions; they end from .* to /);
  expect(asked).toEqual([{ job: 'photos', paths: ['/pictures/a', '/pictures/b'] }]);
  expect((await run(['job', 'forget', 'photos', '/pictures/old', '--yes'])).stdout).toMatch(
    /^3 objects: to be deleted/,
  );
});

describe('`job remove`', () => {
  const answers = (locks: typeof LOCKS | undefined) => ({
    status: statusOf(locks),
    'targets.list': async () => ({ targets: [] }),
    'jobs.locks': async () => ({
      days: [{ day: Date.UTC(2026, 11, 30), versions: 12, bytes: 1 }],
      retained: [],
    }),
  });

  it.each([
    [
      'how long versions stay locked',
      LOCKS,
      /note: 12 versions stay locked, the first until .*, the last until 2026-12-30; the locks are no longer renewed\n$/,
    ],
    [
      'how long the only locked version stays locked',
      { ...LOCKS, locked: 1 },
      /note: 1 version stays locked until \S+ \S+; the locks are no longer renewed\n$/,
    ],
    [
      'the objects that stay in the bucket',
      undefined,
      /^removed job photos\n {2}note: all versions stay in photos\/ \(current: 5,012 files, 3.14 GB\)\n$/,
    ],
  ])('`job remove` reports %s', async (_says, locks, said) => {
    const run = await fixture({ ...answers(locks), 'jobs.remove': async () => ({}) });
    const { stdout, exitCode } = await run(['job', 'remove', 'photos', '--yes']);
    expect(stdout).toMatch(said);
    expect(exitCode).toBe(0);
  });

  it('without a terminal, `job remove` refuses to remove a job with locks unless --yes is given', async () => {
    const removed: unknown[] = [];
    const run = await fixture({
      ...answers(LOCKS),
      'jobs.remove': async (params) => {
        removed.push(params);
        return {};
      },
    });
    const { exitCode, stderr } = await run(['job', 'remove', 'photos']);
    expect([exitCode, removed]).toEqual([2, []]);
    expect(stderr).toContain('Try: holdfast job remove photos --yes');
  });

  const offsite = (...jobs: string[]) => ({
    name: 'offsite',
    endpoint: 'https://far.example',
    region: 'us-east-1',
    protocol: 's3' as const,
    jobs,
  });

  async function withTarget(...jobs: string[]) {
    const removed: string[] = [];
    const { socketPath } = await controlFixture({
      ...answers(undefined),
      'targets.list': async () => ({ targets: [offsite(...jobs)] }),
      'jobs.remove': async ({ name }) => {
        removed.push(name);
        return {};
      },
      'targets.remove': async ({ name }) => {
        removed.push(name);
        return { keyFile: '/home/ada/offsite.json' };
      },
    });
    return { removed, env: { HOLDFAST_HOME: dirname(socketPath) } };
  }

  it.each([
    ['y', ['photos', 'offsite'], 'removed target offsite and its key file /home/ada/offsite.json'],
    ['n', ['photos'], 'target offsite and its key file were kept'],
  ])(
    '`job remove` asks about a target that no other job uses, and the answer %j removes %j',
    async (answer, gone, said) => {
      const { removed, env } = await withTarget('photos');
      const stdin = Object.assign(new PassThrough(), { isTTY: true });
      const [stdout, stderr] = [new CapturedSink(80), new CapturedSink(80)];
      const io = { stdin, stdout, stderr, env, cwd: '/', clock: new FakeClock() };
      const exitCode = runProgram(['job', 'remove', 'photos'], io);
      await stderr.saw(/Remove job photos\? \[y\/N\]/);
      stdin.write('y\n');
      await stderr.saw(/No other job uses target offsite \(https:\/\/far\.example\)/);
      stdin.write(`${answer}\n`);
      expect([await exitCode, removed]).toEqual([0, gone]);
      expect(stdout.text).toContain(said);
    },
  );

  it.each([
    ['keeps the target if only --yes is given', ['photos'], [], ['photos']],
    [
      'removes the target with --remove-target',
      ['photos'],
      ['--remove-target'],
      ['photos', 'offsite'],
    ],
    ['keeps a target that another job uses', ['photos', 'music'], ['--remove-target'], ['photos']],
  ])('`job remove` %s', async (_says, jobs, options, gone) => {
    const { removed, env } = await withTarget(...jobs);
    const argv = ['job', 'remove', 'photos', '--yes', ...options];
    expect((await runCli(argv, { env })).exitCode).toBe(0);
    expect(removed).toEqual(gone);
  });
});

describe('`wait` for a job with locks', () => {
  it.each([
    [{ renewalsDue: 0, failing: 0 }, 0],
    [{ renewalsDue: 1, failing: 0 }, 3],
    [{ renewalsDue: 0, failing: 1 }, 3],
  ])('`wait` for a job with the lock counts %o exits with code %i', async (open, code) => {
    const locks = { ...LOCKS, unlocked: 0, renewalRight: 'proven' as const, ...open };
    const job = jobStatus({ name: 'photos', locks });
    const settled = async () => ({ job, seconds: 1 });
    const wait = await fixture({ status: statusOf(locks), 'jobs.settled': settled });
    expect((await wait(['wait'])).exitCode).toBe(code);
  });
});
