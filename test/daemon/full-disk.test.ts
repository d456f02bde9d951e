/** Tests of a full disk. The home of the daemon is on a small tmpfs. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { type Clock, systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { openSignedClient } from '../../src/client/signed-client.ts';
import type { SignedClient } from '../../src/client/signed-client.ts';
import { checkClosedStore } from '../../src/engine/maintenance/closed-store.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import { amzDialect } from '../../src/protocol/dialect.ts';
import { hastyClock } from '../helpers/hasty-clock.ts';
import { startDaemonHere, type DaemonHere } from '../helpers/daemon-here.ts';
import { startDaemonProcess } from '../helpers/daemon-process.ts';
import type { DaemonProcess } from '../helpers/daemon-process.ts';
import { DISK_BYTES, fillDisk, smallDisk, untilReserve } from '../helpers/full-disk.ts';
import { errorOf, runCliHere } from '../helpers/run-cli.ts';
import { openTestEngine, readBytes } from '../helpers/test-engine.ts';
import { until } from '../helpers/until.ts';

const BUCKET = 'box';

const storeOf = (home: string) => join(home, 'data', 'store');

async function startDaemon(home: string, clock?: Clock): Promise<DaemonHere> {
  const daemon = await startDaemonHere(home, clock);
  onTestFinished(() => daemon.stop());
  return daemon;
}

/** Starts a daemon that the test can kill or send a signal. */
async function startVictim(home: string): Promise<DaemonProcess> {
  const daemon = await startDaemonProcess(home);
  onTestFinished(() => daemon.kill());
  return daemon;
}

/** Starts a daemon, and creates a bucket in its store. */
async function startBucket<Daemon extends Pick<DaemonProcess, 'client'>>(
  home: string,
  start: (home: string) => Promise<Daemon>,
): Promise<Daemon> {
  const daemon = await start(home);
  const options = { versioning: true, objectLock: false };
  await daemon.client.call('buckets.create', { bucket: BUCKET, ...options });
  await untilReserve(storeOf(home));
  return daemon;
}

async function connect(daemon: Pick<DaemonProcess, 'client'>): Promise<SignedClient> {
  const { endpointUrl, region, ...credentials } = await daemon.client.call('credentials', {});
  const client = openSignedClient({
    endpoint: endpointUrl,
    region,
    dialect: amzDialect,
    credentials,
    clock: systemClock,
    logger: silentLogger,
  });
  onTestFinished(() => client.close());
  return client;
}

it('a PUT that does not fit on the disk stores nothing, and a smaller PUT succeeds', async () => {
  const { folder, disk } = smallDisk();
  const home = join(disk, 'home');
  const daemon = await startBucket(home, startDaemon);
  const client = await connect(daemon);
  const { bfree } = statfsSync(disk);
  const large = join(folder, 'large');
  writeFileSync(large, '');
  truncateSync(large, DISK_BYTES);

  const put = await runCliHere(['s3', 'put', large, `${BUCKET}/large`, '--json', '--home', home]);
  expect(put).toMatchObject({ exitCode: 1, stderr: '' });
  expect(errorOf(put.stdout)).toMatchObject({ code: 'InsufficientStorage' });
  await expect(
    client.putObject({ bucket: BUCKET, key: 'large', body: bytesBody(Buffer.alloc(DISK_BYTES)) }),
  ).rejects.toMatchObject({ code: 'InsufficientStorage' });
  const { versions } = await daemon.client.call('versions.list', { bucket: BUCKET });
  expect(versions).toEqual([]);
  // The store has freed all blocks of the refused bodies. Only the log may have grown.
  expect(bfree - statfsSync(disk).bfree).toBeLessThan(100);

  const body = bytesBody(Buffer.alloc(200_000));
  await client.putObject({ bucket: BUCKET, key: 'small', body });
});

