/**
 * Tests of the `admin store` commands with and without a daemon. Also tests the status of a damaged
 * store.
 */

import { copyFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';

import { storeLines } from '../../src/cli/output/store-text.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import { internalCaller } from '../../src/object-store/caller.ts';
import { leavesOf, overwritePages } from '../helpers/damaged-database.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { startDaemonHere } from '../helpers/daemon-here.ts';
import { makeHome } from '../helpers/daemon-process.ts';
import { storeHealth } from '../helpers/job-status.ts';
import { runCli, jsonOf } from '../helpers/run-cli.ts';
import { blobFiles, blobPath } from '../helpers/store-files.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { openTestEngine, patternBytes } from '../helpers/test-engine.ts';
import { until } from '../helpers/until.ts';

/** First user of a new home. The daemon acts for this user. */
const OWN_USER = {
  kind: 'user',
  project: 'holdfast',
  user: userInfo().username,
  customer: 'local',
  fullAccess: true,
} as const;

const plain = (_: unknown, text: string) => text;

/** Creates a home with a closed store that contains one large object. */
async function homeWithStore() {
  const home = temporaryFolder('hf-store');
  makeHome(home);
  const store = join(home, 'data', 'store');
  mkdirSync(join(home, 'data'), { mode: 0o700 });
  const opened = await openTestEngine({ dir: store });
  const own = opened.engine.as(internalCaller(OWN_USER, 0));
  await own.createBucket({ bucket: 'box' });
  const body = bytesBody(patternBytes(100_000));
  await own.putObject({ bucket: 'box', key: 'large', body });
  await opened.engine.close();
  const path = blobPath(store, blobFiles(store)[0] ?? '');
  const run = (...argv: string[]) =>
    runCli(argv, { env: { HOLDFAST_HOME: home }, clock: new FakeClock() });
  return { home, store, path, run };
}

describe('`admin store` without a daemon', () => {
  it('`admin store check` without a daemon reports an intact store, and the number of checked versions and blobs', async () => {
    const { run } = await homeWithStore();
    expect(await run('admin', 'store', 'check')).toMatchObject({
      exitCode: 0,
      stdout: 'store: in order (1 version, 1 blob, 100 kB; content not read, see --deep)\n',
    });
    const { stdout } = await run('admin', 'store', 'check', '--deep', '--json');
    expect(jsonOf(stdout)).toMatchObject({ problems: [], versions: 1, deep: true });
  });

  it('`admin store repair --dry-run` lists the repairs, and `admin store repair` performs them', async () => {
    const { run, path } = await homeWithStore();
    writeFileSync(path, patternBytes(100_000, 2));
    const dry = await run('admin', 'store', 'repair', '--deep', '--dry-run');
    expect(dry).toMatchObject({
      exitCode: 3,
      stdout: expect.stringMatching(
        /bytes-damaged: blob \d+: .* has a wrong checksum\n {4}box\/large .*\nwould repair bytes-damaged/,
      ) as string,
    });
    const repaired = await run('admin', 'store', 'repair', '--deep', '--yes');
    expect(repaired).toMatchObject({
      exitCode: 3,
      stdout: expect.stringContaining('reading it is refused from now on') as string,
    });
    writeFileSync(path, patternBytes(100_000));
    const healed = await run('admin', 'store', 'repair', '--json', '--yes');
    expect(healed.exitCode).toBe(0);
    expect(jsonOf(healed.stdout)).toMatchObject({
      done: [
        { code: 'bytes-damaged', did: expect.stringContaining('no longer damaged') as string },
      ],
      after: { problems: [] },
    });
  });

  it('`admin store repair` exits with code 0 if it finds the lost bytes in another version with the same content', async () => {
    const { run, store } = await homeWithStore();
    const { engine } = await openTestEngine({ dir: store });
    const own = engine.as(internalCaller(OWN_USER, 0));
    await own.putObject({ bucket: 'box', key: 'same', body: bytesBody(patternBytes(100_000)) });
    await engine.close();
    const path = join(store, 'store.sqlite');
    const database = new Database(path);
    // Deletes one row, as if a damaged page had lost it.
    database.exec(
      `DELETE FROM blob WHERE blob_id = (SELECT blob_id FROM version WHERE key = 'large')`,
    );
    database.close();
    overwritePages(path, leavesOf(path, 'scrub'));
    const { exitCode, stdout } = await run('admin', 'store', 'repair', '--yes');
    expect(stdout).toMatch(/bytes-lost: box\/large .*\n[^]*store: in order/);
    expect(exitCode).toBe(0);
  });

  it('`admin store check FOLDER` checks a copy of a store, and creates no store in an empty folder', async () => {
    const { run, store, path } = await homeWithStore();
    renameSync(path, `${path}.away`);
    expect((await run('admin', 'store', 'check', store)).exitCode).toBe(3);
    const empty = temporaryFolder('hf-empty');
    expect(await run('admin', 'store', 'check', empty)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`cannot open store ${empty}: it does not exist`) as string,
    });
  });

  it('the store refuses a database that was replaced with an older copy until the user accepts the copy', async () => {
    const { run, store } = await homeWithStore();
    const database = join(store, 'store.sqlite');
    copyFileSync(database, join(store, 'old'));
    const { store: objects, engine } = await openTestEngine({ dir: store });
    await objects.createBucket({ bucket: 'newer' });
    await objects.putObject({ bucket: 'newer', key: 'k', body: bytesBody('x') });
    await engine.close();
    copyFileSync(join(store, 'old'), database);
    expect(await run('admin', 'store', 'check')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('holdfast admin store repair --accept-metadata') as string,
    });
    expect((await run('admin', 'store', 'repair', '--accept-metadata', '--yes')).exitCode).toBe(0);
    expect((await run('admin', 'store', 'check')).exitCode).toBe(0);
  });

  it('`admin store trust-clock` accepts a clock that jumped ahead by 30 days', async () => {
    const { run, home, store } = await homeWithStore();
    const clock = new FakeClock(new FakeClock().now() + 30 * 24 * 3600 * 1000);
    const later = (...argv: string[]) => runCli(argv, { env: { HOLDFAST_HOME: home }, clock });
    expect(await later('admin', 'store', 'trust-clock', '--yes')).toMatchObject({
      exitCode: 0,
      stdout: 'the clock is trusted again: it was 30 d ahead of the trusted time\n',
    });
    expect((await later('admin', 'store', 'trust-clock', '--yes')).stdout).toBe(
      'the clock was trusted already\n',
    );
    expect(store).toContain(home);
    expect((await run('admin', 'store', 'check')).exitCode).toBe(0);
  });
});

