/** Implements the control method that returns the locks of many versions at once. */

import { eachAtOnce } from '../../../src/base/at-once.ts';
import { defined } from '../../../src/base/defined.ts';
import type { Result } from '../../../src/control/messages.ts';
import type { ObjectRef, ObjectStore } from '../../../src/object-store/object-store.ts';
import { isStorageError } from '../../../src/object-store/storage-error.ts';
import type { TargetHandlers } from './at-target.ts';

/**
 * The maximum number of concurrent requests. It is low so that jobs with the same target are not
 * slowed down.
 */
const LOOKS_AT_ONCE = 8;

type Locks = Result<'versions.locks'>['objects'][number];

export function versionHandlers(): TargetHandlers<'versions.locks'> {
  return {
    'versions.locks': async ({ bucket, objects }, { signal, store }) => {
      const locks: Locks[] = objects.map(() => ({}));
      await eachAtOnce(objects.entries(), LOOKS_AT_ONCE, async ([index, object]) => {
        locks[index] = await locksOf(store, defined({ bucket, ...object }), signal);
      });
      return { objects: locks };
    },
  };
}

async function locksOf(store: ObjectStore, ref: ObjectRef, signal: AbortSignal): Promise<Locks> {
  try {
    const { versionId, retention, legalHold } = (await store.headObject(ref, { signal })).info;
    return defined({ versionId, retention, legalHold });
  } catch (error) {
    if (isStorageError(error)) return { code: error.code };
    throw error;
  }
}
