/** What jobs do about a change that somebody makes by hand in the bucket that they mirror a folder into. */

import type { JobStatus } from '../../src/control/shapes.ts';
import type { Ui } from '../ui/ui.ts';
import type { BucketPlace, ObjectPlace } from '../data/place.ts';
import { shortPath } from '../text/home-path.ts';

/** Below a job's prefix, and no file of its folder. */
const OWN_FOLDER = '.holdfast/';

/** `keys`: of objects, and prefixes of folders. */
export function deletionFacts(ui: Ui, place: BucketPlace, keys: readonly string[]): string[] {
  return jobsOf(ui, place, keys).map((job) => {
    const own = job.prefix + OWN_FOLDER;
    if (keys.every((key) => key.startsWith(own)))
      return `Job ${ui.look.name(job.name)} keeps its own there: its claim of the place, and what gave way to others.`;
    return `${mirrorText(ui, job)}: what is still in that folder the job brings back when it next lists the bucket, within a day. To have it gone, delete the file.`;
  });
}

/** Where the current version becomes another one than the file. */
export async function differenceFacts(ui: Ui, place: ObjectPlace): Promise<string[]> {
  const jobs = jobsOf(ui, place, [place.key]);
  return Promise.all(
    jobs.map(async (job) => `${mirrorText(ui, job)}: ${REACTIONS[await driftPolicy(ui, job)]}`),
  );
}

const REACTIONS = {
  report: 'the file there stays as it is, and the job says that the object drifted.',
  enforce: 'the file there stays as it is, and the job puts it on top again (drift: enforce).',
} as const;

async function driftPolicy(ui: Ui, { name }: JobStatus): Promise<keyof typeof REACTIONS> {
  const { settings, defaults } = await ui.call('jobs.get', { name });
  return (settings['drift'] ?? defaults['drift']) === 'enforce' ? 'enforce' : 'report';
}

function mirrorText({ look, outside }: Ui, { name, folder }: JobStatus): string {
  return `Job ${look.name(name)} mirrors ${look.name(shortPath(folder, outside.userHome))} here`;
}

function jobsOf(ui: Ui, { target, bucket }: BucketPlace, keys: readonly string[]): JobStatus[] {
  return ui.status.jobs.filter(
    (job) =>
      job.target === target &&
      job.bucket === bucket &&
      keys.some(
        (key) => key.startsWith(job.prefix) || (isFolder(key) && job.prefix.startsWith(key)),
      ),
  );
}

function isFolder(key: string): boolean {
  return key.endsWith('/');
}
