/** Tests that an interrupted multipart upload to a second Holdfast resumes without sending most bytes again. */

import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { openSignedClient } from '../../src/client/signed-client.ts';
import { collect } from '../../src/object-store/body.ts';
import { svcDialect } from '../../src/protocol/dialect.ts';
import { CountingProxy } from '../helpers/counting-proxy.ts';
import { startDaemonHere } from '../helpers/daemon-here.ts';
import { type DaemonProcess, makeHome, startDaemonProcess } from '../helpers/daemon-process.ts';
import { hastyClock } from '../helpers/hasty-clock.ts';
import { runCliHere } from '../helpers/run-cli.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

const MIB = 1024 ** 2;
/** The size of the test file in bytes: 5 parts of 8 MiB. A job sends four parts at the same time. */
const FILE_BYTES = 40 * MIB;
/**
 * The number of sent bytes at which the test interrupts the upload. The service has then acknowledged a part and
 * received most of the other parts. An upload that started again from the beginning would send more than `MOST_BYTES`.
 */
const INTERRUPTED_AT_BYTES = 36 * MIB;
/**
 * The maximum number of sent bytes: the file, four parts of 8 MiB that may be lost in flight, and 1 MiB of overhead.
 */
const MOST_BYTES = FILE_BYTES + 33 * MIB;
const BUCKET = 'large';
const KEY = 'large.bin';

type Daemon = Pick<DaemonProcess, 'client'>;
type Start<D extends Daemon> = (home: string) => Promise<D>;

/** Starts a daemon whose jobs retry soon after a failure. */
async function startDaemon(home: string): Promise<Daemon> {
  const daemon = await startDaemonHere(home, hastyClock(500));
  onTestFinished(() => daemon.stop());
  return daemon;
}

/** Starts a daemon that the test can kill. */
async function startVictim(home: string): Promise<DaemonProcess> {
  const daemon = await startDaemonProcess(home);
  onTestFinished(() => daemon.kill());
  return daemon;
}

/** Creates a job that backs up to a second Holdfast through a proxy, and a large file outside the job's folder. */
async function jobThroughProxy<Remote extends Daemon>(
  startRemote: Start<Remote>,
  fileBytes: number,
) {
  const folder = temporaryFolder('hf-resume');
  const home = join(folder, 'home');
  const remoteHome = join(folder, 'remote');
  const root = join(folder, BUCKET);
  makeHome(home);
  mkdirSync(root);
  const remote = await startRemote(remoteHome);
  const credentials = await remote.client.call('credentials', {});
  const port = Number(new URL(credentials.endpointUrl).port);
  const proxy = await CountingProxy.open(port);
  onTestFinished(() => proxy.close());
  const { accessKeyId, secretAccessKey } = credentials;
  const up = await runCliHere(
    ['up', root, '--once', '--to', proxy.endpoint, '--protocol', 'svc', '--home', home],
    {
      env: {
        HOLDFAST_TARGET_ACCESS_KEY_ID: accessKeyId,
        HOLDFAST_TARGET_SECRET_ACCESS_KEY: secretAccessKey,
      },
    },
  );
  // Checks only the exit code, because stderr contains progress output if the command takes longer than a
  // second.
  expect(up.exitCode).toBe(0);
  const client = openSignedClient({
    endpoint: credentials.endpointUrl,
    region: credentials.region,
    dialect: svcDialect('SVC'),
    credentials,
    clock: systemClock,
    logger: silentLogger,
  });
  onTestFinished(() => client.close());
  // A repeated text whose length is a prime, so that the parts differ.
  const bytes = Buffer.alloc(fileBytes, randomBytes(65_521));
  writeFileSync(join(folder, KEY), bytes);
  const restartRemote = async () => {
    makeHome(remoteHome, port);
    return startDaemon(remoteHome);
  };
  return { folder, root, home, remote, restartRemote, proxy, client, bytes };
}

/** The size of the large file, and options of the job that are changed. */
interface StartOptions {
  readonly fileBytes?: number;
  readonly bandwidth?: string;
}

