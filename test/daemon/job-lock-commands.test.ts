/** `holdfast locks|release|forget`, and what the removal of a job says of its locks: by written answers. */

import { dirname } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { ControlHandlers } from '../../daemon/control-server.ts';
import { controlFixture } from '../helpers/control-fixture.ts';
import { jobStatus, storeHealth } from '../helpers/job-status.ts';
import { runCli } from '../helpers/run-cli.ts';

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

const statusOf = (locks: typeof LOCKS | undefined) => async () => ({
  version: '1.2.3',
  pid: 42,
  home: '/home/ada',
  startedAt: 0,
  listeners: [],
  store: storeHealth(),
  jobs: [jobStatus({ name: 'photos', ...(locks && { locks }) })],
  alarms: [],
  warnings: [],
});

describe('holdfast locks', () => {
  it('tells counts, what waits, and the ends by day or by week', async () => {
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
    const { stdout } = await byDay(['locks', 'photos']);
    expect(stdout).toContain(
      'photos: 12 versions locked, 3.1 MB, the first until 2026-12-21 (30 days)',
    );
    expect(stdout).toContain('2 renewals due; 3 versions released');
    expect(stdout).toContain('1 version to be locked, and not locked');
    expect(stdout).toContain('1 change deferred until');
    expect(stdout).toContain('a: saved before it was deleted, until');
    expect(stdout).toContain('end 2090-01-02: 1 version, 10 B');
    const byWeek = await fixture({ 'jobs.locks': async () => answer(21) });
    expect((await byWeek(['locks', 'photos'])).stdout).toMatch(
      /end week of 2090-01-05: 7 versions, 70 B/,
    );
  });

  it('tells why a file is locked, and by which rule', async () => {
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
    const { stdout } = await run(['locks', 'why', '/pictures/a.log']);
    expect(stdout).toContain('a.log of job photos: version v1, which somebody covered');
    expect(stdout).toContain('legal hold: on');
    expect(stdout).toContain('kept by the pattern *.log: GOVERNANCE, 1 day, renewed every 7 days');
    expect(stdout).toContain('the deletion of the file');
    const { stdout: json } = await run(['locks', 'why', '/pictures/a.log', '--json']);
    expect(JSON.parse(json)).toEqual(why);
  });
});

it('release and forget say how many it was', async () => {
  const asked: unknown[] = [];
  const run = await fixture({
    'jobs.release': async (params) => {
      asked.push(params);
      return { versions: 2, firstEnd: AT, lastEnd: AT + DAY_MS };
    },
    'jobs.forget': async () => ({ objects: 3 }),
  });
  expect((await run(['release', 'photos', '/pictures/a', '/pictures/b'])).stdout).toMatch(
    /^2 versions renewed no longer: their locks end from .* to /,
  );
  expect(asked).toEqual([{ job: 'photos', paths: ['/pictures/a', '/pictures/b'] }]);
  expect((await run(['forget', 'photos', '/pictures/old'])).stdout).toMatch(
    /^3 objects: to be deleted/,
  );
});

it.each([
  [
    'says which locks end',
    LOCKS,
    /the locks of 12 versions are renewed no longer, and end, the first/,
  ],
  ['says nothing of locks where there are none', undefined, /stay\n$/],
])('the removal of a job %s', async (_says, locks, said) => {
  const run = await fixture({ status: statusOf(locks), 'jobs.remove': async () => ({}) });
  const { stdout, exitCode } = await run(['jobs', 'remove', 'photos', '--yes']);
  expect(stdout).toMatch(said);
  expect(exitCode).toBe(0);
});
