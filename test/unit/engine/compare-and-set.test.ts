import { expect, test } from 'vitest';

import { bytesBody } from '../../../src/object-store/body.ts';
import type { ObjectStore } from '../../../src/object-store/object-store.ts';
import { isStorageError } from '../../../src/object-store/storage-error.ts';
import { openTestEngine, readBytes } from '../../helpers/test-engine.ts';

const REF = { bucket: 'bucket', key: 'counter' };
const LANES = 8;
const ROUNDS = 15;

/**
 * Increments the counter with If-Match, so that the put fails if another writer changed the counter
 * since the read. Returns whether the put succeeded.
 */
async function tryToAdd(store: ObjectStore): Promise<boolean> {
  const { info, body } = await store.getObject(REF);
  let text = '';
  for await (const chunk of body) text += Buffer.from(chunk).toString();
  try {
    const next = bytesBody(`${Number(text) + 1}`);
    await store.putObject({ ...REF, body: next, conditions: { ifMatch: info.etag } });
    return true;
  } catch (error) {
    if (isStorageError(error, 'PreconditionFailed')) return false;
    throw error;
  }
}

test.each(['Enabled', 'Suspended'] as const)(
  'the store loses no increment of a counter that concurrent writers update with If-Match, with versioning %s',
  async (versioning) => {
    const { store } = await openTestEngine();
    await store.createBucket({ bucket: 'bucket' });
    await store.putVersioning({ bucket: 'bucket', versioning });
    await store.putObject({ ...REF, body: bytesBody('0') });
    let conflicts = 0;
    const lane = async () => {
      for (let added = 0; added < ROUNDS;) {
        if (await tryToAdd(store)) added += 1;
        else conflicts += 1;
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    expect((await readBytes(store, REF)).toString()).toBe(`${LANES * ROUNDS}`);
    // Without any failed precondition, the writers would not have run concurrently.
    expect(conflicts).toBeGreaterThan(0);
    const { versions } = await store.listVersions({ bucket: 'bucket' });
    expect(versions).toHaveLength(versioning === 'Enabled' ? LANES * ROUNDS + 1 : 1);
  },
);