/** Starts the job with changed options. Returns after the proxy has sent `sentBytes` bytes of the large file. */
async function interruptedAt<Remote extends Daemon, Local extends Daemon>(
  sentBytes: number,
  startRemote: Start<Remote>,
  startLocal: Start<Local>,
  { fileBytes = FILE_BYTES, ...changes }: StartOptions = {},
) {
  const setup = await jobThroughProxy(startRemote, fileBytes);
  const { folder, root, home, proxy } = setup;
  const daemon = await startLocal(home);
  if (Object.keys(changes).length > 0)
    await daemon.client.call('jobs.edit', { name: BUCKET, changes, dryRun: false });
  await until(
    async () => (await daemon.client.call('status', {})).jobs[0],
    (job) => job?.inSync === true,
  );
  const before = proxy.sentBytes;
  renameSync(join(folder, KEY), join(root, KEY));
  await proxy.sent(before + sentBytes);
  return { ...setup, daemon, sentBytes: () => proxy.sentBytes - before };
}

type Interrupted = Awaited<ReturnType<typeof interruptedAt<Daemon, Daemon>>>;

const INTERRUPTIONS: Record<string, () => Promise<Interrupted>> = {
  'the network is cut': async () => {
    const setup = await interruptedAt(INTERRUPTED_AT_BYTES, startDaemon, startDaemon);
    const restore = await setup.proxy.cut();
    await until(
      async () => (await setup.daemon.client.call('status', {})).jobs[0],
      (job) => job?.state === 'failed',
    );
    await restore();
    return setup;
  },
  'the service is restarted': async () => {
    const setup = await interruptedAt(INTERRUPTED_AT_BYTES, startVictim, startDaemon);
    await setup.remote.kill();
    await setup.restartRemote();
    return setup;
  },
  'the daemon is killed': async () => {
    const setup = await interruptedAt(INTERRUPTED_AT_BYTES, startDaemon, startVictim);
    await setup.daemon.kill();
    await startDaemon(setup.home);
    return setup;
  },
};

test.each(Object.entries(INTERRUPTIONS))(
  'a resumed upload sends at most those parts again that were in flight when %s',
  async (_, interrupt) => {
    const { client, bytes, sentBytes } = await interrupt();

    const isStored = async () =>
      (await client.listObjects({ bucket: BUCKET })).objects.some(({ key }) => key === KEY);
    await until(isStored, Boolean);
    expect(sentBytes()).toBeLessThanOrEqual(MOST_BYTES);
    const { body } = await client.getObject({ bucket: BUCKET, key: KEY });
    expect(bytes.equals(await collect(body, FILE_BYTES))).toBe(true);
    expect((await client.listUploads({ bucket: BUCKET })).uploads).toEqual([]);
    const { versions } = await client.listVersions({ bucket: BUCKET, prefix: KEY });
    expect(versions).toHaveLength(1);
  },
);

describe('a job that is removed or changed during a large upload', () => {
  /** The rate limit ensures that the upload is not finished yet when the test removes or changes the job. */
  const started = () =>
    interruptedAt(4 * MIB, startDaemon, startDaemon, { fileBytes: 20 * MIB, bandwidth: '10MB/s' });
  const openUploads = async ({ client }: Pick<Interrupted, 'client'>) =>
    (await client.listUploads({ bucket: BUCKET })).uploads;

  test('removing a job aborts its unfinished multipart upload', async () => {
    const setup = await started();
    expect(await openUploads(setup)).toHaveLength(1);
    await expect(setup.daemon.client.call('jobs.remove', { name: BUCKET })).resolves.toEqual({});
    expect(await openUploads(setup)).toEqual([]);
  });

  test('changing the prefix of a job aborts the unfinished multipart upload at the old prefix', async () => {
    const setup = await started();
    const { daemon } = setup;
    const changes = { prefix: 'elsewhere/' };
    if (Object.keys(changes).length > 0)
      await daemon.client.call('jobs.edit', { name: BUCKET, changes, dryRun: false });
    const keys = (await openUploads(setup)).map(({ key }) => key);
    expect(keys).not.toContain(KEY);
  });

  test('removing a job reports a multipart upload that it cannot abort because the service does not respond', async () => {
    const { daemon, proxy } = await started();
    await proxy.cut();
    const { notes } = await daemon.client.call('jobs.remove', { name: BUCKET });
    expect(notes).toContainEqual(
      expect.stringMatching(/^unfinished multipart uploads of large\.bin may remain in large\//),
    );
  });
});
