/** Describes how jobs react when the user changes objects in a bucket that these jobs back up to. */

import type { JobStatus } from '../../src/control/shapes.ts';
import type { Ui } from '../ui/ui.ts';
import type { BucketPlace, ObjectPlace } from '../data/place.ts';
import { shortPath } from '../text/home-path.ts';

/** Holdfast's own objects in a job's prefix are below this name. They are not files of the job's folder. */
const OWN_FOLDER = '.holdfast/';

/** Returns how jobs react to a deletion. `keys` contains object keys and folder prefixes. */
export function deletionFacts(ui: Ui, place: BucketPlace, keys: readonly string[]): string[] {
  return jobsOf(ui, place, keys).map((job) => {
    const own = job.prefix + OWN_FOLDER;
    if (keys.every((key) => key.startsWith(own)))
      return `Job ${ui.look.name(job.name)} keeps its ownership marker and replaced files there.`;
    return `${mirrorText(ui, job)}: the job uploads files that still exist there again when it next lists the bucket, within a day. To delete them for good, delete the files.`;
  });
}

/** Returns how jobs react to a change after which the current version differs from the local file. */
export async function differenceFacts(ui: Ui, place: ObjectPlace): Promise<string[]> {
  const jobs = jobsOf(ui, place, [place.key]);
  return Promise.all(
    jobs.map(async (job) => `${mirrorText(ui, job)}: ${REACTIONS[await driftPolicy(ui, job)]}`),
  );
}

const REACTIONS = {
  report: 'the file there does not change, and the job reports that the object drifted.',
  enforce: 'the file there does not change, and the job uploads it again (drift: enforce).',
} as const;

async function driftPolicy(ui: Ui, { name }: JobStatus): Promise<keyof typeof REACTIONS> {
  const { settings, defaults } = await ui.call('jobs.get', { name });
  return (settings['drift'] ?? defaults['drift']) === 'enforce' ? 'enforce' : 'report';
}

/** Returns how jobs react when deleted objects become current again. */
export function restoredObjectFacts(ui: Ui, place: BucketPlace, keys: readonly string[]): string[] {
  return jobsOf(ui, place, keys).map(
    (job) =>
      `${mirrorText(ui, job)}: the files there are not restored. To restore them, too, open the folder at an earlier time (t in screen 3).`,
  );
}

function mirrorText({ look, outside }: Ui, { name, folder }: JobStatus): string {
  return `Job ${look.name(name)} backs up ${look.name(shortPath(folder, outside.userHome))} here`;
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
