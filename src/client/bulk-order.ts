/**
 * Sorts the results of a bulk delete into request order, because Ceph RGW returns them in
 * completion order.
 */

import type {
  DeleteObjectsRequest,
  DeleteObjectsResult,
  ObjectToDelete,
} from '../object-store/bulk-delete.ts';

export function inAskedOrder(
  { objects }: DeleteObjectsRequest,
  { deleted, failed }: DeleteObjectsResult,
): DeleteObjectsResult {
  const placeOf = new Map<string, number>();
  for (const [place, each] of objects.entries()) {
    if (!placeOf.has(nameOf(each))) placeOf.set(nameOf(each), place);
  }
  const place = (each: ObjectToDelete) => placeOf.get(nameOf(each)) ?? objects.length;
  const sorted = <T extends ObjectToDelete>(outcomes: readonly T[]) =>
    outcomes.toSorted((one, other) => place(one) - place(other));
  return { deleted: sorted(deleted), failed: sorted(failed) };
}

function nameOf({ key, versionId }: ObjectToDelete): string {
  return JSON.stringify([key, versionId]);
}
