/**
 * Tests of conflicts whose handling is interrupted at each step. No content may be lost, and no step may run
 * twice.
 */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import type { Mirror } from '../../src/mirror/mirror.ts';
import type { ConflictPolicy } from '../../src/mirror/model/types.ts';
import { collect } from '../../src/object-store/body.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import {
  answers,
  failsBeforeSending,
  type Fault,
  faultyStore,
  hangsAfterWriting,
  hangsBeforeSending,
  losesTheAnswer,
  slipsIn,
} from '../helpers/faulty-store.ts';
import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';

const LOCK = { mode: 'GOVERNANCE', days: 3, refreshDays: 1 } as const;
const EDITED = createHash('sha256').update('edited').digest('hex');
const savedKey = () =>
  `.holdfast/conflict/${new Date().toISOString().slice(0, 10).replaceAll('-', '')}/${EDITED}/f`;

interface Case {
  readonly conflict: ConflictPolicy;
  readonly keep?: 'local' | 'remote' | 'both';
  readonly on: keyof ObjectStore;
  readonly key: () => string;
  /** The expected final content of the folder and the bucket, by path. */
  readonly tree: Readonly<Record<string, string>>;
  /** The content of the superseded version that the conflict log refers to. */
  readonly replacedContent: string;
}

const taken = { tree: { f: 'theirs', other: 'other' }, replacedContent: 'edited' };
const covered = { tree: { f: 'edited', other: 'other' }, replacedContent: 'theirs' };
const f = () => 'f';

const CASES: Record<string, Case> = {
  'uploading the replaced file to the conflict folder': {
    conflict: 'remote',
    on: 'putObject',
    key: savedKey,
    ...taken,
  },
  'downloading the object that replaces it': {
    conflict: 'remote',
    on: 'getObject',
    key: f,
    ...taken,
  },
  'locking the version that will be superseded': {
    conflict: 'keep-both',
    on: 'putRetention',
    key: f,
    ...covered,
  },
  'uploading over the version of the other client': {
    conflict: 'keep-both',
    on: 'putObject',
    key: f,
    ...covered,
  },
  'uploading over the other version after the decision of the user': {
    conflict: 'ask',
    keep: 'local',
    on: 'putObject',
    key: f,
    ...covered,
  },
  'replacing the file after the decision of the user': {
    conflict: 'ask',
    keep: 'remote',
    on: 'getObject',
    key: f,
    ...taken,
  },
  'uploading over a version that is also stored beside the file': {
    conflict: 'ask',
    keep: 'both',
    on: 'putObject',
    key: f,
    ...covered,
  },
  'restoring the superseded version': {
    conflict: 'keep-both',
    keep: 'remote',
    on: 'getObject',
    key: f,
    ...taken,
  },
};

const NAMES = Object.keys(CASES);

async function prepare(name: string) {
  const step = CASES[name];
  if (!step) throw new Error(`no case ${name}`);
  const { conflict, keep, on, key } = step;
  const bench = await openMirrorBench();
  const job = { conflict, lock: LOCK };
  writeFileSync(join(bench.root, 'f'), 'ours');
  writeFileSync(join(bench.root, 'other'), 'other');
  const faulty = faultyStore(bench.store);
  const mirror = await bench.open({ ...job, store: faulty.store });
  await mirror.settled();
  mirror.pause();
  await bench.writeForeign('f', 'theirs');
  writeFileSync(join(bench.root, 'f'), 'edited');
  const begin = async (fault: Fault, times = 1) => {
    if (keep) {
      mirror.resume();
      await mirror.runNow();
    }
    const met = faulty.inject({ on, key: key(), fault, times });
    if (keep) return { met, done: mirror.conflicts.resolve({ keep }) };
    mirror.resume();
    return { met, done: mirror.runNow() };
  };
  return { ...step, bench, mirror, job, begin };
}

