/** Disks that are full, or that fail. */

import { type FileHandle, open } from 'node:fs/promises';

import { expect, test } from 'vitest';

import type { FileOperations } from '../../src/engine/faults.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import { blobFiles, temporaryFiles } from '../helpers/store-files.ts';
import { openTestEngine, patternBytes, readBytes } from '../helpers/test-engine.ts';

type Step = 'write' | 'datasync' | 'sync';

interface Fault {
  step?: Step | 'rename';
  code: string;
}

/** Real files whose next `step` fails with `code`, once it is set. */
function failingFiles(fault: Fault): Partial<FileOperations> {
  const fail = (step: Fault['step']) => {
    if (fault.step === step) throw Object.assign(new Error(`${fault.code}: failed`), fault);
  };
  return {
    open: async (...args) => {
      const handle = await open(...args);
      return new Proxy(handle, {
        get(target, name) {
          if (name === 'write' || name === 'datasync' || name === 'sync') fail(name);
          const member: unknown = Reflect.get(target, name, target);
          return typeof member === 'function' ? (member.bind(target) as unknown) : member;
        },
      }) satisfies FileHandle;
    },
    rename: async (from, to) => {
      fail('rename');
      const { rename } = await import('node:fs/promises');
      return rename(from, to);
    },
  };
}

async function openFailing(code: string) {
  const fault: Fault = { code };
  const opened = await openTestEngine({ faults: { files: failingFiles(fault) } });
  await opened.store.createBucket({ bucket: 'bucket' });
  return { ...opened, fault };
}

const large = () => bytesBody(patternBytes(200_000));

test.each(['write', 'datasync', 'sync', 'rename'] as const)(
  'a disk that is full at %s refuses the body, leaves no trace, and works again with space',
  async (step) => {
    const { store, dir, fault } = await openFailing('ENOSPC');
    fault.step = step;
    const put = store.putObject({ bucket: 'bucket', key: 'k', body: large() });
    await expect(put).rejects.toMatchObject({ code: 'InsufficientStorage' });
    expect([blobFiles(dir), temporaryFiles(dir)]).toEqual([[], []]);
    delete fault.step;
    await store.putObject({ bucket: 'bucket', key: 'k', body: large() });
    const bytes = await readBytes(store, { bucket: 'bucket', key: 'k' });
    expect(bytes.equals(patternBytes(200_000))).toBe(true);
  },
);

test.each(['datasync', 'sync'] as const)(
  'a %s that fails ends all writing, while reading goes on',
  async (step) => {
    const { store, fault } = await openFailing('EIO');
    await store.putObject({ bucket: 'bucket', key: 'before', body: large() });
    fault.step = step;
    const put = store.putObject({ bucket: 'bucket', key: 'k', body: large() });
    await expect(put).rejects.toMatchObject({ code: 'ServiceUnavailable' });
    delete fault.step;
    for (const body of [large(), bytesBody('small')]) {
      const later = store.putObject({ bucket: 'bucket', key: 'k', body });
      await expect(later).rejects.toMatchObject({ code: 'ServiceUnavailable' });
    }
    const bytes = await readBytes(store, { bucket: 'bucket', key: 'before' });
    expect(bytes.equals(patternBytes(200_000))).toBe(true);
    await expect(store.headObject({ bucket: 'bucket', key: 'k' })).rejects.toMatchObject({
      code: 'NoSuchKey',
    });
  },
);

test('a full metadata database refuses what does not fit and keeps what it had', async () => {
  const { store, dir } = await openTestEngine({ faults: { maxMetadataPages: 120 } });
  await store.createBucket({ bucket: 'bucket' });
  const keys: string[] = [];
  const refusals: unknown[] = [];
  for (let index = 0; index < 60; index++) {
    const key = `k${index}`;
    // Every other one a file: the row that does not fit must take its file with it.
    const body = index % 2 === 0 ? bytesBody(patternBytes(20_000, index + 1)) : large();
    await store.putObject({ bucket: 'bucket', key, body }).then(
      () => keys.push(key),
      (error: unknown) => refusals.push(error),
    );
  }
  expect(refusals.length).toBeGreaterThan(0);
  for (const error of refusals) expect(error).toMatchObject({ code: 'InsufficientStorage' });
  const listed = await store.listObjects({ bucket: 'bucket' });
  expect(listed.objects.map((object) => object.key).sort()).toEqual(keys.sort());
  for (const key of keys) await readBytes(store, { bucket: 'bucket', key });
  const files = keys.filter((key) => Number(key.slice(1)) % 2 === 1);
  expect(blobFiles(dir)).toHaveLength(files.length);
  expect(temporaryFiles(dir)).toEqual([]);
});