it('small PUTs that fill the disk lose no acknowledged object, and PUTs succeed again when space is free', async () => {
  const { disk, ballast } = smallDisk();
  const home = join(disk, 'home');
  const daemon = await startBucket(home, startDaemon);
  const client = await connect(daemon);
  fillDisk(disk, ballast, 3 * 2 ** 20);
  const body = bytesBody(Buffer.alloc(20_000, 'small'));
  const kept: string[] = [];
  const lane = async (name: number) => {
    for (let index = 0; index < 200; index += 1) {
      const key = `${name}-${index}`;
      await client.putObject({ bucket: BUCKET, key, body });
      kept.push(key);
    }
  };
  const ends = await Promise.allSettled([0, 1, 2, 3, 4, 5, 6, 7].map(lane));
  for (const end of ends) {
    expect(end).toMatchObject({ status: 'rejected', reason: { code: 'InsufficientStorage' } });
  }
  const ref = { bucket: BUCKET, key: 'parts' };
  await expect(
    client
      .createUpload(ref)
      .then((upload) => client.uploadPart({ ...ref, ...upload, partNumber: 1, body })),
  ).rejects.toMatchObject({ code: 'InsufficientStorage' });
  const versions = async () =>
    (await daemon.client.call('versions.list', { bucket: BUCKET })).versions.map(({ key }) => key);
  expect((await versions()).sort()).toEqual(kept.sort());
  rmSync(ballast);
  await client.putObject({ bucket: BUCKET, key: 'after', body });
  const check = await daemon.client.call('store.check', { deep: true, id: 'after' });
  expect(check.problems).toEqual([]);
  expect((await versions()).sort()).toEqual([...kept, 'after'].sort());
});

it('a job that fills the disk continues automatically when space is free', async () => {
  const { folder, disk, ballast } = smallDisk();
  const root = join(folder, 'tree');
  mkdirSync(root);
  for (let index = 0; index < 6; index += 1)
    writeFileSync(join(root, `file-${index}`), Buffer.alloc(2 ** 20, index));
  const daemon = await startBucket(join(disk, 'home'), (home) =>
    startDaemon(home, hastyClock(500)),
  );
  fillDisk(disk, ballast, 12 * 2 ** 20);
  await daemon.client.call('jobs.add', { folder: root });
  const job = async () => (await daemon.client.call('status', {})).jobs[0];
  const stuck = await until(
    job,
    (status) => status?.state === 'no room' || (status?.counts.problems ?? 0) > 0,
  );
  expect(`${stuck?.reason} ${JSON.stringify(stuck?.problems)}`).toMatch(/ are (?:free|available) /);
  expect(stuck?.inSync).toBe(false);
  rmSync(ballast);
  const done = await until(job, (status) => status?.inSync === true);
  expect(done?.counts).toMatchObject({ files: 6, problems: 0 });
});

/** Writes more log lines than fit into the last page of the log file. */
async function fillLog({ client, process }: DaemonProcess): Promise<void> {
  const lines = async () => (await client.call('log.tail', { lines: 1_000 })).lines.join('\n');
  for (const start = await lines(); (await lines()).length < start.length + 2 * 4_096;) {
    const before = await lines();
    process.kill('SIGHUP');
    await until(lines, (now) => now.length > before.length);
  }
}

it('the daemon continues to run on a disk without a free byte', async () => {
  const { folder, disk, ballast } = smallDisk();
  const home = join(disk, 'home');
  const daemon = await startBucket(home, startVictim);
  const root = join(folder, 'tree');
  mkdirSync(root);
  writeFileSync(join(root, 'file'), 'first');
  await daemon.client.call('jobs.add', { folder: root });
  await daemon.client.call('jobs.settled', { name: 'tree' });
  const config = readFileSync(join(home, 'config.yaml'), 'utf8');
  fillDisk(disk, ballast, 0);
  for (let index = 0; index < 200; index += 1)
    writeFileSync(join(root, `file-${index}`), Buffer.alloc(4_000, index));
  await fillLog(daemon);
  const { warnings } = await daemon.client.call('status', {});
  expect(warnings[0]).toMatch(/^cannot write the log .*holdfast\.log: the disk is full/);
  const client = await connect(daemon);
  const put = () =>
    client.putObject({ bucket: BUCKET, key: 'key', body: bytesBody(Buffer.alloc(200_000)) });
  await expect(put()).rejects.toMatchObject({ code: 'InsufficientStorage' });
  const { versions } = await daemon.client.call('versions.list', { bucket: BUCKET });
  expect(versions).toEqual([]);
  await expect(daemon.client.call('jobs.pause', { name: 'tree' })).rejects.toMatchObject({
    message: expect.stringContaining('the disk is full') as string,
  });
  expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toBe(config);
  const job = async () => (await daemon.client.call('status', {})).jobs[0];
  await until(job, (status) => status?.state === 'no room');
  rmSync(ballast);
  await put();
  // Starts the job immediately. The job would otherwise continue within a minute.
  await daemon.client.call('jobs.run', { name: 'tree' });
  const done = await until(job, (status) => status?.inSync === true);
  expect(done?.counts).toMatchObject({ files: 201, problems: 0 });
  daemon.process.kill('SIGHUP');
  await until(
    async () => (await daemon.client.call('status', {})).warnings,
    ({ length }) => length === 0,
  );
  expect(await daemon.stop()).toBe(0);
});

