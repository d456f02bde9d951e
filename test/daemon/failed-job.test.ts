/**
 * Tests of commands about all jobs while one job has failed. The commands must handle the healthy
 * job and report the failed job.
 */

import { dirname } from 'node:path';

import { expect, it } from 'vitest';

import { ControlError } from '../../src/control/control-error.ts';
import { controlFixture } from '../helpers/control-fixture.ts';
import { jobStatus, storeHealth } from '../helpers/job-status.ts';
import { runCli, jsonOf } from '../helpers/run-cli.ts';

const REASON = 'job bad is not open: no disk';

function unlessBad<T>(name: string | undefined, answer: T): Promise<T> {
  return name === 'bad'
    ? Promise.reject(new ControlError('Failed', REASON))
    : Promise.resolve(answer);
}

const COUNTS = { entries: 2, bytes: 3, toBeLocked: 0, findings: 0, changedMeanwhile: 0 };
const CONFLICT = {
  id: '1',
  path: 'plan',
  at: 0,
  state: 'held',
  side: 'bucket',
  etag: 'x',
} as const;

/**
 * Starts a control server with a failed job before a healthy job, so that the failed job could prevent the command from
 * reaching the healthy job.
 */
async function fixture() {
  const jobs = [jobStatus({ name: 'bad', state: 'failed' }), jobStatus({ name: 'good' })];
  const { socketPath } = await controlFixture(({ streams }) => {
    const done = { is: 'done', ...COUNTS, readBack: 0, readBackBytes: 0 };
    const rows = () =>
      (async function* () {
        yield Buffer.from(`${JSON.stringify(done)}\n`);
      })();
    return {
      status: async () => ({
        version: '1.2.3',
        pid: 42,
        home: '/home/ada',
        startedAt: 0,
        listeners: [],
        store: storeHealth(),
        jobs,
        alarms: [],
        warnings: [],
      }),
      'jobs.locks': ({ name }) => unlessBad(name, { days: [], retained: [] }),
      'conflicts.list': ({ job }) => unlessBad(job, { conflicts: [CONFLICT] }),
      'conflicts.show': async ({ job = '' }) => {
        const [name] = job.split('/');
        if (name === 'plan') throw new ControlError('NotFound', 'no job has it');
        return unlessBad(name, { job: 'good', path: 'plan', conflicts: [CONFLICT] });
      },
      'jobs.settled': ({ name }) =>
        unlessBad(name, { job: jobStatus({ name: 'good' }), seconds: 1 }),
      'proof.verify': ({ name }) => unlessBad(name, { stream: streams.offerDownload(rows()) }),
      'proof.drill': ({ name }) => unlessBad(name, { files: 2, bytes: 3, at: 0, failures: [] }),
    };
  });
  return (...argv: string[]) => runCli(argv, { env: { HOLDFAST_HOME: dirname(socketPath) } });
}

it.each([
  ['lock list', 3, 'good'],
  ['conflict list', 3, 'plan'],
  ['wait', 3, 'good: in sync'],
  ['verify', 1, 'good: 2 paths'],
  ['test', 1, 'good: restore test of'],
])(
  'if one of two jobs has failed, `%s` exits with code %i, handles the healthy job and reports the failed job',
  async (line, code, answer) => {
    const run = await fixture();
    const result = await run(...line.split(' '));
    expect(result).toMatchObject({
      exitCode: code,
      stdout: expect.stringContaining(answer) as string,
    });
    expect(result.stderr).toContain(`! bad: ${REASON}`);
  },
);

it('`conflict show` finds the conflict of a healthy job although another job has failed', async () => {
  const run = await fixture();
  const result = await run('conflict', 'show', 'plan');
  expect(result).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('plan') as string });
});

it.each(['lock list', 'conflict list', 'wait', 'verify', 'test'])(
  '`%s bad` fails with the error of the failed job `bad`',
  async (line) => {
    const run = await fixture();
    const result = await run(...line.split(' '), 'bad');
    expect(result).toMatchObject({ exitCode: 1, stdout: '' });
    expect(result.stderr).toBe(`holdfast: ${REASON}\n`);
  },
);

it.each(['lock list', 'conflict list', 'wait', 'verify', 'test'])(
  'the result of `%s --json` lists the failed job',
  async (line) => {
    const run = await fixture();
    const { stdout, stderr } = await run(...line.split(' '), '--json');
    expect(stderr).toBe('');
    const failed = [{ job: 'bad', code: 'Failed', message: REASON }];
    expect(jsonOf(stdout)).toMatchObject({ failed });
  },
);
