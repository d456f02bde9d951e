/** How a job stands in a few words, the same wherever it is told: by the commands, in plain mode and in the dashboard. */

import type { JobStatus } from './shapes.ts';

/** `5,012 files`, or as the reader writes numbers. */
type CountWords = (count: number, noun: string) => string;

/** `in sync`, `in sync but for 3 conflicts`, `degraded: 1 damaged version`, or the state while it works or waits. */
export function standingText(job: JobStatus, countWords: CountWords): string {
  if (job.state !== 'watching') return job.state;
  const but = exceptionsOf(job, countWords);
  if ((job.proof?.damaged ?? 0) > 0) return `degraded: ${but.join(', ')}`;
  if (but.length > 0) return `in sync but for ${but.join(', ')}`;
  return job.inSync ? 'in sync' : job.state;
}

/** What differs from the bucket, or may, and is no work that is left to the job. */
export function exceptionsOf(
  { counts, brake, locks, proof }: JobStatus,
  countWords: CountWords,
): readonly string[] {
  const { conflicts, held, heldConflicts = 0, drifted, problems, acknowledged = 0 } = counts;
  const damaged = proof?.damaged ?? 0;
  const parts: readonly (readonly [number, string])[] = [
    [damaged, 'damaged version'],
    [conflicts, 'conflict'],
    [held - heldConflicts, 'held change'],
    [drifted, 'drifted object'],
    [brake?.rejectedOverwrites ?? 0, 'rejected change'],
    [locks?.deferred ?? 0, 'deferred change'],
    [problems - damaged, 'problem'],
    [acknowledged, 'acknowledged problem'],
  ];
  return parts.flatMap(([count, noun]) => (count > 0 ? [countWords(count, noun)] : []));
}

/** Nothing is left to do, and nothing for a person to look at. */
export function isWhollyInSync(job: JobStatus): boolean {
  return job.inSync && exceptionsOf(job, String).length === 0;
}

/** The command that tells a person more of a job that waits for one; undefined where nothing does. */
export function nextCommand({
  name,
  state,
  counts,
  brake,
}: Pick<JobStatus, 'name' | 'state' | 'counts' | 'brake'>): string | undefined {
  if (state === 'root missing') return undefined;
  const isHeld = state === 'held' || brake?.alarmSince !== undefined;
  if (!isHeld && counts.conflicts > 0) return `holdfast conflict list ${name}`;
  return isHeld || counts.held > 0 ? `holdfast job review ${name}` : undefined;
}

/** What can be done about such a job by commands, in words. */
export function nextStep(job: JobStatus): string | undefined {
  if (job.state === 'root missing') {
    const way = `holdfast restore ${job.name} --in-place`;
    return (
      `${keptText(job)}; mount its disk, or write it back: \`${way}${atBefore(job)}\`; ` +
      `only if the folder is right as it is: \`holdfast job accept-root ${job.name}\``
    );
  }
  const command = nextCommand(job);
  if (command === undefined) return undefined;
  const isReview = command.startsWith('holdfast job review');
  return `see \`${command}\`${isReview ? ', then `job approve` or `job reject` it' : ''}`;
}

/** Of a folder that is missing. It may have been emptied so slowly that the first files seemed to be deleted one by one. */
function keptText({ passed }: JobStatus): string {
  if (passed === undefined) return 'nothing is deleted in the bucket';
  const count = passed.deletes === 1 ? '1 delete was' : `${passed.deletes} deletes were`;
  return `${count} mirrored in the 10 minutes before, and nothing more is deleted in the bucket`;
}

function atBefore({ passed }: JobStatus): string {
  return passed === undefined ? '' : ` --at ${new Date(passed.before).toISOString()}`;
}