describe('a damaged store with a running daemon', () => {
  it('`status` reports a damaged store as DEGRADED until the missing file is back', async () => {
    const { home, path, run } = await homeWithStore();
    const bytes = readFileSync(path);
    writeFileSync(path, 'wrong');
    const daemon = await startDaemonHere(home);
    onTestFinished(() => daemon.stop());
    expect(await run('admin', 'store', 'check')).toMatchObject({
      exitCode: 3,
      stdout: expect.stringMatching(/has 5 bytes instead of 100000\n {4}box\/large/) as string,
    });
    expect((await run('admin', 'store', 'repair', '--yes')).exitCode).toBe(3);
    const status = await run('status');
    expect(status.exitCode).toBe(3);
    expect(status.stdout).toMatch(/store DEGRADED\n {2}! the bytes of 1 blob are damaged: put/);
    expect(status.stdout).toContain('box/large');
    const { stdout } = await run('status', '--json');
    expect(jsonOf(stdout)).toMatchObject({
      store: { state: 'degraded', damagedCount: 1, damaged: [{ versions: [{ key: 'large' }] }] },
    });
    const get = await run('s3', 'get', 'box/large', '-');
    expect(get).toMatchObject({ exitCode: 1, stdout: '' });
    expect(get.stderr).toMatch(/the store is damaged/);

    writeFileSync(path, bytes);
    expect((await run('admin', 'store', 'repair', '--deep', '--yes')).exitCode).toBe(0);
    expect((await run('status')).exitCode).toBe(0);
  });

  it('reading damaged data is logged as an error', async () => {
    const { home, path, run } = await homeWithStore();
    writeFileSync(path, patternBytes(100_000, 3));
    const daemon = await startDaemonHere(home);
    onTestFinished(() => daemon.stop());
    expect((await run('s3', 'get', 'box/large', '-')).exitCode).toBe(1);
    const log = async () => (await daemon.client.call('log.tail', { lines: 100 })).lines.join('\n');
    const lines = await until(log, (text) => text.includes('bytes are damaged'));
    expect(lines).toMatch(/"level":"?(50|error)"?.*bytes are damaged/);
  });
});

describe('the store in the output of `status`', () => {
  it.each([
    ['in order', []],
    ['read-only', ['', 'store READ-ONLY', '  ! why']],
  ] as const)('`status` prints the expected lines for a store that is %s', (state, lines) => {
    expect(
      storeLines(storeHealth({ state, reasons: state === 'in order' ? [] : ['why'] }), plain),
    ).toEqual(lines);
  });
});
