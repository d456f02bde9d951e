/** Reports that a command found no object or version below its prefix. */

import { CommandError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import type { Place } from '../../arguments/thing.ts';
import { shellWord, visible } from '../../output/text.ts';

export interface Sought {
  readonly place: Place;
  /** The verb for the message, such as `copy` in `cannot copy`. */
  readonly goal: string;
  readonly noun?: 'object' | 'version';
}

/**
 * Prints a remark for an empty bucket. Throws CommandError `NotFound` for a prefix, because it is probably
 * misspelled.
 */
export async function foundNothing(
  context: Context,
  { place: { bucket, key }, goal, noun = 'object' }: Sought,
): Promise<void> {
  if (key === '') {
    return context.remark(visible(`nothing to ${goal}: bucket ${bucket} holds no ${noun}s`));
  }
  throw new CommandError(
    'NotFound',
    `cannot ${goal} ${bucket}/${key}: no ${noun} has that prefix`,
    `to list what exists: holdfast s3 ls ${shellWord(bucket)}`,
  );
}
