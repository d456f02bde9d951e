/** Deletes many objects through a port that deletes one: each outcome is its own, in the order asked for. */

import { defined } from '../base/defined.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import { isStorageError } from '../object-store/storage-error.ts';
import { ERROR_TABLE } from '../protocol/error-table.ts';
import type { Input, Output } from '../protocol/operations.ts';
import type {
  DeletedObject,
  FailedDeletion,
  ObjectToDelete,
} from '../protocol/operations/delete-objects.ts';

/** Deletions under way at a time: enough to fill a group commit, few enough to leave room for others. */
const LANES = 16;

type Outcome = { readonly deleted: DeletedObject } | { readonly failed: FailedDeletion };

/** Deletions of one key are worked off in the order asked for. Rejects for what is no answer about one object. */
export async function deleteObjects(
  { bucket, objects, quiet = false, bypassGovernance }: Input<'DeleteObjects'>,
  { store, signal }: { readonly store: ObjectStore; readonly signal: AbortSignal },
): Promise<Output<'DeleteObjects'>> {
  await store.headBucket({ bucket }, { signal });
  const outcomes: Outcome[] = [];
  const lanes = byKey(objects);
  const workOff = async () => {
    for (let lane = lanes.shift(); lane !== undefined; lane = lanes.shift()) {
      for (const index of lane) {
        const { ifMatch, ...object } = objects[index] as ObjectToDelete;
        const conditions = ifMatch === undefined ? undefined : { ifMatch };
        const request = defined({ bucket, ...object, bypassGovernance, conditions });
        outcomes[index] = await outcomeOf(object, () => store.deleteObject(request, { signal }));
      }
    }
  };
  await Promise.all(Array.from({ length: LANES }, workOff));
  return {
    deleted: quiet ? [] : outcomes.flatMap((each) => ('deleted' in each ? each.deleted : [])),
    failed: outcomes.flatMap((each) => ('failed' in each ? each.failed : [])),
  };
}

/** Indexes of the objects, those of one key together. */
function byKey(objects: readonly ObjectToDelete[]): number[][] {
  const indexes = new Map<string, number[]>();
  for (const [index, { key }] of objects.entries()) {
    const same = indexes.get(key);
    if (same === undefined) indexes.set(key, [index]);
    else same.push(index);
  }
  return [...indexes.values()];
}

async function outcomeOf(
  object: Omit<ObjectToDelete, 'ifMatch'>,
  remove: () => ReturnType<ObjectStore['deleteObject']>,
): Promise<Outcome> {
  try {
    const { versionId, deleteMarker } = await remove();
    const marker = deleteMarker ? { deleteMarker, deleteMarkerVersionId: versionId } : {};
    return { deleted: defined({ ...object, ...marker }) };
  } catch (error) {
    if (!isStorageError(error) || error.code === 'InternalError') throw error;
    const message = error.message || ERROR_TABLE[error.code].text;
    return { failed: { ...object, code: error.code, message } };
  }
}
