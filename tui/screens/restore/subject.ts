/** Converts a path of a job to the parameters of the daemon's methods. */

import type { JobStatus } from '../../../src/control/shapes.ts';
import { parentOf } from '../../data/place.ts';

/** A folder of a job. `path` is relative to the job's folder. It is empty or ends with `/`. */
export interface Subject {
  readonly job: Pick<JobStatus, 'name' | 'folder' | 'bucket' | 'prefix' | 'target'>;
  readonly path: string;
}

/**
 * Returns the parameters for a path of a job. `path` is relative to the job's folder, and is empty for the whole
 * folder. The path of a folder may end with `/`.
 */
export function subjectOf(
  { name, folder }: Pick<JobStatus, 'name' | 'folder'>,
  path: string,
): { readonly job: string; readonly path?: string } {
  const below = path.replace(/\/$/, '');
  if (below === '') return { job: name };
  // A folder with several targets has one job per target, so the path alone does not identify the job.
  if (name.includes('@')) return { job: `${name}/${below}` };
  const absolute = absoluteOf(folder, below);
  return { job: absolute, path: absolute };
}

export function absoluteOf(folder: string, path: string): string {
  const below = path.replace(/\/$/, '');
  if (below === '') return folder;
  return `${folder === '/' ? '' : folder}/${below}`;
}

/** Returns the last component of a path. The name of a folder keeps its `/`. */
export function nameOf(path: string): string {
  return path.slice(parentOf(path).length);
}
