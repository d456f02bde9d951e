/**
 * Tests of services that fail or reject requests, of destinations that another job owns, and of files that change
 * while they are read.
 */

import { appendFileSync, chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { MINUTE_MS } from '../../src/base/durations.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { StorageError } from '../../src/object-store/storage-error.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import {
  answers,
  breaksWith,
  type Fault,
  faultyStore,
  hangsBeforeSending,
  slipsIn,
} from '../helpers/faulty-store.ts';
import { overriding, putsAlone } from '../helpers/forgetful-store.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';
import { until } from '../helpers/until.ts';

const ALWAYS = Number.POSITIVE_INFINITY;

/** Stores for small objects: with bulk writes, like the engine, and with single puts, like a remote service. */
const PUTS: readonly (readonly [string, (engine: ObjectStore) => ObjectStore])[] = [
  ['bulk writes', (engine) => engine],
  ['single puts', putsAlone],
];

interface FaultyOptions {
  readonly versioned?: boolean;
  readonly wrap?: (engine: ObjectStore) => ObjectStore;
}

async function openFaulty({ wrap = (engine) => engine, ...options }: FaultyOptions = {}) {
  const bench = await openMirrorBench(options);
  const faulty = faultyStore(wrap(bench.store));
  const put = (path: string, content: string | Buffer) =>
    writeFileSync(join(bench.root, path), content);
  return { bench, faulty, put, open: () => bench.open({ store: faulty.store }) };
}

describe.each(PUTS)('a service that rejects requests for one key (%s)', (_puts, wrap) => {
  test('the problem of a rejected HEAD request is cleared once the request succeeds', async () => {
    const { bench, faulty, put, open } = await openFaulty({ wrap });
    put('f', 'content');
    const mirror = await open();
    await mirror.settled();
    await bench.writeForeign('f', 'foreign');
    const refused = faulty.inject({ on: 'headObject', key: 'f', fault: answers('AccessDenied') });
    await mirror.runNow();
    await refused;
    await until(
      () => mirror.status().problems,
      (problems) => problems.length > 0,
    );
    await mirror.runNow();
    await mirror.settled();
    expect(mirror.status()).toMatchObject({ problems: [], counts: { drifted: 1 } });
  });

  test('a job uploads other files and reports a problem if the service repeatedly rejects one key', async () => {
    const { bench, faulty, put, open } = await openFaulty({ wrap });
    put('f', 'content');
    const refused = answers('PreconditionFailed');
    void faulty.inject({ on: 'putObject', key: 'f', fault: refused, times: ALWAYS });
    const mirror = await open();
    await mirror.settled();
    put('g', 'more');
    await mirror.settled();
    expect(await bench.history('g')).toEqual(['put more']);
    expect(mirror.status()).toMatchObject({
      inSync: false,
      problems: [{ path: 'f', code: 'failed' }],
    });
    expect(bench.statuses.filter(({ state }) => state === 'failed')).toEqual([]);
  });
});

describe.each(PUTS)('a service that is down (%s)', (_puts, wrap) => {
  test('a job retries failed requests a few times without reporting a problem', async () => {
    const { bench, faulty, put, open } = await openFaulty({ wrap });
    put('f', 'content');
    void faulty.inject({ on: 'putObject', key: 'f', fault: answers('SlowDown'), times: 3 });
    const mirror = await open();
    await mirror.settled();
    expect(await bench.history('f')).toEqual(['put content']);
    expect(mirror.status()).toMatchObject({ problems: [], counts: { uploadedVersions: 1 } });
    expect(bench.statuses.filter(({ state }) => state === 'failed')).toEqual([]);
  });

  test('a job fails with a reason during a longer outage of the service, and resumes when the service is back', async () => {
    const { bench, faulty, put, open } = await openFaulty({ wrap });
    put('f', 'content');
    void faulty.inject({ fault: answers('ServiceUnavailable'), times: ALWAYS });
    const mirror = await open();
    let isSettled = false;
    const settled = mirror.settled().then(() => {
      isSettled = true;
    });
    await until(
      () => mirror.status(),
      ({ state }) => state === 'failed',
    );
    expect(mirror.status().reason).toContain('the service says ServiceUnavailable');
    expect(isSettled).toBe(false);
    faulty.removeFaults();
    await settled;
    expect(await bench.heads()).toEqual({ f: 'content' });
  });

  test('file changes do not make a job send more requests to a service that is down', async () => {
    const { faulty, put, open } = await openFaulty({ wrap });
    put('f', 'content');
    const mirror = await open();
    await mirror.settled();
    void faulty.inject({ fault: answers('ServiceUnavailable'), times: ALWAYS });
    mirror.pause();
    mirror.resume();
    await until(
      () => mirror.status(),
      ({ state }) => state === 'failed',
    );
    const before = faulty.calls.length;
    for (let index = 0; index < 20; index++) {
      put(`f${index}`, 'content');
      await new Promise(setImmediate);
    }
    await until(
      () => mirror.status().counts.pending,
      (pending) => pending > 0,
    );
    expect(faulty.calls.length - before).toBeLessThan(3);
  });
});

describe.each(PUTS)('failures that a retry does not fix (%s)', (_puts, wrap) => {
  test.each<[string, Fault]>([
    ['SignatureDoesNotMatch', answers('SignatureDoesNotMatch')],
    ['AccessDenied', answers('AccessDenied')],
    ['NoSuchBucket', answers('NoSuchBucket')],
    ['BadResponse', breaksWith('BadResponse')],
    ['TlsFailed', breaksWith('TlsFailed')],
  ])('a job fails if the service returns %s at the start', async (code, fault) => {
    const { faulty, put, open } = await openFaulty({ wrap });
    put('f', 'content');
    void faulty.inject({ fault, times: ALWAYS });
    const mirror = await open();
    await mirror.settled();
    expect(mirror.status()).toMatchObject({ state: 'failed', inSync: false });
    expect(mirror.status().reason).toContain(code);
  });

  test.each<[string, Fault]>([
    ['SignatureDoesNotMatch', answers('SignatureDoesNotMatch')],
    ['QuotaExceeded', answers('QuotaExceeded')],
    ['BadResponse', breaksWith('BadResponse')],
  ])('a job fails if the service returns %s during transfers', async (code, fault) => {
    const { faulty, put, open } = await openFaulty({ wrap });
    for (let index = 0; index < 100; index++) put(`f${index}`, 'content');
    void faulty.inject({ on: 'putObject', key: 'f50', fault, times: ALWAYS });
    const mirror = await open();
    await mirror.settled();
    const { state, reason } = await until(
      () => mirror.status(),
      (status) => status.state === 'failed',
    );
    expect(state).toBe('failed');
    expect(reason).toContain(code);
  });

  test('a key that the service rejects is reported as a problem, and the job uploads the other files', async () => {
    const { bench, faulty, put, open } = await openFaulty({ wrap });
    for (const name of ['a', 'b', 'c']) put(name, name);
    void faulty.inject({ on: 'putObject', key: 'b', fault: answers('AccessDenied') });
    const mirror = await open();
    await mirror.settled();
    expect(await bench.heads()).toEqual({ a: 'a', c: 'c' });
    expect(mirror.status().problems).toMatchObject([{ path: 'b', code: 'refused' }]);
  });
});

test('a job fails if its destination belongs to another job, and the error names the owner', async () => {
  const { bench, put } = await openFaulty();
  put('f', 'content');
  const first = await bench.open({ hostId: 'attic' });
  await first.settled();
  put('g', 'content');
  const second = await bench.open({ hostId: 'cellar' });
  await second.settled();
  expect(second.status()).toMatchObject({ state: 'failed' });
  expect(second.status().reason).toMatch(/belongs to job job of folder .* of another installation/);
  expect(await bench.heads()).toEqual({ f: 'content' });
});

test('closing a job cancels its hanging requests and sets its state to stopped', async () => {
  const { faulty, put, open } = await openFaulty();
  put('f', 'content');
  const met = faulty.inject({ on: 'putObject', key: 'f', fault: hangsBeforeSending });
  const mirror = await open();
  const settled = mirror.settled();
  await met;
  await mirror.close();
  await settled;
  await mirror.settled();
  await mirror.close();
  expect(mirror.status()).toMatchObject({ state: 'stopped', inSync: false });
});

describe('a file that another program writes while the job reads it', () => {
  const LARGE = Buffer.alloc(9 * 1024 * 1024, 'x');

  test('a file that changes during its upload is reported as busy, and uploaded once it no longer changes', async () => {
    const { bench, faulty, put, open } = await openFaulty();
    put('f', LARGE);
    const change = slipsIn(() => appendFileSync(join(bench.root, 'f'), 'y'));
    void faulty.inject({ on: 'putObject', key: 'f', fault: change, times: 2 });
    const mirror = await open();
    await mirror.settled();
    const { problems, inSync } = mirror.status();
    if (!inSync) expect(problems).toMatchObject([{ path: 'f', code: 'busy' }]);
    await until(
      () => mirror.status(),
      (status) => status.inSync,
    );
    expect(mirror.status().problems).toEqual([]);
    expect((await bench.history('f')).map((text) => text.length)).toEqual([
      'put '.length + LARGE.byteLength + 2,
    ]);
  });

  test('a caller that waits for a job does not wait for the retry of a busy file', async () => {
    const { bench, faulty, put } = await openFaulty();
    put('f', LARGE);
    const change = slipsIn(() => appendFileSync(join(bench.root, 'f'), 'y'));
    void faulty.inject({ on: 'putObject', key: 'f', fault: change, times: ALWAYS });
    // The clock does not advance, so no retry becomes due.
    const mirror = await bench.open({
      store: faulty.store,
      clock: new FakeClock(Date.now() + MINUTE_MS),
    });
    await mirror.settled();
    expect(mirror.status().problems).toMatchObject([{ path: 'f', code: 'busy' }]);
    faulty.removeFaults();
    await mirror.settled();
    expect(mirror.status().problems).toEqual([]);
    expect(await bench.heads()).toEqual(bench.tree());
  });

  test('a file that keeps changing is no longer pending once its conflict waits for a decision of the user', async () => {
    const { bench, faulty, put } = await openFaulty();
    put('f', LARGE);
    const { bucket } = bench;
    const change = slipsIn(async (store) => {
      appendFileSync(join(bench.root, 'f'), 'y');
      await store.putObject({ bucket, key: 'f', body: bytesBody('theirs') });
    });
    void faulty.inject({ on: 'putObject', key: 'f', fault: change });
    const mirror = await bench.open({ store: faulty.store, conflict: 'ask' });
    // The event of the last change may arrive after the conflict is held for the user's decision.
    const { counts } = await until(
      () => mirror.status(),
      ({ counts: { heldConflicts, pending }, problems }) =>
        heldConflicts === 1 && pending === 0 && problems.length === 0,
    );
    expect(counts).toMatchObject({ heldConflicts: 1, pending: 0 });
  });

  test.each(['an event', 'a full round'])(
    'a job drops the retry of a busy file once %s shows that its folder was deleted',
    async (printer) => {
      const { bench, faulty, put, open } = await openFaulty();
      put('other', 'x');
      const mirror = await open();
      await mirror.settled();
      const change = slipsIn(() => appendFileSync(join(bench.root, 'new/deep/f'), 'y'));
      void faulty.inject({ on: 'putObject', key: 'new/deep/f', fault: change, times: ALWAYS });
      mkdirSync(join(bench.root, 'new/deep'), { recursive: true });
      put('new/deep/f', LARGE);
      await until(
        () => mirror.status(),
        ({ problems }) => problems.length > 0,
      );
      rmSync(join(bench.root, 'new'), { recursive: true });
      if (printer === 'a full round') await mirror.settled();
      const { problems, counts } = await until(
        () => mirror.status(),
        (status) => status.inSync,
      );
      expect({ problems, pending: counts.pending }).toEqual({ problems: [], pending: 0 });
    },
  );

  test('a job drops the retry of a busy file after a folder replaced the file', async () => {
    const { bench, faulty, put, open } = await openFaulty();
    const mirror = await open();
    await mirror.settled();
    const change = slipsIn(() => appendFileSync(join(bench.root, 'f'), 'y'));
    void faulty.inject({ on: 'putObject', key: 'f', fault: change, times: ALWAYS });
    put('f', LARGE);
    await until(
      () => mirror.status(),
      ({ problems }) => problems.length > 0,
    );
    rmSync(join(bench.root, 'f'));
    mkdirSync(join(bench.root, 'f'));
    put('f/inside', 'x');
    const { problems, counts } = await until(
      () => mirror.status(),
      (status) => status.inSync,
    );
    expect({ problems, pending: counts.pending }).toEqual({ problems: [], pending: 0 });
    expect(await bench.heads()).toEqual({ 'f/inside': 'x' });
  });
});

describe.each(PUTS)(
  'another client that writes just before a write of the job (%s)',
  (_puts, wrap) => {
    test('a job keeps both versions and counts a conflict if another client writes just before an upload', async () => {
      const { bench, faulty, put, open } = await openFaulty({ wrap });
      put('f', 'first');
      const mirror = await open();
      await mirror.settled();
      const foreign = slipsIn(() => bench.writeForeign('f', 'theirs'));
      void faulty.inject({ on: 'putObject', key: 'f', fault: foreign });
      put('f', 'second');
      await mirror.settled();
      expect(await bench.history('f')).toEqual(['put first', 'put theirs', 'put second']);
      expect(mirror.status().counts).toMatchObject({ conflicts: 1, held: 0 });
    });

    test('a job does not upload a file again if another client has just stored the same content', async () => {
      const { bench, faulty, put, open } = await openFaulty({ wrap });
      put('f', 'first');
      const mirror = await open();
      await mirror.settled();
      const foreign = slipsIn((store) =>
        store.putObject({
          bucket: bench.bucket,
          key: 'g',
          body: { replayable: true, open: () => bytes('same') },
          attributes: { metadata: { 'holdfast-sha256': SAME_SHA256 } },
        }),
      );
      void faulty.inject({ on: 'putObject', key: 'g', fault: foreign });
      put('g', 'same');
      await mirror.settled();
      expect(await bench.history('g')).toEqual(['put same']);
      expect(mirror.status().counts).toMatchObject({ conflicts: 0, drifted: 0 });
    });

    test('a job recognizes its own version after a lost response, even if another client has overwritten it', async () => {
      const { bench, faulty, put, open } = await openFaulty({ wrap });
      put('f', 'ours');
      const met = faulty.inject({
        on: 'putObject',
        key: 'f',
        fault: async ({ run, signal, reached, store }) => {
          await run();
          await bench.writeForeign('f', 'theirs');
          return hangsBeforeSending({ run, signal, reached, store });
        },
      });
      await open();
      await met;
      const again = await bench.open();
      await again.settled();
      expect(await bench.history('f')).toEqual(['put ours', 'put theirs']);
      expect(again.status().counts).toMatchObject({ drifted: 1, conflicts: 0, held: 0 });
    });

    test('a job records a conflict exactly once, even if the response of the upload was lost', async () => {
      const { bench, faulty, put, open } = await openFaulty({ wrap });
      put('f', 'first');
      const mirror = await open();
      await mirror.settled();
      await bench.writeForeign('f', 'theirs');
      const met = faulty.inject({
        on: 'putObject',
        key: 'f',
        fault: async ({ run, signal, reached, store }) => {
          await run().catch(() => undefined);
          return hangsBeforeSending({ run, signal, reached, store });
        },
      });
      mirror.pause();
      put('f', 'second');
      mirror.resume();
      await met;
      const again = await bench.open();
      await again.settled();
      expect(await bench.history('f')).toEqual(['put first', 'put theirs', 'put second']);
      expect(again.status().counts).toMatchObject({ conflicts: 1, drifted: 0, held: 0 });
    });

    test('a job does not delete an object that another client writes just before the delete', async () => {
      const { bench, faulty, put, open } = await openFaulty({ wrap });
      for (const name of ['f', 'g']) put(name, 'first');
      const mirror = await open();
      await mirror.settled();
      const foreign = slipsIn(() => bench.writeForeign('f', 'theirs'));
      void faulty.inject({ on: 'deleteObject', key: 'f', fault: foreign });
      rmSync(join(bench.root, 'f'));
      await mirror.settled();
      expect(await bench.history('f')).toEqual(['put first', 'put theirs']);
      expect(bench.activities.map(({ action }) => action)).toContain('delete skipped');
    });
  },
);

test('a job stops sending If-Match if the service always rejects it, and lists versions to detect conflicts', async () => {
  const { bench, put } = await openFaulty();
  put('f', 'first');
  const store = overriding(bench.store, {
    async putObject(request, options) {
      if (request.conditions?.ifMatch !== undefined)
        throw new StorageError('PreconditionFailed', 'the service says PreconditionFailed');
      return bench.store.putObject(request, options);
    },
  });
  const mirror = await bench.open({ store });
  await mirror.settled();
  put('f', 'second');
  await mirror.settled();
  expect(mirror.status()).toMatchObject({ problems: [], capabilities: { guarding: 'proof' } });
  expect(await bench.history('f')).toEqual(['put first', 'put second']);
});

test('a job fails and suggests a fix if the service always rejects If-Match and the bucket is unversioned', async () => {
  const { bench, put } = await openFaulty({ versioned: false });
  put('f', 'first');
  const store = overriding(bench.store, {
    async putObject(request, options) {
      if (request.conditions?.ifMatch !== undefined)
        throw new StorageError('PreconditionFailed', 'the service says PreconditionFailed');
      return bench.store.putObject(request, options);
    },
  });
  const mirror = await bench.open({ store });
  await mirror.settled();
  put('f', 'second');
  await mirror.settled();
  const { state, reason } = await until(
    () => mirror.status(),
    (status) => status.state === 'failed',
  );
  expect({ state, reason }).toMatchObject({
    reason: expect.stringMatching(
      /PutObject: If-Match is always rejected.*enable versioning.*unguarded: true/,
    ),
  });
  expect(await bench.heads()).toEqual({ f: 'first' });
});

/** The SHA-256 of the text `same`, in hexadecimal. */
const SAME_SHA256 = '0967115f2813a3541eaef77de9d9d5773f1c0c04314b0bbfe4ff3b3b1c55b5d5';

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

test('a job does not delete objects below a folder that it cannot list, and reports the folder', async () => {
  const { bench, put, open } = await openFaulty();
  for (const folder of ['shut', 'open']) {
    mkdirSync(join(bench.root, folder));
    for (const name of ['a', 'b']) put(`${folder}/${name}`, name);
  }
  const mirror = await open();
  await mirror.settled();
  rmSync(join(bench.root, 'shut/a'));
  rmSync(join(bench.root, 'open/a'));
  chmodSync(join(bench.root, 'shut'), 0o000);
  await mirror.settled();
  expect(mirror.status().problems).toMatchObject([{ path: 'shut', code: 'unlistable' }]);
  expect(await bench.keys()).toEqual(['open/b', 'shut/a', 'shut/b']);
  chmodSync(join(bench.root, 'shut'), 0o755);
  await mirror.settled();
  expect(mirror.status().problems).toEqual([]);
  expect(await bench.heads()).toEqual(bench.tree());
});

test('a folder that becomes unreadable is reported as a problem, and the job does not fail', async () => {
  const { bench, put, open } = await openFaulty();
  put('f', 'beside');
  mkdirSync(join(bench.root, 'shut/deep'), { recursive: true });
  for (const name of ['a', 'deep/b']) put(`shut/${name}`, name);
  const mirror = await open();
  await mirror.settled();
  put('shut/a', 'changed');
  chmodSync(join(bench.root, 'shut'), 0o000);
  await until(
    () => mirror.status(),
    ({ state, counts }) => state === 'watching' && counts.problems === 1,
  );
  expect(mirror.status()).toMatchObject({ inSync: false, problems: [{ code: 'unlistable' }] });
  expect(bench.statuses.filter(({ state }) => state === 'failed')).toEqual([]);
  chmodSync(join(bench.root, 'shut'), 0o755);
  await until(
    () => mirror.status().inSync,
    (inSync) => inSync,
  );
  expect(await bench.heads()).toEqual(bench.tree());
});

test('a job defers the resolution of a conflict in an unreadable folder, and backs up other files', async () => {
  const { bench, put, faulty } = await openFaulty();
  mkdirSync(join(bench.root, 'shut'));
  put('shut/f', 'ours');
  await bench.writeForeign('shut/f', 'theirs');
  const mirror = await bench.open({ store: faulty.store, conflict: 'ask' });
  await mirror.settled();
  chmodSync(join(bench.root, 'shut'), 0o000);
  await mirror.conflicts.resolve({ keep: 'local' });
  put('g', 'beside');
  await mirror.settled();
  expect(await bench.heads()).toEqual({ g: 'beside', 'shut/f': 'theirs' });
  expect(bench.statuses.filter(({ state }) => state === 'failed')).toEqual([]);
  chmodSync(join(bench.root, 'shut'), 0o755);
  await mirror.settled();
  expect(await bench.heads()).toEqual(bench.tree());
});

test('a job scans and watches a folder and its subfolders once the folder is readable again', async () => {
  const { bench, put, open } = await openFaulty();
  const shut = join(bench.root, 'shut');
  mkdirSync(join(shut, 'deep'), { recursive: true });
  put('shut/deep/f', 'old');
  const before = await open();
  await before.settled();
  await before.close();
  put('shut/deep/f', 'new');
  chmodSync(shut, 0o000);
  const mirror = await open();
  await mirror.settled();
  expect(mirror.status().problems).toMatchObject([{ path: 'shut', code: 'unlistable' }]);
  chmodSync(shut, 0o755);
  for (const text of ['new', 'newer']) {
    if (text !== 'new') put('shut/deep/f', text);
    const head = await until(
      async () => (await bench.heads())['shut/deep/f'],
      (found) => found === text,
    );
    expect(head).toBe(text);
  }
});