async function expectInOrder(
  bench: MirrorBench,
  mirror: Mirror,
  { tree, replacedContent, keep }: Case,
) {
  const besides = Object.keys(bench.tree()).filter((name) => name.startsWith('f ('));
  const expected = Object.fromEntries(besides.map((name) => [name, 'theirs']));
  expect(besides).toHaveLength(keep === 'both' ? 1 : 0);
  expect(bench.tree()).toEqual({ ...tree, ...expected });
  expect(await bench.heads()).toEqual(bench.tree());
  expect(readdirSync(bench.root).filter((name) => name.startsWith('.'))).toEqual([]);
  const [entry, ...more] = mirror.conflicts
    .show('f')
    .filter(({ side }) =>
      side === 'bucket' ? replacedContent === 'theirs' : replacedContent === 'edited',
    );
  expect(more).toEqual([]);
  const { savedAs, versionId = '' } = entry ?? {};
  const { store, bucket } = bench;
  const ref = savedAs === undefined ? { key: 'f', versionId } : { key: savedAs };
  const { body } = await store.getObject({ bucket, ...ref });
  expect(Buffer.from(await collect(body, 100)).toString()).toBe(replacedContent);
  const open = keep === undefined ? 1 : 0;
  expect(mirror.status().counts).toMatchObject({ conflicts: open, held: 0, problems: 0 });
  // Every version that the job or the other client wrote still exists.
  const all = (await bench.history('f')).filter((each) => each.startsWith('put '));
  expect(all).toEqual(expect.arrayContaining(['put ours', 'put theirs']));
}

/** A download changes nothing after its response, so it is interrupted only before the request. */
const STOPS = NAMES.flatMap((name) => [
  [name, 'before the request is sent', hangsBeforeSending] as const,
  ...(CASES[name]?.on === 'getObject'
    ? []
    : [[name, 'before the response arrives', hangsAfterWriting] as const]),
]);

test.each(STOPS)(
  'a job completes the conflict step "%s" exactly once after a crash %s',
  async (name, _, fault) => {
    const prepared = await prepare(name);
    const { bench, job, begin } = prepared;
    const { met, done } = await begin(fault);
    await met;
    const again = await bench.open(job);
    await done;
    await again.settled();
    await again.settled();
    await expectInOrder(bench, again, prepared);
  },
);

test.each(NAMES)(
  'a job completes the conflict step "%s" exactly once after a failed request and a lost response',
  async (name) => {
    const prepared = await prepare(name);
    const { bench, mirror, begin } = prepared;
    let tries = 0;
    const fault: Fault = (call) =>
      ++tries === 1 ? failsBeforeSending(call) : losesTheAnswer(call);
    const { done } = await begin(fault, 2);
    await done;
    await mirror.settled();
    expect(tries).toBe(2);
    await expectInOrder(bench, mirror, prepared);
  },
);

test('content that is written to a file during the download of its replacement is not lost', async () => {
  const prepared = await prepare('downloading the object that replaces it');
  const { bench, mirror, begin } = prepared;
  const path = join(bench.root, 'f');
  const { done } = await begin(slipsIn(() => writeFileSync(path, 'written meanwhile')));
  await done;
  await mirror.settled();
  expect(readdirSync(bench.root).filter((name) => name.startsWith('.'))).toEqual([]);
  // The written content is in the folder or in the bucket, depending on which version was chosen.
  const kept = [...mirror.conflicts.show('f').map(({ savedAs = '' }) => savedAs), 'f'];
  const contents = await Promise.all(
    kept.map(async (key) => {
      const { body } = await bench.store.getObject({ bucket: bench.bucket, key });
      return Buffer.from(await collect(body, 100)).toString();
    }),
  );
  expect([...contents, readFileSync(path, 'utf8')]).toContain('written meanwhile');
});

test('a job overwrites a version that the service refuses to lock, and locks that version at the next listing', async () => {
  const prepared = await prepare('locking the version that will be superseded');
  const { bench, mirror, begin } = prepared;
  const { done } = await begin(answers('AccessDenied'));
  await done;
  const [entry] = mirror.conflicts.show('f');
  expect(entry?.retainUntil).toBeUndefined();
  expect(await bench.heads()).toMatchObject({ f: 'edited' });
  await mirror.runNow();
  expect(mirror.conflicts.show('f')[0]?.retainUntil).toBeGreaterThan(Date.now());
  await expectInOrder(bench, mirror, prepared);
});

test('a truncated download never replaces a file', async () => {
  const prepared = await prepare('downloading the object that replaces it');
  const { bench, mirror, begin } = prepared;
  const { done } = await begin(async ({ run }) => {
    const content = (await run()) as Awaited<ReturnType<ObjectStore['getObject']>>;
    return { ...content, body: cutOff(content.body) };
  });
  await done;
  expect(readFileSync(join(bench.root, 'f'), 'utf8')).toBe('edited');
  expect(mirror.status().problems).toMatchObject([{ path: 'f', code: 'failed' }]);
});

async function* cutOff(body: AsyncIterable<Uint8Array>) {
  for await (const chunk of body) yield chunk.subarray(0, Math.max(0, chunk.byteLength - 1));
}
