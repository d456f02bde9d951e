/** Opens the restore browser for a job, for an object key in the job's bucket, or for a typed path. */

import type { Ui } from '../../ui/ui.ts';
import type { ObjectPlace } from '../../data/place.ts';
import { RestoreScreen } from './restore-screen.ts';
import { parentOf } from '../../data/place.ts';
import type { Subject } from './subject.ts';

/**
 * Opens the restore browser for a job. `path` is relative to the job's folder, or is an absolute path in this folder.
 * Without `at`, the browser shows the current state. Throws if the job does not exist.
 */
export function openRestore(ui: Ui, name: string, path = '', at?: number): void {
  const job = ui.status.job(name);
  if (!job) throw new Error(`restore ${name}: the job does not exist`);
  const isAbsolute = `${path}/`.startsWith(`${job.folder}/`);
  const below = (isAbsolute ? path.slice(job.folder.length) : path).replaceAll(/^\/+|\/+$/g, '');
  const folder = below === '' ? '' : `${below}/`;
  ui.router.open(new RestoreScreen(ui, { job, path: folder }, at));
}

/** Opens the folder that contains the file for an object key. Throws if no job backs up to the key. */
export function openRestoreOfKey(ui: Ui, place: ObjectPlace, at?: number): void {
  const file = fileOfKey(ui, place);
  if (!file)
    throw new Error(
      `restore ${place.key}: no job backs up to it; save a version to a file instead`,
    );
  openRestore(ui, file.job.name, parentOf(file.path), at);
}

/** Holdfast's own objects in a job's prefix are below this name. They are not files of the job's folder. */
const OWN_FOLDER = '.holdfast/';

/** Returns the file that a job backs up to the key, or undefined if no job does. */
export function fileOfKey(ui: Ui, { target, bucket, key }: ObjectPlace): Subject | undefined {
  const job = ui.status.jobs.find((each) => {
    return each.target === target && each.bucket === bucket && key.startsWith(each.prefix);
  });
  const path = key.slice(job?.prefix.length);
  return job && !path.startsWith(OWN_FOLDER) ? { job, path } : undefined;
}
