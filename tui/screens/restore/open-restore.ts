/** The way to the restore browser: from a job, from a key of its bucket, and by what is typed. */

import type { Ui } from '../../ui/ui.ts';
import type { ObjectPlace } from '../../data/place.ts';
import { RestoreScreen } from './restore-screen.ts';
import { parentOf } from '../../data/place.ts';
import type { Subject } from './subject.ts';

/** `path` is below the job's folder, or absolute in it. Throws if the job does not exist. `at` absent: as it is now. */
export function openRestore(ui: Ui, name: string, path = '', at?: number): void {
  const job = ui.status.job(name);
  if (!job) throw new Error(`restore ${name}: the job does not exist`);
  const isAbsolute = `${path}/`.startsWith(`${job.folder}/`);
  const below = (isAbsolute ? path.slice(job.folder.length) : path).replaceAll(/^\/+|\/+$/g, '');
  const folder = below === '' ? '' : `${below}/`;
  ui.router.open(new RestoreScreen(ui, { job, path: folder }, at));
}

/** The folder that a key is in, where a job mirrors to it. Throws when none does. */
export function openRestoreOfKey(ui: Ui, place: ObjectPlace, at?: number): void {
  const file = fileOfKey(ui, place);
  if (!file)
    throw new Error(`restore ${place.key}: no job mirrors to it; save a version to a file instead`);
  openRestore(ui, file.job.name, parentOf(file.path), at);
}

/** Keys below this name in a job's prefix are not files of its folder. */
const OWN_FOLDER = '.holdfast/';

/** The file that a job mirrors to a key; undefined if there is none. */
export function fileOfKey(ui: Ui, { target, bucket, key }: ObjectPlace): Subject | undefined {
  const job = ui.status.jobs.find((each) => {
    return each.target === target && each.bucket === bucket && key.startsWith(each.prefix);
  });
  const path = key.slice(job?.prefix.length);
  return job && !path.startsWith(OWN_FOLDER) ? { job, path } : undefined;
}
