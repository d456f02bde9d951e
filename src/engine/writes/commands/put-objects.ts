/** Puts many objects in one transaction, each with the checks, the step limit and the outcome of a put of its own. */

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
 * Puts objects and returns the outcomes of the first ones, at least one. Ends early when policy evaluation has taken the
 * steps of a group, so that other commands can run before the remaining objects. Throws `NoSuchBucket`.
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
 * Puts one object and returns its result or refusal. An object is refused before its first write, so that no rollback is
 * needed.
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
