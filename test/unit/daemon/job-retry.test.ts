/** Tests how often a job retries a service that is unreachable or does not speak S3. */

import { expect, onTestFinished, test } from 'vitest';

import { Job } from '../../../daemon/jobs/job.ts';
import { JobMeter } from '../../../daemon/meter/job-meter.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { resolveHome } from '../../../src/config/home.ts';
import { parseConfig } from '../../../src/config/load.ts';
import { isControlError } from '../../../src/control/control-error.ts';
import { TransportError } from '../../../src/object-store/transport-error.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { openTestEngine } from '../../helpers/test-engine.ts';
import { until } from '../../helpers/until.ts';

const NOT_S3 = new TransportError('BadResponse', 'the service did not return a valid S3 response', {
  sent: true,
});

async function failingJob(error: Error) {
  const home = resolveHome({ homeFlag: '/of-holdfast', env: {}, cwd: '/' });
  const text = 'jobs: [{name: docs, folder: /docs, bucket: docs}]';
  const [config] = parseConfig(text, { file: '/config.yaml', home }).jobs;
  if (!config) throw new Error('the configuration has no job');
  const { store } = await openTestEngine();
  let tries = 0;
  const getVersioning = () => {
    tries += 1;
    return Promise.reject(error);
  };
  const failing = new Proxy(store, {
    get: (all, name) => (name === 'getVersioning' ? getVersioning : Reflect.get(all, name)),
  });
  const clock = new FakeClock();
  const nothing = () => undefined;
  const hooks = { onMoved: nothing, onBytes: nothing, onOperation: nothing, onVersion: nothing };
  const job = new Job({
    config,
    rooms: {
      storeOf: () => failing,
      placementOf: () => 'same disk',
      jobStore: () => ({ store: failing }),
      openJob: async () => {
        throw error;
      },
    },
    meter: new JobMeter(clock, hooks),
    clock,
    logger: silentLogger,
    onChange: nothing,
    onActivity: nothing,
  });
  onTestFinished(() => job.close());
  const tried = (count: number) =>
    until(
      () => [tries, job.status().reason ?? ''] as const,
      ([done, reason]) => done === count && reason !== '',
    );
  const pass = async (ms: number) => {
    clock.advance(ms);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { job, tried, pass, tries: () => tries };
}

test('the daemon retries a service that does not speak S3 five times in the first minute and then every 15 minutes', async () => {
  const { job, tried, pass, tries } = await failingJob(NOT_S3);
  await tried(1);
  for (const [index, waitMs] of [1_000, 2_000, 4_000, 8_000, 16_000].entries()) {
    await pass(waitMs);
    await tried(index + 2);
  }
  expect(job.status()).toMatchObject({
    state: 'failed',
    reason:
      'the service did not return a valid S3 response; retrying in 15 min; to retry now: `holdfast job run docs`',
  });
  await pass(14 * 60_000);
  expect(tries()).toBe(6);
  await pass(60_000);
  await tried(7);
});

test('the daemon retries a failed job at once on `job run` and reports the result', async () => {
  const { job, tried, tries } = await failingJob(NOT_S3);
  await tried(1);
  const error: unknown = await job.runNow().catch((reason: unknown) => reason);
  expect(isControlError(error, 'Failed')).toBe(true);
  expect(tries()).toBe(2);
});

test('the daemon retries an unreachable service at least once a minute', async () => {
  const refused = new TransportError('ConnectionRefused', 'refused', { sent: false });
  const { tried, pass, tries } = await failingJob(refused);
  await tried(1);
  for (const count of [2, 3, 4, 5, 6, 7, 8, 9, 10]) {
    await pass(60_000);
    await tried(count);
    expect(tries()).toBe(count);
  }
});
