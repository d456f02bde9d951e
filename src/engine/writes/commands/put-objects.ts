/**
 * Puts many objects in one transaction. Each object has the same checks, step limit and outcome as in a separate put.
 */

import { isStorageError } from '../../../object-store/storage-error.ts';
import type { CommandContext, PutObjects, PutOutcome } from './commands.ts';
import { unpacked } from './packed-objects.ts';
import { GROUP_STEPS, limitCommand, policySteps } from '../../access/policy-meter.ts';
import { refusalOf } from '../../disk/refusals.ts';
import type { BucketRow } from '../../schema/rows.ts';
import type { WriteTables } from '../tables/write-tables.ts';
import { type CheckedObject, checkObject, type NewObject, writeObject } from './put-object.ts';
import { existingBucket } from './put-version.ts';

/**
 * Puts objects, and returns the outcomes of those that were put, which is at least the first object. Ends early when
 * policy evaluation has taken the steps of a group, so that other commands can run before the remaining objects. Throws
 * `NoSuchBucket`.
 */
export function putObjects(
  tables: WriteTables,
  request: PutObjects,
  context: CommandContext,
): readonly PutOutcome[] {
  const bucket = existingBucket(tables, request.bucket);
  const stepsBefore = policySteps();
  const outcomes: PutOutcome[] = [];
  for (const object of unpacked(request)) {
    if (outcomes.length > 0 && policySteps() - stepsBefore >= GROUP_STEPS) break;
    outcomes.push(limitCommand(() => outcomeOf(tables, bucket, object, context)));
  }
  return outcomes;
}

/**
 * Puts one object and returns its result or its refusal. A refused object needs no rollback, because all checks precede
 * the first write.
 */
function outcomeOf(
  tables: WriteTables,
  bucket: BucketRow,
  object: NewObject,
  context: CommandContext,
): PutOutcome {
  let checked: CheckedObject;
  try {
    checked = checkObject(tables, bucket, object, context);
  } catch (error) {
    if (!isStorageError(error)) throw error;
    return refusalOf(error);
  }
  return writeObject(tables, checked);
}