it('a daemon that was killed on a full disk starts again, reads, deletes, and reports that its job needs space', async () => {
  const { folder, disk, ballast } = smallDisk();
  const home = join(disk, 'home');
  const killed = await startBucket(home, startVictim);
  const root = join(folder, 'tree');
  mkdirSync(root);
  writeFileSync(join(root, 'file'), 'first');
  await killed.client.call('jobs.add', { folder: root });
  await killed.client.call('jobs.settled', { name: 'tree' });
  await killed.kill();
  fillDisk(disk, ballast, 0);
  writeFileSync(join(root, 'file'), 'second');

  const daemon = await startDaemon(home);
  const status = () => daemon.client.call('status', {});
  await until(status, ({ jobs }) => jobs[0]?.state === 'no room');
  expect((await status()).store).toMatchObject({
    state: 'degraded',
    reasons: [expect.stringContaining('its disk is full') as string],
  });
  const client = await connect(daemon);
  const ref = { bucket: 'tree', key: 'file' };
  expect((await readBytes(client, ref)).toString()).toBe('first');
  await client.deleteObject(ref);
  await expect(client.headObject(ref)).rejects.toMatchObject({ code: 'NoSuchKey' });
  const put = client.putObject({ bucket: BUCKET, key: 'new', body: bytesBody('new') });
  await expect(put).rejects.toMatchObject({ code: 'InsufficientStorage' });
  rmSync(ballast);
  await daemon.client.call('jobs.run', { name: 'tree' });
  await until(status, ({ jobs }) => jobs[0]?.state === 'watching');
  await untilReserve(storeOf(home));
});

// Numbers of free 4 KiB pages. With each number, a different step of opening the store fails.
it.each([0, 1, 8, 11])(
  'a store on a disk with %i free pages does not open, reports the reason, and is intact when space is free',
  async (pages) => {
    const { disk, ballast } = smallDisk();
    const dir = join(disk, 'store');
    const ref = { bucket: BUCKET, key: 'key' };
    const before = await openTestEngine({ dir });
    await before.store.createBucket(ref);
    await before.store.putObject({ ...ref, body: bytesBody('kept') });
    await before.engine.close();
    fillDisk(disk, ballast, pages * 4096);
    await expect(openTestEngine({ dir })).rejects.toMatchObject({
      code: 'DiskFull',
      message: `open store ${dir}: its disk is full; free 1 MiB there or more, then start again`,
    });
    rmSync(ballast);
    const { store } = await openTestEngine({ dir });
    expect((await readBytes(store, ref)).toString()).toBe('kept');
    await store.putObject({ ...ref, body: bytesBody('new') });
  },
);

it('a store on a read-only disk can be neither opened nor checked, and the error contains the reason', async () => {
  const { disk } = smallDisk();
  const dir = join(disk, 'store');
  const { engine } = await openTestEngine({ dir });
  await engine.close();
  execFileSync('mount', ['-o', 'remount,ro', disk]);
  const refusal = {
    code: 'ReadOnlyDisk',
    message: expect.stringContaining('its disk is mounted read-only; mount it') as string,
  };
  await expect(openTestEngine({ dir })).rejects.toMatchObject(refusal);
  await expect(checkClosedStore(dir, { deep: false })).rejects.toMatchObject(refusal);
});
