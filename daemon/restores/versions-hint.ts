/**
 * Returns a hint for a path that does not exist at the requested time: the command that lists its versions.
 */

import { LOCAL_TARGET } from '../../src/control/local-target.ts';
import type { RestorableJob } from './restores.ts';

export interface AskedPath {
  /** The path below the job's folder. Absent for the whole folder. */
  readonly path?: string | undefined;
  /** The requested time in milliseconds since 1970. Absent for the current time. */
  readonly at?: number | undefined;
}

export function versionsHint(
  { config: { name, bucket, prefix, target } }: Pick<RestorableJob, 'config'>,
  { path = '', at }: AskedPath,
): string {
  const place = `${bucket}/${prefix}${path.slice(0, path.lastIndexOf('/') + 1)}`;
  const where = target === LOCAL_TARGET ? '' : ` --target ${target}`;
  const wanted = path === '' ? name : `'${name}/${path}'`;
  const then =
    at === undefined
      ? `; to restore it as it was: holdfast restore ${wanted} --at TIME --to DIR`
      : '';
  return `to list the stored versions and their dates: holdfast s3 versions '${place}'${where}${then}`;
}
