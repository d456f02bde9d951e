/**
 * Tests of the ownership marker. If a job and its copy have the same host id and folder, only one of them may
 * write.
 */

import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

import { releaseClaims } from '../../daemon/jobs/job-claims.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { JobConfig } from '../../src/config/config.ts';
import { readMarker, writeMarker } from '../../src/mirror/objects/ownership-marker.ts';
import type { Mirror } from '../../src/mirror/mirror.ts';
import { overriding } from '../helpers/forgetful-store.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';
import { ShiftedClock } from '../helpers/shifted-clock.ts';
import { until } from '../helpers/until.ts';

/** Runs a job and copies its state database, as a copy of the machine would. */
async function copied() {
  const clock = new ShiftedClock();
  const bench = await openMirrorBench({ clock });
  const { store, bucket, root } = bench;
  writeFileSync(join(root, 'f'), 'content');
  await (await bench.open()).settled();
  await (await bench.open()).close();
  const other = await openMirrorBench({ service: { store, bucket }, clock });
  cpSync(join(bench.home, 'state'), join(other.home, 'state'), { recursive: true });
  return { bench, clock, openCopy: () => other.open({ root }), root };
}

test('a copy of a job fails if the original started later, and can write only after a takeover', async () => {
  const { bench, openCopy, root, clock } = await copied();
  const mirror = await bench.open();
  await mirror.settled();
  const copy = await openCopy();
  await copy.settled();
  expect(copy.status()).toMatchObject({
    state: 'failed',
    reason: expect.stringMatching(/copy of the other.*`holdfast job take-over \w+`/),
  });
  expect(mirror.status().state).toBe('watching');
  await copy.ownership.takeOver(new AbortController().signal);
  expect(copy.status().state).not.toBe('failed');
  await copy.settled();
  expect(copy.status().state).toBe('watching');
  // The original job checks the ownership marker before its next write.
  clock.putForward(61_000);
  writeFileSync(join(root, 'f'), 'changed');
  await until(
    () => mirror.status().state,
    (state) => state === 'failed',
  );
});

test('a job suggests a takeover if the ownership marker is damaged, and the takeover writes the marker again', async () => {
  const { bench } = await copied();
  const database = new Database(join(bench.home, 'store', 'store.sqlite'));
  database.exec(`UPDATE blob SET bytes = zeroblob(length(bytes))
    WHERE blob_id = (SELECT blob_id FROM version WHERE key = '.holdfast/claim' AND is_latest = 1)`);
  database.close();
  const mirror = await bench.open();
  await until(
    () => mirror.status().reason ?? '',
    (reason) => /damaged.*`holdfast job take-over \w+`/.test(reason),
  );
  await mirror.ownership.takeOver(new AbortController().signal);
  writeFileSync(join(bench.root, 'new'), 'new');
  await mirror.settled();
  expect(mirror.status().state).toBe('watching');
  expect((await bench.heads())['new']).toBe('new');
});

test('a job starts after a crash before or after it wrote its ownership marker', async () => {
  const { bench } = await copied();
  for (const isWritten of [false, true]) {
    const store = overriding(bench.store, {
      async putObject(request, call) {
        if (!request.key.endsWith('/claim')) return bench.store.putObject(request, call);
        if (isWritten) await bench.store.putObject(request, call);
        throw new Error('the connection is lost');
      },
    });
    const cut = await bench.open({ store });
    await until(
      () => cut.status().reason ?? '',
      (reason) => reason.includes('connection is lost'),
    );
  }
  const mirror = await bench.open();
  await mirror.settled();
  expect(mirror.status().state).toBe('watching');
});

test('removing a job releases the ownership marker that the job wrote, but not the marker of its copy', async () => {
  const { bench, openCopy, root } = await copied();
  const { store, bucket } = bench;
  const { signal } = new AbortController();
  const remove = async (mirror: Mirror) => {
    await mirror.close();
    const config = { name: 'job', bucket, prefix: '', folder: root } as JobConfig;
    const job = { config, opened: mirror, service: () => store };
    expect(await releaseClaims([job], { hostId: 'host', clock: systemClock, signal })).toEqual({});
    return (await readMarker({ store, bucket, prefix: '' }, signal))?.marker;
  };
  const mirror = await bench.open();
  await mirror.settled();
  const copy = await openCopy();
  await copy.settled();
  expect(await remove(copy)).not.toHaveProperty('released');
  expect(await remove(mirror)).toMatchObject({ released: true });
});

test('removing a job that was never opened keeps an ownership marker that a copy of the job may have written', async () => {
  const bench = await openMirrorBench();
  const { store, bucket, root } = bench;
  const { signal } = new AbortController();
  const destinations = ['one/', 'two/'].map((prefix) => ({ store, bucket, prefix }));
  // Runs two jobs that back up the same folder.
  for (const { prefix } of destinations) await (await bench.open({ prefix })).settled();
  const claims = () =>
    Promise.all(destinations.map((destination) => readMarker(destination, signal)));
  const before = await claims();
  const config = { name: 'job', bucket, prefix: 'one/', folder: root } as JobConfig;
  const unopened = { config, opened: undefined, service: () => store };
  const options = { hostId: 'host', clock: systemClock, signal };
  expect(await releaseClaims([unopened], options)).toEqual({
    notes: [
      expect.stringMatching(
        /^the ownership marker of \S+\/one\/ was not removed: .* with --take-over$/,
      ),
    ],
  });
  expect(await claims()).toEqual(before);
  const elsewhere = { ...unopened, config: { ...config, folder: `${root}2` } };
  expect(await releaseClaims([elsewhere], options)).toEqual({});
  // Writes the ownership marker in the format of an earlier release.
  const old = { job: 'job', host: 'host', root };
  for (const destination of destinations) await writeMarker(destination, old, undefined, signal);
  expect(await releaseClaims([unopened], options)).toEqual({});
  const [one, two] = await claims();
  expect([one?.marker, two?.marker]).toEqual([{ ...old, released: true }, old]);
});
