/**
 * Tests that random histories of a few keys leave the same versions in the store as in a simple
 * model.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { silentLogger } from '../../../src/base/logger.ts';
import { type Engine, openEngine } from '../../../src/engine/engine.ts';
import { bytesBody, collect } from '../../../src/object-store/body.ts';
import { internalCaller } from '../../../src/object-store/caller.ts';
import type { ObjectRef, ObjectStore } from '../../../src/object-store/object-store.ts';
import { isStorageError } from '../../../src/object-store/storage-error.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { VersionsModel } from './versions-model.ts';

const KEYS = ['a', 'b', 'b/c'];
const key = fc.constantFrom(...KEYS);
/** Index of a version of a key, as in `VersionsModel.pick`. */
const index = fc.nat(4);

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ verb: fc.constant('put' as const), key, content: fc.string() }),
  },
  { weight: 3, arbitrary: fc.record({ verb: fc.constant('delete' as const), key }) },
  { weight: 2, arbitrary: fc.record({ verb: fc.constant('remove' as const), key, index }) },
  {
    weight: 2,
    arbitrary: fc.record({ verb: fc.constant('copy' as const), key, from: key, index }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      verb: fc.constant('version' as const),
      versioning: fc.constantFrom('Enabled' as const, 'Suspended' as const),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface Run {
  readonly store: ObjectStore;
  readonly bucket: string;
  readonly model: VersionsModel;
}

async function take(step: Step, run: Run): Promise<void> {
  const { store, bucket, model } = run;
  if (step.verb === 'version') {
    await store.putVersioning({ bucket, versioning: step.versioning });
    model.versioning = step.versioning;
  } else if (step.verb === 'put') {
    const ref = { bucket, key: step.key };
    const { versionId } = await store.putObject({ ...ref, body: bytesBody(step.content) });
    model.write(step.key, step.content, versionId);
  } else if (step.verb === 'delete') {
    const { versionId } = await store.deleteObject({ bucket, key: step.key });
    model.write(step.key, undefined, versionId);
  } else if (step.verb === 'remove') {
    const versionId = model.pick(step.key, step.index)?.versionId ?? 'null';
    await store.deleteObject({ bucket, key: step.key, versionId });
    model.remove(step.key, versionId);
  } else {
    await copy(step, run);
  }
}

/**
 * Copies a version by its id. The store refuses a delete marker or a missing version as the source.
 */
async function copy(step: Step & { verb: 'copy' }, { store, bucket, model }: Run): Promise<void> {
  const version = model.pick(step.from, step.index);
  const source = { bucket, key: step.from, versionId: version?.versionId ?? 'null' };
  // A copy of the current version onto itself is allowed if it has new attributes.
  const attributes = { metadata: { copied: 'yes' } };
  const attempt = store.copyObject({ source, bucket, key: step.key, attributes });
  if (version?.content === undefined) {
    const code = version ? 'InvalidRequest' : 'NoSuchVersion';
    await expect(attempt).rejects.toMatchObject({ code });
  } else {
    model.write(step.key, version.content, (await attempt).versionId);
  }
}

async function contentOf(store: ObjectStore, ref: ObjectRef): Promise<string | undefined> {
  try {
    const { body } = await store.getObject(ref);
    return Buffer.from(await collect(body, 1000)).toString();
  } catch (error) {
    if (isStorageError(error, 'NoSuchKey')) return undefined;
    throw error;
  }
}

async function expectSame({ store, bucket, model }: Run): Promise<void> {
  const { versions } = await store.listVersions({ bucket });
  expect(versions).toMatchObject(model.listed());
  const current = KEYS.filter((key) => model.current(key) !== undefined);
  const { objects } = await store.listObjects({ bucket });
  expect(objects.map(({ key }) => key)).toEqual(current);
  for (const key of KEYS) {
    expect(await contentOf(store, { bucket, key })).toBe(model.current(key));
    for (const { versionId, content } of model.of(key)) {
      if (content === undefined) continue;
      expect(await contentOf(store, { bucket, key, versionId })).toBe(content);
    }
  }
}

let dir: string;
let engine: Engine;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'holdfast-model-'));
  const clock = new FakeClock();
  engine = await openEngine({ dir, clock, logger: silentLogger, region: 'us-east-1' });
});
afterAll(async () => {
  await engine.close();
  await rm(dir, { recursive: true });
});

test('the store has the same versions as a simple model after any history of puts, copies and deletes', async () => {
  let histories = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      // Each history uses a separate project, because a project may have only 50 buckets.
      const project = `p${(histories += 1)}`;
      const user = { project, user: 'u', customer: 'c', fullAccess: true };
      const store = engine.as(internalCaller({ kind: 'user', ...user }, 0));
      const run = { store, bucket: `history-${histories}`, model: new VersionsModel() };
      await store.createBucket(run);
      for (const each of steps) await take(each, run);
      await expectSame(run);
    }),
    { numRuns: 100 },
  );
});
