/** Returns a hint for a path that is not stored at the requested time: the command that lists its versions. */

import { LOCAL_TARGET } from '../../src/control/local-target.ts';
import type { RestorableJob } from './restores.ts';

export interface AskedPath {
  /** Path below the job's folder. Absent for the whole folder. */
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
  const then = at === undefined ? '; to restore deleted files, use restore --at TIME' : '';
  return `to list the stored versions and their dates: holdfast s3 versions '${place}'${where}${then}`;
}
