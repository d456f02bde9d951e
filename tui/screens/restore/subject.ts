/** What of a job is meant, as the daemon's methods take it. */

import type { JobStatus } from '../../../src/control/shapes.ts';
import { parentOf } from '../../data/place.ts';

/** A folder of a job: `path` is below the job's, and empty or ends in `/`. */
export interface Subject {
  readonly job: Pick<JobStatus, 'name' | 'folder' | 'bucket' | 'prefix' | 'target'>;
  readonly path: string;
}

/** `path` is below the job's folder, empty for all of it; that of a folder may end in `/`. */
export function subjectOf(
  { name, folder }: Pick<JobStatus, 'name' | 'folder'>,
  path: string,
): { readonly job: string; readonly path?: string } {
  const below = path.replace(/\/$/, '');
  if (below === '') return { job: name };
  // A folder that goes to several targets has a job for each: there the name says which.
  if (name.includes('@')) return { job: `${name}/${below}` };
  const absolute = absoluteOf(folder, below);
  return { job: absolute, path: absolute };
}

export function absoluteOf(folder: string, path: string): string {
  const below = path.replace(/\/$/, '');
  if (below === '') return folder;
  return `${folder === '/' ? '' : folder}/${below}`;
}

/** The last name of a path; a folder's keeps its `/`. */
export function nameOf(path: string): string {
  return path.slice(parentOf(path).length);
}
