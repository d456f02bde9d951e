/**
 * Tests of jobs that are stopped at each step of a request or lose its response. No data may be lost or written
 * twice.
 */

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import {
  answers,
  failsBeforeSending,
  type Fault,
  faultyStore,
  hangsAfterWriting,
  hangsBeforeSending,
  losesTheAnswer,
} from '../helpers/faulty-store.ts';
import type { Mirror } from '../../src/mirror/mirror.ts';
import { putsAlone } from '../helpers/forgetful-store.ts';
import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';
import { SMALL_PARTS } from '../helpers/shared-engine.ts';
import { until } from '../helpers/until.ts';

/** File content that is uploaded in three parts. */
const LARGE = Buffer.alloc(2.125 * 1024 ** 2, 'x');

type Operation =
  | 'putObject'
  | 'copyObject'
  | 'createUpload'
  | 'uploadPart'
  | 'completeUpload'
  | 'deleteObject';

interface Case {
  readonly on: Operation;
  readonly before: (root: string) => void;
  readonly change: (root: string, bench: MirrorBench, mirror: Mirror) => void | Promise<void>;
  readonly history: readonly string[];
  /**
   * Whether the job puts each small object with its own request (as to a remote service), not in bulk writes (as to the
   * engine).
   */
  readonly isAlone?: boolean;
}

const write = (content: string | Buffer) => (root: string) =>
  writeFileSync(join(root, 'f'), content);
const nothing = () => undefined;

const FIRST: Case = {
  on: 'putObject',
  before: nothing,
  change: write('new'),
  history: ['put new'],
};
const NEXT: Case = {
  on: 'putObject',
  before: write('old'),
  change: write('newer'),
  history: ['put old', 'put newer'],
};

const CASES: Record<string, Case> = {
  'a first put': { ...FIRST, isAlone: true },
  'a first put in a bulk write': FIRST,
  'a put over its own version': { ...NEXT, isAlone: true },
  'a put over its own version in a bulk write': NEXT,
  'creating a multipart upload': upload('createUpload'),
  'uploading a part': upload('uploadPart'),
  'completing a multipart upload': upload('completeUpload'),
  'a delete': {
    on: 'deleteObject',
    before: write('old'),
    change: (root) => rmSync(join(root, 'f')),
    history: ['put old', 'marker'],
  },
  'a copy that restores an object': {
    on: 'copyObject',
    before: write('old'),
    change: async (_root, { store, bucket }, mirror) => {
      await store.deleteObject({ bucket, key: 'f' });
      void mirror.runNow();
    },
    history: ['put old', 'marker', 'put old'],
  },
};

function upload(on: Operation): Case {
  return { on, before: nothing, change: write(LARGE), history: [`put ${LARGE.toString()}`] };
}

const NAMES = Object.keys(CASES);
/** The writes that need a single request. mirror-uploads.test.ts tests refused connections during multipart uploads. */
const IN_ONE_REQUEST = NAMES.filter((name) => !/multipart|part$/.test(name));

async function prepare(name: string) {
  const step = CASES[name];
  if (!step) throw new Error(`no case ${name}`);
  const bench = await openMirrorBench();
  writeFileSync(join(bench.root, 'other'), 'other');
  step.before(bench.root);
  const faulty = faultyStore(step.isAlone ? putsAlone(bench.store) : bench.store);
  const mirror = await bench.open({ store: faulty.store, partSizes: SMALL_PARTS });
  await mirror.settled();
  return { ...step, bench, faulty, mirror };
}

async function expectInOrder(bench: MirrorBench, history: readonly string[]): Promise<void> {
  expect(await bench.heads()).toEqual(bench.tree());
  // Compares only the length and the start, because a diff of 17 MiB of text would be unreadable.
  expect((await bench.history('f')).map(ends)).toEqual(history.map(ends));
}

const ends = (text: string) => `${text.slice(0, 12)} (${text.length})`;

async function openUploads({ store, bucket }: MirrorBench): Promise<number> {
  return (await store.listUploads({ bucket })).uploads.length;
}

describe('a job that is stopped before it sends a request', () => {
  test.each(NAMES)(
    'a job completes a write exactly once if it was stopped before it sent the request: %s',
    async (name) => {
      const { bench, faulty, mirror, change, on, history } = await prepare(name);
      const met = faulty.inject({ on, key: 'f', fault: hangsBeforeSending });
      await change(bench.root, bench, mirror);
      await met;
      const again = await bench.open({ partSizes: SMALL_PARTS });
      await again.settled();
      await expectInOrder(bench, history);
      expect(await openUploads(bench)).toBe(0);
    },
  );
});

