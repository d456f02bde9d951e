/** Where a path of a job is not stored as it was asked for: the command that lists what is stored. */

import { LOCAL_TARGET } from '../src/control/methods/target.ts';
import type { RestorableJob } from './restores.ts';

export interface AskedPath {
  /** Below the job's folder; absent for all of it. */
  readonly path?: string | undefined;
  /** Milliseconds since 1970; absent for now. */
  readonly at?: number | undefined;
}

export function versionsHint(
  { config: { bucket, prefix, target } }: Pick<RestorableJob, 'config'>,
  { path = '', at }: AskedPath,
): string {
  const place = `${bucket}/${prefix}${path.slice(0, path.lastIndexOf('/') + 1)}`;
  const where = target === LOCAL_TARGET ? '' : ` --target ${target}`;
  const then = at === undefined ? '; restore --at TIME brings deleted files back' : '';
  return `to list what is stored, and since when: holdfast s3 versions '${place}'${where}${then}`;
}
