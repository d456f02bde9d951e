/** Implements the control methods for versioning, retention and legal holds, and for bulk deletes. */

import type { Clock } from '../../../src/base/clock.ts';
import { defined } from '../../../src/base/defined.ts';
import type { MethodName, Result } from '../../../src/control/messages.ts';
import type { LOCK_METHODS } from '../../../src/control/methods/locks.ts';
import { type FailedDeletion, MAX_BULK_DELETE } from '../../../src/object-store/bulk-delete.ts';
import type {
  LockRequest,
  ObjectRef,
  ObjectStore,
} from '../../../src/object-store/object-store.ts';
import { checkLockRequest, refuseRetentionChange } from '../../../src/object-store/rules/locks.ts';
import { isStorageError } from '../../../src/object-store/storage-error.ts';
import type { TargetHandlers } from './at-target.ts';

type Marker = NonNullable<Result<'objects.deleteMany'>['made']>[number];
type LockMethod = keyof typeof LOCK_METHODS & MethodName;

export interface LockHandlerOptions {
  /** Limits of the embedded store. */
  readonly quotas: { readonly keysPerBulkDelete: number };
  readonly clock: Clock;
}

export function lockHandlers({ quotas, clock }: LockHandlerOptions): TargetHandlers<LockMethod> {
  return {
    'retention.get': async (ref, { signal, store }) =>
      defined({ retention: await unlessUnset(store.getRetention(defined(ref), { signal })) }),
    'retention.set': async ({ dryRun, ...params }, { signal, store }) => {
      const { retention, bypassGovernance = false, ...object } = params;
      const ref = defined(object);
      if (!dryRun) await store.putRetention(defined(params), { signal });
      else {
        const now = clock.now();
        const stored = await unlessUnset(store.getRetention(ref, { signal }));
        await checkLock(store, ref, { lock: { retention }, now, signal });
        refuseRetentionChange(stored, retention, { now, bypassGovernance, fullAccess: true });
      }
      return {};
    },
    'hold.get': async (ref, { signal, store }) => {
      const legalHold = await unlessUnset(store.getLegalHold(defined(ref), { signal }));
      return { legalHold: legalHold ?? false, stated: legalHold !== undefined };
    },
    'hold.set': async ({ dryRun, ...params }, { signal, store }) => {
      const { legalHold, ...object } = params;
      const ref = defined(object);
      if (!dryRun) await store.putLegalHold(defined(params), { signal });
      else {
        await unlessUnset(store.getLegalHold(ref, { signal }));
        await checkLock(store, ref, { lock: { legalHold }, now: clock.now(), signal });
      }
      return {};
    },
    'locks.get': async (params, { signal, store }) => {
      const { defaultRetention } = await store.getObjectLockConfiguration(params, { signal });
      return defined({ defaultRetention });
    },
    'locks.set': async ({ bucket, defaultRetention }, { signal, store }) => {
      const rule = defaultRetention && defined(defaultRetention);
      const request = defined({ bucket, defaultRetention: rule });
      await store.putObjectLockConfiguration(request, { signal });
      return {};
    },
    'versioning.get': async (params, { signal, store }) =>
      defined({ versioning: await store.getVersioning(params, { signal }) }),
    'versioning.set': async (params, { signal, store }) => {
      await store.putVersioning(params, { signal });
      return {};
    },
    'objects.deleteMany': async ({ objects, ...params }, { signal, store, target }) => {
      const maxDeletions = target ? MAX_BULK_DELETE : quotas.keysPerBulkDelete;
      const result = {
        deleted: 0,
        markers: 0,
        made: new Array<Marker>(),
        failed: new Array<FailedDeletion>(),
      };
      for (let start = 0; start < objects.length; start += maxDeletions) {
        const some = objects.slice(start, start + maxDeletions).map((each) => defined(each));
        const request = { ...defined(params), objects: some };
        const { deleted, failed } = await store.deleteObjects(request, { signal });
        // A delete marker was created only if the request has no version ID. With a version ID, the result refers
        // to a removed delete marker.
        const made = deleted.filter((each) => each.deleteMarker && each.versionId === undefined);
        result.deleted += deleted.length;
        result.markers += made.length;
        for (const { key, deleteMarkerVersionId: versionId } of made) {
          if (versionId !== undefined) result.made.push({ key, versionId });
        }
        result.failed.push(...failed);
      }
      return result;
    },
  };
}

interface CheckedLock {
  readonly lock: LockRequest;
  readonly now: number;
  readonly signal: AbortSignal;
}

/**
 * Checks a lock without setting it. Rejects with the same error as setting the lock if the lock is invalid or the
 * bucket has no Object Lock.
 */
async function checkLock(
  store: ObjectStore,
  { bucket }: ObjectRef,
  { lock, now, signal }: CheckedLock,
): Promise<void> {
  const configuration = await unlessUnset(store.getObjectLockConfiguration({ bucket }, { signal }));
  checkLockRequest(lock, { objectLockEnabled: configuration !== undefined, now });
}

async function unlessUnset<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isStorageError(error, 'ObjectLockConfigurationNotFoundError')) return undefined;
    throw error;
  }
}
