/** What a command on all objects below a prefix does where there are none. */

import { CommandError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import type { Place } from '../../arguments/place.ts';
import { shellWord, visible } from '../../output/text.ts';

export interface Sought {
  readonly place: Place;
  /** What was to be done, as in `cannot copy`. */
  readonly goal: string;
  readonly noun?: 'object' | 'version';
}

/** An empty bucket is an answer. A prefix that no key has is a mistake: throws CommandError `NotFound`. */
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
