/** Finds the version of a file that is a given number of versions before the current version. */

import { ControlError } from '../../src/control/control-error.ts';
import { versionsOfFile } from '../../src/mirror/objects/key-history.ts';
import type { ListedVersion } from '../../src/object-store/listing.ts';
import type { RestorableJob, Restores } from './restores.ts';
import { versionsHint } from './versions-hint.ts';

export interface AskedVersion {
  readonly job: RestorableJob;
  /** The path of the file below the job's folder. */
  readonly path: string | undefined;
  /** The number of versions before the current version. Delete markers count. */
  readonly versionsBack: number;
}

/**
 * Returns the version. Rejects with ControlError `BadRequest` for a whole job, and if the bucket also contains a file
 * named `PATH~N`. Rejects with `NotFound` if the version does not exist or is a delete marker.
 */
export async function findEarlierVersion(
  restores: Restores,
  { job, path, versionsBack }: AskedVersion,
  signal: AbortSignal,
): Promise<ListedVersion> {
  const name = `${path ?? job.config.name}~${versionsBack}`;
  if (path === undefined)
    throw new ControlError('BadRequest', `cannot read ${name}: a whole job has no versions`);
  const versionsOf = (file: string) =>
    versionsOfFile({ ...restores.selection(job, file), path: file, signal });
  if ((await versionsOf(name)).length > 0)
    throw new ControlError('BadRequest', `"${name}" is both a name and a version of ${path}`, {
      hint: `for the file with this exact name: ${name}~0; for the earlier version: ${path} with the option --at`,
    });
  const versions = await versionsOf(path);
  const version = versions[versionsBack];
  if (version?.kind === 'version') return version;
  const why = version
    ? `it is a delete marker of ${new Date(version.lastModifiedAt).toLocaleString('sv-SE')}`
    : `the number of its versions, delete markers included, is ${versions.length}`;
  throw new ControlError('NotFound', `cannot read ${name}: ${why}`, {
    hint: versionsHint(job, { path, at: 0 }),
  });
}
