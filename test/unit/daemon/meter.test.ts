import { array, assert, nat, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { JobMeter } from '../../../daemon/meter/job-meter.ts';
import { MeteredStore } from '../../../daemon/meter/metered-store.ts';
import { progressOf } from '../../../daemon/meter/progress.ts';
import { Rates, SAMPLES } from '../../../daemon/meter/rates.ts';
import { Throughput } from '../../../daemon/meter/throughput.ts';
import { bytesBody, collect, discard } from '../../../src/object-store/body.ts';
import type { ObjectStore } from '../../../src/object-store/object-store.ts';
import { StorageError } from '../../../src/object-store/storage-error.ts';
import { answers, faultyStore } from '../../helpers/faulty-store.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { overriding } from '../../helpers/forgetful-store.ts';
import { openTestEngine } from '../../helpers/test-engine.ts';

const BUCKET = 'photos';
const at = (key: string) => ({ bucket: BUCKET, key });

/**
 * Returns a body that is read chunk by chunk, like a file. `onChunk` is called after each chunk.
 */
function streamed(chunks: readonly string[], onChunk = () => undefined as unknown) {
  const sizeBytes = chunks.join('').length;
  return {
    sizeBytes,
    replayable: true,
    async *open() {
      for (const chunk of chunks) {
        yield Buffer.from(chunk);
        onChunk();
      }
    },
  };
}

async function metered(wrap = (store: ObjectStore) => store) {
  const clock = new FakeClock();
  const { store } = await openTestEngine({ clock });
  await store.createBucket({ bucket: BUCKET });
  const sums = { bytes: 0, operations: 0, versions: [] as string[] };
  const meter = new JobMeter(clock, {
    onMoved: () => undefined,
    onBytes: (bytes) => (sums.bytes += bytes),
    onOperation: () => (sums.operations += 1),
    onVersion: (key) => sums.versions.push(key),
  });
  return { clock, meter, sums, store: new MeteredStore(wrap(store), meter) };
}

describe('transfer rates of the last seconds', () => {
  it('the transfer meter has one sample of the transfer rate for each of the last seconds', () => {
    const steps = array(tuple(nat(90_000), nat(1000)), { maxLength: 30 });
    assert(
      property(steps, (counts) => {
        const clock = new FakeClock();
        const rates = new Rates(clock);
        const bySecond = new Map<number, number>();
        for (const [afterMs, bytes] of counts) {
          clock.advance(afterMs);
          rates.count(bytes, 1);
          const second = Math.floor(clock.monotonic() / 1000);
          bySecond.set(second, (bySecond.get(second) ?? 0) + bytes);
        }
        const now = Math.floor(clock.monotonic() / 1000);
        const samples = rates.samples();
        expect(samples.map(({ bytesPerSecond }) => bytesPerSecond)).toEqual(
          Array.from({ length: SAMPLES }, (_, index) => bySecond.get(now - SAMPLES + index) ?? 0),
        );
        expect(
          samples.map((each, index) => each.at - (samples[index - 1]?.at ?? each.at - 1000)),
        ).toEqual(samples.map(() => 1000));
      }),
    );
  });
});

describe('the transfer meter, which wraps a store', () => {
  it('the transfer meter lists a PUT while its chunks are sent and not afterwards', async () => {
    const { store, meter, sums, clock } = await metered();
    const seen: unknown[] = [];
    const body = streamed(['abc', 'de'], () => seen.push(...meter.transfers()));
    await store.putObject({ ...at('k'), body });
    const row = { key: 'k', kind: 'put', sizeBytes: 5, startedAt: clock.now() };
    expect(seen).toEqual([
      { ...row, sentBytes: 3 },
      { ...row, sentBytes: 5 },
    ]);
    expect(meter.transfers()).toEqual([]);
    expect(sums).toEqual({ bytes: 5, operations: 1, versions: ['k'] });
  });

  it('the transfer meter counts the bytes of uploads from memory and of downloads', async () => {
    const { store, meter, sums } = await metered();
    await store.putObject({ ...at('k'), body: bytesBody('hello') });
    const { body } = await store.getObject(at('k'));
    await collect(body, 10);
    expect(sums).toEqual({ bytes: 10, operations: 2, versions: ['k'] });
    const other = await store.getObject(at('k'));
    await discard(other.body);
    expect(meter.transfers()).toEqual([]);
  });

  it('the transfer meter does not list the internal objects of Holdfast among the transfers of files', async () => {
    const { meter } = await metered();
    for (const key of ['laptop/a', 'laptop/.holdfast/probe/1', 'other/b']) meter.begin('put', key);
    expect(meter.transfersOfFiles('laptop/').map(({ key }) => key)).toEqual(['laptop/a']);
  });

  it('the transfer meter counts the objects of a bulk write as one operation', async () => {
    const { store, meter, sums } = await metered();
    const bytes = Buffer.from('hello');
    const conditions = { ifMatch: '*' };
    const objects = [
      { key: 'a', bytes },
      { key: 'b', bytes, conditions },
      { key: 'c', bytes },
    ];
    const writing = store.bulkWriter?.putObjects({ bucket: BUCKET, objects });
    expect(meter.transfers().map(({ key }) => key)).toEqual(['a', 'b', 'c']);
    await writing;
    expect(meter.transfers()).toEqual([]);
    expect(sums).toEqual({ bytes: 10, operations: 1, versions: ['a', 'c'] });
  });

  it('the transfer meter lets the store read a whole body at once and counts its bytes when they arrive', async () => {
    const { store, sums } = await metered((inner) =>
      overriding(inner, {
        putObject: async ({ body, ...request }) => {
          const bytes = new Uint8Array(4);
          await body.read?.(bytes);
          expect(sums.bytes).toBe(0);
          return inner.putObject({ ...request, body: bytesBody(bytes) });
        },
      }),
    );
    const body = {
      ...streamed(['abcd']),
      read: async (into: Uint8Array) => into.set([1, 2, 3, 4]),
    };
    await store.putObject({ ...at('a'), body });
    expect(sums.bytes).toBe(4);
    const { body: stored } = await store.getObject(at('a'));
    expect([...(await collect(stored, 4))]).toEqual([1, 2, 3, 4]);
  });

  it('the transfer meter lists one transfer for all parts of a multipart upload', async () => {
    const { store, meter, sums } = await metered();
    const part = 'x'.repeat(5 * 1024 * 1024);
    const upload = { ...at('big'), ...(await store.createUpload(at('big'))) };
    const first = await store.uploadPart({ ...upload, partNumber: 1, body: streamed([part]) });
    expect(meter.transfers()).toMatchObject([{ key: 'big', kind: 'put', sentBytes: part.length }]);
    const second = await store.uploadPart({ ...upload, partNumber: 2, body: streamed(['end']) });
    const parts = [first, second].map(({ etag }, index) => ({ partNumber: index + 1, etag }));
    await store.completeUpload({ ...upload, parts });
    expect(meter.transfers()).toEqual([]);
    expect(sums.bytes).toBe(part.length + 3);
    expect(sums.versions).toEqual(['big']);
  });

  it('the transfer meter drops an upload whose part failed, and counts its earlier parts when the upload resumes', async () => {
    const faulty: { inject?: ReturnType<typeof faultyStore>['inject'] } = {};
    const { store, meter } = await metered((real) => {
      const made = faultyStore(real);
      faulty.inject = (rule) => made.inject(rule);
      return made.store;
    });
    const upload = { ...at('big'), ...(await store.createUpload(at('big'))) };
    void faulty.inject?.({ on: 'uploadPart', fault: answers('InternalError') });
    const part = { ...upload, partNumber: 1, body: bytesBody('abc') };
    await expect(store.uploadPart(part)).rejects.toMatchObject({ code: 'InternalError' });
    expect(meter.transfers()).toEqual([]);
    await store.uploadPart({ ...upload, partNumber: 3, body: bytesBody('abc') });
    expect(meter.transfers()).toMatchObject([{ key: 'big', sentBytes: 9 }]);
  });

  it('the transfer meter drops an aborted upload and an upload whose first part fails', async () => {
    const first = Promise.withResolvers<never>();
    const { store, meter } = await metered((real) =>
      overriding(real, {
        uploadPart: (request, call) =>
          request.partNumber === 1 ? first.promise : real.uploadPart(request, call),
      }),
    );
    const begin = async () => ({ ...at('big'), ...(await store.createUpload(at('big'))) });
    const part = (partNumber: number) => ({ partNumber, body: bytesBody('abc') });
    const given = await begin();
    await store.uploadPart({ ...given, ...part(2) });
    expect(meter.transfers()).toHaveLength(1);
    await store.abortUpload(given);
    expect(meter.transfers()).toEqual([]);

    const torn = await begin();
    const failing = store.uploadPart({ ...torn, ...part(1) });
    const going = store.uploadPart({ ...torn, ...part(2) });
    first.reject(new StorageError('InternalError', 'no'));
    await expect(failing).rejects.toThrow('no');
    await going;
    expect(meter.transfers()).toEqual([]);
  });

  it('the transfer meter counts requests without a body, including failed requests', async () => {
    const { store, sums } = await metered();
    await store.headBucket({ bucket: BUCKET });
    await expect(store.headObject(at('nothing'))).rejects.toMatchObject({ code: 'NoSuchKey' });
    await store.deleteObject(at('nothing'));
    expect(sums.operations).toBe(3);
  });
});

describe('the progress of a job', () => {
  const counts = {
    files: 10,
    bytes: 600,
    pending: 4,
    pendingBytes: 400,
    uploadedVersions: 0,
    uploadedBytes: 0,
    deleted: 0,
    conflicts: 0,
    drifted: 0,
    foreign: 0,
    held: 0,
    problems: 0,
  };
  const meterAt = (clock: FakeClock) => {
    const nothing = () => undefined;
    const hooks = { onMoved: nothing, onBytes: nothing, onOperation: nothing, onVersion: nothing };
    return new JobMeter(clock, hooks);
  };

  it('the transfer meter counts bytes in flight as done and estimates the remaining time of a job', () => {
    const clock = new FakeClock();
    const meter = meterAt(clock);
    meter.begin('put', 'k', 200).sent(100);
    clock.advance(1000);
    expect(progressOf({ counts }, meter, false)).toEqual({
      share: 0.7,
      remainingFiles: 4,
      remainingBytes: 300,
      bytesPerSecond: 20,
      operationsPerSecond: 0,
      etaMs: 15_000,
    });
  });

  it('the transfer meter gives no estimate of the remaining time while no bytes move or a scan may find more files', () => {
    const clock = new FakeClock();
    const meter = meterAt(clock);
    expect(progressOf({ counts }, meter, false)).not.toHaveProperty('etaMs');
    meter.begin('put', 'k', 200).sent(100);
    clock.advance(1000);
    expect(progressOf({ counts }, meter, true)).not.toHaveProperty('etaMs');
  });

  it('the transfer meter gives no estimate of the remaining time from the rate of the first few bytes', () => {
    const clock = new FakeClock();
    const meter = meterAt(clock);
    meter.begin('put', 'k', 200).sent(100);
    clock.advance(1000);
    const large = { ...counts, pendingBytes: 3_500_000_000 };
    expect(progressOf({ counts: large }, meter, false)).not.toHaveProperty('etaMs');
  });

  it('the transfer meter reports no progress for a job when nothing remains', () => {
    const clock = new FakeClock();
    const done = { ...counts, pending: 0, pendingBytes: 0 };
    expect(progressOf({ counts: done }, meterAt(clock), false)).toBeUndefined();
  });
});

describe('throughput events', () => {
  function throughput({ isWanted = true } = {}) {
    const clock = new FakeClock();
    const returned: string[] = [];
    const works = new Set<string>();
    const all = new Throughput({
      clock,
      events: { isWanted: () => isWanted },
      reportTransfers: (job) => {
        returned.push(job);
        return works.has(job);
      },
    });
    return { clock, returned, all, works };
  }

  it('the transfer meter reports throughput at most four times a second, and once more when a transfer ends', () => {
    const { all, clock, returned } = throughput();
    const meter = all.meterOf('notes');
    const moving = meter.begin('put', 'k', 3);
    for (let index = 0; index < 100; index += 1) moving.sent(1);
    clock.advance(250);
    expect(returned).toEqual(['notes']);
    meter.end(moving);
    clock.advance(250);
    clock.advance(10_000);
    expect(returned).toEqual(['notes', 'notes']);
  });

  it('the transfer meter reports the throughput of a working job four times a second even without a transfer', () => {
    const { all, clock, returned, works } = throughput();
    works.add('notes');
    all.meterOf('notes');
    all.moved('notes');
    clock.advance(1_000);
    expect(returned).toHaveLength(4);
    works.clear();
    clock.advance(10_000);
    expect(returned).toHaveLength(5);
  });

  it('the transfer meter starts no timer and reports no throughput without subscribers', () => {
    const { all, clock, returned } = throughput({ isWanted: false });
    all.meterOf('notes').begin('put', 'k', 3).sent(3);
    clock.advance(10_000);
    expect(returned).toEqual([]);
  });

  it('the transfer meter adds up the throughput of each day without internal objects and resets the sums at midnight', () => {
    const { all, clock } = throughput();
    const meter = all.meterOf('notes');
    meter.begin('put', 'k', 3).sent(3);
    meter.begin('get', 'k', 5).sent(5);
    for (const key of ['k', 'backup/.holdfast/claim']) meter.versionMade(key);
    all.noteActivity({ level: 'warn', action: 'failed' });
    all.noteActivity({ level: 'warn', action: 'conflict' });
    all.noteActivity({ level: 'info', action: 'put' });
    clock.advance(1_000);
    expect(all.summary().samples.map(({ bytesPerSecond }) => bytesPerSecond)).toContain(3);
    expect(all.summary().today).toEqual({
      since: clock.now() - 1_000,
      bytes: 3,
      readBytes: 5,
      versions: 1,
      errors: 1,
    });
    clock.advance(86_400_000);
    expect(all.summary().today).toMatchObject({ bytes: 0, versions: 0, errors: 0 });
  });
});