describe('a job that is stopped between a write and its response', () => {
  test.each(NAMES)(
    'a job does not repeat a write if it was stopped before it received the response: %s',
    async (name) => {
      const { bench, faulty, mirror, change, on, history } = await prepare(name);
      const met = faulty.inject({ on, key: 'f', fault: hangsAfterWriting });
      await change(bench.root, bench, mirror);
      await met;
      const second = faultyStore(bench.store);
      const again = await bench.open({ store: second.store, partSizes: SMALL_PARTS });
      await again.settled();
      await expectInOrder(bench, history);
      const isWrite = on !== 'createUpload' && on !== 'uploadPart';
      const repeated = second.calls.filter((call) => call === `${on} f`);
      if (isWrite) expect(repeated).toEqual([]);
      // A multipart upload whose id the job did not receive is aborted a day later.
      expect(await openUploads(bench)).toBe(on === 'createUpload' ? 1 : 0);
      expect(again.status().counts).toMatchObject({
        conflicts: 0,
        drifted: 0,
        foreign: 0,
        held: 0,
      });
    },
  );
});

describe.each<[string, Fault, readonly string[]]>([
  ['lost', losesTheAnswer, NAMES],
  ['refused', failsBeforeSending, IN_ONE_REQUEST],
])('a connection that is %s', (_what, fault, names) => {
  test.each(names)(
    'a job completes a write exactly once after a connection failure: %s',
    async (name) => {
      const { bench, faulty, mirror, change, on, history } = await prepare(name);
      void faulty.inject({ on, key: 'f', fault });
      await change(bench.root, bench, mirror);
      await mirror.settled();
      await expectInOrder(bench, history);
      expect(mirror.status()).toMatchObject({ problems: [], counts: { conflicts: 0, drifted: 0 } });
    },
  );
});

describe('a multipart upload that was stopped in its third part', () => {
  async function stopped() {
    const bench = await openMirrorBench();
    const faulty = faultyStore(bench.store);
    let parts = 0;
    const thirdHangs: Fault = (call) => (++parts < 3 ? call.run() : hangsBeforeSending(call));
    void faulty.inject({ on: 'uploadPart', key: 'f', fault: thirdHangs, times: 3 });
    await bench.open({ store: faulty.store, partSizes: SMALL_PARTS });
    writeFileSync(join(bench.root, 'f'), LARGE);
    await until(
      async () => {
        const { uploads } = await bench.store.listUploads({ bucket: bench.bucket });
        const [upload] = uploads;
        return upload
          ? (await bench.store.listParts({ bucket: bench.bucket, ...upload })).parts
          : [];
      },
      (there) => there.length === 2 && parts === 3,
    );
    const again = faultyStore(bench.store);
    const calls = (name: string) => again.calls.filter((call) => call === `${name} f`).length;
    return { bench, again, calls };
  }

  test('a job continues a multipart upload after a restart', async () => {
    const { bench, again, calls } = await stopped();
    await (await bench.open({ store: again.store, partSizes: SMALL_PARTS })).settled();
    await expectInOrder(bench, [`put ${LARGE.toString()}`]);
    expect([calls('createUpload'), calls('uploadPart')]).toEqual([0, 1]);
    expect(await openUploads(bench)).toBe(0);
  });

  test('a job aborts an interrupted multipart upload and starts a new one if the file changed', async () => {
    const { bench, again, calls } = await stopped();
    const other = Buffer.alloc(LARGE.byteLength, 'y');
    const mirror = await bench.open({ store: again.store, partSizes: SMALL_PARTS });
    mirror.pause();
    writeFileSync(join(bench.root, 'f'), other);
    mirror.resume();
    await mirror.settled();
    await expectInOrder(bench, [`put ${other.toString()}`]);
    expect(calls('createUpload')).toBe(1);
    expect(await openUploads(bench)).toBe(0);
  });

  test('a job starts a new multipart upload if the service aborted the interrupted one', async () => {
    const { bench, again, calls } = await stopped();
    const { bucket, store } = bench;
    const { uploads } = await store.listUploads({ bucket });
    for (const { key, uploadId } of uploads) await store.abortUpload({ bucket, key, uploadId });
    await (await bench.open({ store: again.store, partSizes: SMALL_PARTS })).settled();
    await expectInOrder(bench, [`put ${LARGE.toString()}`]);
    expect(calls('createUpload')).toBe(1);
  });

  test('a job starts a new multipart upload on retry if the service rejects a part of the interrupted one', async () => {
    const { bench, again, calls } = await stopped();
    void again.inject({ on: 'uploadPart', key: 'f', fault: answers('InvalidRequest') });
    const mirror = await bench.open({ store: again.store, partSizes: SMALL_PARTS });
    await mirror.settled();
    expect(mirror.status().problems).toMatchObject([{ path: 'f', code: 'refused' }]);
    await mirror.runNow();
    await mirror.settled();
    await expectInOrder(bench, [`put ${LARGE.toString()}`]);
    expect(calls('createUpload')).toBe(1);
    expect(await openUploads(bench)).toBe(0);
  });
});
