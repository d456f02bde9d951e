/**
 * Tests that a rename (a copy and a delete) loses no object if it is interrupted or other clients
 * make changes.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { silentLogger } from '../../../src/base/logger.ts';
import { type Engine, openEngine } from '../../../src/engine/engine.ts';
import { bytesBody } from '../../../src/object-store/body.ts';
import { internalCaller } from '../../../src/object-store/caller.ts';
import { movePrefix } from '../../../src/object-store/move-prefix.ts';
import type { ObjectStore, PutObjectRequest } from '../../../src/object-store/object-store.ts';
import { renameObject } from '../../../src/object-store/rename.ts';
import { removeBucket } from '../../contract/object-store/subject.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import {
  answers,
  failsBeforeSending,
  faultyStore,
  losesTheAnswer,
  slipsIn,
} from '../../helpers/faulty-store.ts';
import { readBytes, TEST_USER } from '../../helpers/test-engine.ts';

const BUCKET = 'bucket';
const FROM = { bucket: BUCKET, key: 'a' };
const TO = { bucket: BUCKET, key: 'b' };
const OPTIONS = { logger: silentLogger };

type More = Partial<PutObjectRequest>;
const put = (store: ObjectStore, key: string, text: string, more: More = {}) =>
  store.putObject({ bucket: BUCKET, key, body: bytesBody(text), ...more });

/** One store serves all tests, because opening a store takes longer than most tests. */
const clock = new FakeClock();
let dir: string;
let engine: Engine;
let real: ObjectStore;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'rename-'));
  engine = await openEngine({ dir, clock, logger: silentLogger, region: 'us-east-1' });
  real = engine.as(internalCaller(TEST_USER, clock.now()));
});

afterAll(async () => {
  await engine.close();
  rmSync(dir, { recursive: true });
});

async function renaming({ versioning = false } = {}) {
  await real.createBucket({ bucket: BUCKET });
  onTestFinished(() => removeBucket(real, BUCKET));
  if (versioning) await real.putVersioning({ bucket: BUCKET, versioning: 'Enabled' });
  await put(real, 'a', 'text', { attributes: { metadata: { m: '1' } } });
  const faulty = faultyStore(real);
  const rename = (more: { overwrite?: boolean } = {}, maxOneCopyBytes = Infinity) =>
    renameObject(faulty.store, { from: FROM, to: TO, ...more }, { ...OPTIONS, maxOneCopyBytes });
  const content = async () => {
    const { objects } = await real.listObjects({ bucket: BUCKET });
    const texts = objects.map(async ({ key }) => {
      return [key, (await readBytes(real, { bucket: BUCKET, key })).toString()] as const;
    });
    return Object.fromEntries(await Promise.all(texts));
  };
  return { faulty, rename, content };
}

describe('[rename-6] a rename that is interrupted at any step', () => {
  const operations = ['headObject', 'copyObject', 'deleteObject'] as const;
  const faults = { failsBeforeSending, losesTheAnswer };
  const cases = operations.flatMap((on) =>
    (Object.keys(faults) as (keyof typeof faults)[]).map((fault) => [on, fault] as const),
  );

  test.each(cases)(
    'a rename that is interrupted at %s (%s) keeps the object and completes when it is repeated',
    async (on, name) => {
      const { faulty, rename, content } = await renaming();
      void faulty.inject({ on, fault: faults[name] });
      await expect(rename()).rejects.toThrow('connect');
      expect(Object.values(await content())).toContain('text');
      if ('a' in (await content())) await rename();
      expect(await content()).toEqual({ b: 'text' });
    },
  );

  test('a repeated rename recognizes its multipart copy, which has another ETag, by the checksum', async () => {
    const { faulty, rename, content } = await renaming();
    void faulty.inject({ on: 'deleteObject', fault: failsBeforeSending });
    await expect(rename({}, 1)).rejects.toThrow('refused');
    await rename({}, 1);
    expect(faulty.calls.filter((call) => call.startsWith('createUpload'))).toHaveLength(1);
    expect(await content()).toEqual({ b: 'text' });
  });

  test('a repeated rename does not copy the object again', async () => {
    const { faulty, rename } = await renaming({ versioning: true });
    void faulty.inject({ on: 'deleteObject', fault: failsBeforeSending });
    await expect(rename()).rejects.toThrow('refused');
    await rename();
    expect(faulty.calls.filter((call) => call.startsWith('copyObject'))).toHaveLength(1);
  });
});

