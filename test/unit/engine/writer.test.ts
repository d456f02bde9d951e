import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import type { WriterOptions } from '../../../src/engine/writes/writer-messages.ts';
import { createFolders, type Layout, layoutOf } from '../../../src/engine/disk/layout.ts';
import { packed } from '../../../src/engine/writes/commands/packed-objects.ts';
import { Reserve } from '../../../src/engine/writes/reserve.ts';
import { prepareMetadata } from '../../../src/engine/schema/schema.ts';
import { Writer } from '../../../src/engine/writes/writer.ts';
import { internalCaller } from '../../../src/object-store/caller.ts';
import { DEFAULT_QUOTAS } from '../../../src/object-store/rules/quota.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { openTestEngine, TEST_USER } from '../../helpers/test-engine.ts';

const CONTEXT = {
  caller: internalCaller(TEST_USER, 1000),
  now: 1000,
  trustedNow: 1000,
  clockAheadMs: 0,
  clock: 'believed' as const,
};
const HOOKS = { onGarbage: () => undefined, onCommit: () => undefined, lacksRoom: () => undefined };

function optionsOf(layout: Layout): WriterOptions {
  const { metadata } = layout;
  return { metadata, quotas: DEFAULT_QUOTAS, reserve: Reserve.of(layout).shared };
}

function openWriter(): Writer {
  const layout = layoutOf(temporaryFolder());
  createFolders(layout);
  prepareMetadata(layout);
  const writer = new Writer(optionsOf(layout), HOOKS);
  writer.start();
  onTestFinished(() => writer.close());
  return writer;
}

const put = (writer: Writer, key: string, sizeBytes: number) =>
  writer.run(
    'putObject',
    { bucket: 'bucket', key, content: { kind: 'inline', bytes: new Uint8Array(sizeBytes) } },
    CONTEXT,
  );

test.each([
  ['commands', 10_000, 1],
  ['bytes', 3000, 32 * 1024],
])(
  'the writer fails a write beyond the queue limit for %s with SlowDown and completes the queued writes',
  async (_, count, size) => {
    const writer = openWriter();
    const bucket = { bucket: 'bucket', objectLockEnabled: false };
    await writer.run('createBucket', bucket, CONTEXT);
    const puts = [...Array(count).keys()].map((index) => put(writer, `k${index}`, size));
    const results = await Promise.allSettled(puts);
    const done = results.filter((result) => result.status === 'fulfilled');
    const refused = results.filter((result) => result.status === 'rejected');
    expect(done.length).toBeGreaterThan(1000);
    expect(refused.length).toBeGreaterThan(0);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'SlowDown' });
    await expect(put(writer, 'later', size)).resolves.toBeDefined();
  },
);

test.each([
  ['objects', 512, 1],
  ['bytes', 128, 64 * 1024],
])(
  'the writer fails bulk writes beyond the queue limit for %s with SlowDown and completes the queued ones',
  async (_, count, size) => {
    const writer = openWriter();
    await writer.run('createBucket', { bucket: 'bucket', objectLockEnabled: false }, CONTEXT);
    const bytes = new Uint8Array(size);
    const writes = Array.from({ length: 20 }, (_, index) => {
      const puts = Array.from({ length: count }, (_, at) => ({
        bucket: 'bucket',
        key: `${index}/${at}`,
        content: { kind: 'inline', bytes } as const,
      }));
      return writer.run('putObjects', packed('bucket', puts), CONTEXT);
    });
    const results = await Promise.allSettled(writes);
    const refused = results.filter((result) => result.status === 'rejected');
    // The limit of one bucket is 8,192 objects or 64 MiB.
    expect(refused.length).toBe(20 - (size === 1 ? 16 : 8));
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'SlowDown' });
    await expect(put(writer, 'later', size)).resolves.toBeDefined();
  },
);

test('the writer accepts a write to another bucket while the write queue of one bucket is full', async () => {
  const writer = openWriter();
  for (const bucket of ['bucket', 'other'])
    await writer.run('createBucket', { bucket, objectLockEnabled: false }, CONTEXT);
  const puts = Promise.allSettled(
    [...Array(10_000).keys()].map((index) => put(writer, `k${index}`, 1)),
  );
  const content = { kind: 'inline', bytes: new Uint8Array(1) } as const;
  const other = writer.run('putObject', { bucket: 'other', key: 'k', content }, CONTEXT);
  await expect(other).resolves.toBeDefined();
  expect((await puts).some(({ status }) => status === 'rejected')).toBe(true);
});

test('the writer fails queued and new writes with ServiceUnavailable after the writer thread stopped', async () => {
  const writer = new Writer(
    {
      ...optionsOf(layoutOf(temporaryFolder())),
      metadata: join(temporaryFolder(), 'missing.sqlite'),
    },
    HOOKS,
  );
  writer.start();
  const error = {
    code: 'ServiceUnavailable',
    message: expect.stringContaining('the writer thread stopped') as string,
  };
  await expect(put(writer, 'waiting', 1)).rejects.toMatchObject(error);
  await expect(put(writer, 'later', 1)).rejects.toMatchObject(error);
  await writer.close();
});

test('the writer runs write commands in the order in which they were requested', async () => {
  const { store } = await openTestEngine();
  const body = { replayable: true, open: async function* () {} };
  const results = await Promise.allSettled([
    store.deleteBucket({ bucket: 'bucket' }),
    store.createBucket({ bucket: 'bucket' }),
    store.putVersioning({ bucket: 'bucket', versioning: 'Enabled' }),
    store.createUpload({ bucket: 'bucket', key: 'k' }),
    store.deleteBucket({ bucket: 'bucket' }),
    store.putVersioning({ bucket: 'bucket', versioning: 'Enabled' }),
  ]);
  expect(results.map((result) => result.status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
  ]);
  const put = store.putObject({ bucket: 'bucket', key: 'k', body });
  await expect(put).rejects.toMatchObject({ code: 'NoSuchBucket' });
});

test('[policy-42] the writer runs a write to another bucket before all queued writes under an expensive policy', async () => {
  const writer = openWriter();
  for (const bucket of ['bucket', 'other']) {
    await writer.run('createBucket', { bucket, objectLockEnabled: false }, CONTEXT);
  }
  const Resource = Array.from({ length: 100 }, (_, index) => `arn:aws:s3:::bucket/*a?z${index}*`);
  const deny = { Effect: 'Deny', Principal: '*', Action: 's3:*', Resource };
  const policy = JSON.stringify({ Statement: deny });
  await writer.run('putBucketPolicy', { bucket: 'bucket', policy }, CONTEXT);
  const order: string[] = [];
  const costly = [...Array(60).keys()].map(async (index) => {
    await put(writer, `${'a'.repeat(1000)}${index}`, 1);
    order.push('costly');
  });
  const content = { kind: 'inline', bytes: new Uint8Array(1) } as const;
  const request = { bucket: 'other', key: 'key', content };
  const cheap = writer.run('putObject', request, CONTEXT).then(() => order.push('cheap'));
  await Promise.all([...costly, cheap]);
  expect(order).toHaveLength(61);
  expect(order.indexOf('cheap')).toBeLessThan(15);
});
