/** Describes a restore that found no objects. */

import { defined } from '../base/defined.ts';
import { MirrorError } from '../mirror/model/mirror-error.ts';
import type { RestoreOptions } from './restore-options.ts';

export type NothingStored = Pick<
  RestoreOptions,
  'bucket' | 'prefix' | 'path' | 'at' | 'hintOfNothing'
>;

/**
 * Returns the error for a restore without objects. An empty mirrored folder has its own object, and a whole job has its
 * ownership marker, so neither of them causes this error.
 */
export async function nothingStored(options: NothingStored): Promise<MirrorError> {
  const { bucket, prefix, path = '', at, hintOfNothing } = options;
  const verb = at === undefined ? 'is' : 'was';
  const then = at === undefined ? '' : ' at that time';
  const message = `nothing to restore: no object ${verb} stored at ${bucket}/${prefix}${path}${then}`;
  return new MirrorError('NothingToRestore', message, defined({ hint: await hintOfNothing?.() }));
}