describe('[rename-7] a rename whose source is replaced during the rename', () => {
  test.each<[string, string, More]>([
    ['other bytes', 'other', {}],
    ['other attributes', 'text', { attributes: { metadata: { m: '2' } } }],
  ])(
    'a rename does not delete a source that is replaced by %s before the copy',
    async (_, text, more) => {
      const { faulty, rename } = await renaming();
      const replace = () => {
        clock.advance(1_000);
        return put(real, 'a', text, more);
      };
      void faulty.inject({ on: 'copyObject', fault: slipsIn(replace) });
      await expect(rename()).rejects.toMatchObject({ code: 'PreconditionFailed' });
      const { info } = await real.headObject(FROM);
      expect([(await readBytes(real, FROM)).toString(), info.metadata]).toEqual([
        text,
        more.attributes?.metadata,
      ]);
    },
  );

  test('a rename does not delete a source that is overwritten right before the delete', async () => {
    const { faulty, rename, content } = await renaming();
    void faulty.inject({ on: 'deleteObject', fault: slipsIn(() => put(real, 'a', 'other')) });
    await expect(rename()).rejects.toThrow('was replaced during the rename');
    expect(await content()).toEqual({ a: 'other', b: 'text' });
  });
});

describe('[rename-8] a rename whose target name is already used', () => {
  test.each<[string, More]>([
    ['the attributes', { attributes: { metadata: { m: '2' } } }],
    ['the tags', { attributes: { metadata: { m: '1' } }, tags: [{ key: 't', value: '' }] }],
  ])(
    'a rename does not treat an object at the target name as the copy if %s differ',
    async (_, more) => {
      const { rename, content } = await renaming();
      await put(real, 'b', 'text', more);
      await expect(rename()).rejects.toMatchObject({ code: 'PreconditionFailed' });
      expect(Object.keys(await content())).toEqual(['a', 'b']);
    },
  );
});

test('a rename does not replace an object that another client creates at the target name during the rename', async () => {
  const { faulty, rename, content } = await renaming();
  void faulty.inject({ on: 'copyObject', fault: slipsIn(() => put(real, 'b', 'theirs')) });
  await expect(rename()).rejects.toMatchObject({ code: 'PreconditionFailed' });
  expect(await content()).toEqual({ a: 'text', b: 'theirs' });
});

test.each(['getObjectAcl', 'copyObject'] as const)(
  '[rename-12] a rename omits the ACL and reports that if %s fails because the service does not support ACLs',
  async (on) => {
    const { faulty, rename, content } = await renaming();
    await real.putObjectAcl({ ...FROM, acl: { canned: 'public-read' } });
    void faulty.inject({ on, fault: answers('AccessControlListNotSupported') });
    expect(await rename()).toMatchObject({ rightsKept: false });
    expect(await content()).toEqual({ b: 'text' });
  },
);

test('a rename fails and keeps the source if the service does not support conditional deletes', async () => {
  const { faulty, rename, content } = await renaming();
  void faulty.inject({ on: 'deleteObject', fault: answers('NotImplemented') });
  await expect(rename()).rejects.toMatchObject({ code: 'NotImplemented' });
  expect(await content()).toEqual({ a: 'text', b: 'text' });
});

describe('renaming all objects below a prefix', () => {
  const move = (store: ObjectStore, from: string, to: string, signal?: AbortSignal) =>
    movePrefix(
      store,
      {
        from: { bucket: BUCKET, prefix: from },
        to: { bucket: BUCKET, prefix: to },
        each: async (source, target) => {
          await renameObject(store, { from: source, to: target }, OPTIONS);
        },
      },
      signal ? { signal } : {},
    );

  test.each([
    ['a/', 'a/b/'],
    ['a/b/', 'a/'],
    ['a', 'ab'],
    ['', 'b/'],
    ['a/', 'a/'],
  ])(
    '[rename-9] a rename of the prefix %j to the overlapping prefix %j is refused before it changes anything',
    async (from, to) => {
      const { faulty } = await renaming();
      await expect(move(faulty.store, from, to)).rejects.toMatchObject({ code: 'InvalidRequest' });
      expect(faulty.calls).toEqual([]);
    },
  );

  test('[rename-10] a rename of a prefix continues after an object failed, and renames that object in a second run', async () => {
    const { faulty, content } = await renaming();
    for (const index of [1, 2, 3]) await put(real, `p/${index}`, `${index}`);
    void faulty.inject({ on: 'copyObject', key: 'q/2', fault: answers('ServiceUnavailable') });
    const result = await move(faulty.store, 'p/', 'q/');
    expect(result).toMatchObject({ objects: 2, sizeBytes: 2, failedCount: 1 });
    expect(result.failed).toMatchObject([
      { from: { key: 'p/2' }, to: { key: 'q/2' }, error: { code: 'ServiceUnavailable' } },
    ]);
    expect(await move(faulty.store, 'p/', 'q/')).toMatchObject({ objects: 1, failedCount: 0 });
    expect(await content()).toEqual({ a: 'text', 'q/1': '1', 'q/2': '2', 'q/3': '3' });
  });

  test('an aborted rename of a prefix rejects with the reason of the abort', async () => {
    const { faulty } = await renaming();
    await put(real, 'p/1', '1');
    const controller = new AbortController();
    void faulty.inject({
      on: 'copyObject',
      fault: slipsIn(() => controller.abort(new Error('enough'))),
    });
    void faulty.inject({ on: 'deleteObject', fault: answers('ServiceUnavailable') });
    await expect(move(faulty.store, 'p/', 'q/', controller.signal)).rejects.toThrow('enough');
  });
});
