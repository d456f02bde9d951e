/** Tests of verified uploads. The job reads each upload back, and deletes and repeats it if the content differs. */

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { bytesBody, collect } from '../../src/object-store/body.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { TransportError } from '../../src/object-store/transport-error.ts';
import { overriding } from '../helpers/forgetful-store.ts';
import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';
import { until } from '../helpers/until.ts';

const LIMIT = 1024 * 1024;

/** Returns a store that damages the first `times` puts of `f` and then runs `after`, and the numbers of requests. */
function damaging({ store }: MirrorBench, times: number, after: () => void = () => undefined) {
  const sent = { reads: 0, puts: 0 };
  const methods: Partial<ObjectStore> = {
    async putObject(request, options) {
      if (request.key !== 'f') return store.putObject(request, options);
      sent.puts++;
      if (sent.puts > times) return store.putObject(request, options);
      const bytes = Buffer.from(await collect(request.body.open(), LIMIT));
      bytes[0] = (bytes[0] ?? 0) ^ 1;
      const made = await store.putObject({ ...request, body: bytesBody(bytes) }, options);
      after();
      return made;
    },
    async getObject(request, options) {
      if (request.key === 'f') sent.reads++;
      return store.getObject(request, options);
    },
  };
  return { store: overriding(store, methods), sent };
}

describe.each([true, false])('verified uploads (with versions: %s)', (versioned) => {
  test('a job deletes an upload that the service stored with different bytes, and sends it again', async () => {
    const bench = await openMirrorBench({ versioned });
    const path = join(bench.root, 'f');
    writeFileSync(path, 'first');
    await (await bench.open()).settled();
    writeFileSync(path, 'second');
    const { store, sent } = damaging(bench, 2);
    const mirror = await bench.open({ store, verifyUploads: true });
    await mirror.settled();
    expect(await bench.heads()).toEqual({ f: 'second' });
    if (versioned) expect(await bench.history('f')).toEqual(['put first', 'put second']);
    expect(sent.puts).toBeGreaterThanOrEqual(3);
    expect(sent.reads).toBeGreaterThanOrEqual(2);
    expect(mirror.status()).toMatchObject({ inSync: true, problems: [] });
  });

  test('a job verifies an upload even if its response was lost', async () => {
    const bench = await openMirrorBench({ versioned });
    writeFileSync(join(bench.root, 'f'), 'first');
    const { store } = damaging(bench, 1, () => {
      throw new TransportError('ConnectionLost', 'put: no answer', { sent: true });
    });
    const mirror = await bench.open({ store, verifyUploads: true });
    await mirror.settled();
    expect(await bench.heads()).toEqual({ f: 'first' });
    if (versioned) expect(await bench.history('f')).toEqual(['put first']);
  });
});

test.each([
  ['the response is lost', false],
  ['a crash follows', true],
])(
  'a job uploads a file again over a damaged version that a lock protects, even if %s',
  async (_what, isCut) => {
    const bench = await openMirrorBench();
    writeFileSync(join(bench.root, 'f'), 'first');
    const lock = { mode: 'COMPLIANCE', days: 1, refreshDays: 1 } as const;
    const control = new AbortController();
    const { store } = damaging(bench, 1, () => {
      control.abort();
      throw new TransportError('ConnectionLost', 'put: no answer', { sent: true });
    });
    // After the first put, no request succeeds, as if the process had ended.
    const dead = overriding(store, {
      listVersions: async (request, call) => {
        if (isCut && control.signal.aborted) throw new Error('the process is gone');
        return store.listVersions(request, call);
      },
      headObject: async (request, call) => {
        if (isCut && control.signal.aborted) throw new Error('the process is gone');
        return store.headObject(request, call);
      },
    });
    const first = await bench.open({ store: dead, verifyUploads: true, lock });
    if (isCut) await until(() => control.signal.aborted, Boolean);
    else await first.settled();
    const mirror = isCut ? await bench.open({ store, verifyUploads: true, lock }) : first;
    await mirror.settled();
    expect(await bench.history('f')).toEqual(['put girst', 'put first']);
    expect(mirror.status()).toMatchObject({ inSync: true, problems: [] });
  },
);

test('a job that verifies uploads backs up symbolic links, folders, empty files and multipart uploads', async () => {
  const bench = await openMirrorBench();
  mkdirSync(join(bench.root, 'd'));
  symlinkSync('nowhere', join(bench.root, 'l'));
  writeFileSync(join(bench.root, 'empty'), '');
  writeFileSync(join(bench.root, 'f'), Buffer.alloc(17 * LIMIT, 'x'));
  const { store, sent } = damaging(bench, 0);
  const mirror = await bench.open({ store, verifyUploads: true });
  await mirror.settled();
  expect(mirror.status()).toMatchObject({ inSync: true, problems: [] });
  expect(await bench.keys()).toEqual(['d/', 'empty', 'f', 'l']);
  expect(sent.reads).toBe(1);
});

test('a job reports a service that damages every upload, and by default does not read uploads back', async () => {
  const bench = await openMirrorBench();
  writeFileSync(join(bench.root, 'f'), 'first');
  const bad = damaging(bench, Infinity);
  const mirror = await bench.open({ store: bad.store, verifyUploads: true });
  await mirror.settled();
  expect(mirror.status().problems).toEqual([
    expect.objectContaining({ code: 'damaged', path: 'f' }),
  ]);
  expect(await bench.heads()).toEqual({});
  const good = damaging(bench, 0);
  await (await bench.open({ store: good.store })).settled();
  expect(good.sent).toEqual({ puts: 1, reads: 0 });
});
