/**
 * Describes the state of a job in a few words. The commands, the plain output mode and the dashboard show the same
 * text.
 */

import type { JobStatus } from './shapes.ts';

/** Formats a count and its noun, such as `5,012 files`. */
type CountWords = (count: number, noun: string) => string;

/**
 * Returns the state of a job as text, such as `in sync`, `in sync except for 3 conflicts` or
 * `degraded: 1 damaged version`.
 */
export function standingText(job: JobStatus, countWords: CountWords): string {
  if (job.state !== 'watching') return job.state;
  const but = exceptionsOf(job, countWords);
  if ((job.proof?.damaged ?? 0) > 0) return `degraded: ${but.join(', ')}`;
  if (but.length > 0) return `in sync except for ${but.join(', ')}`;
  return job.inSync ? 'in sync' : job.state;
}

/** Returns the counts of all differences between folder and bucket that the job does not resolve by itself. */
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
    [brake?.rejectedDeletes ?? 0, 'rejected delete'],
    [locks?.deferred ?? 0, 'deferred change'],
    [problems - damaged, 'problem'],
    [acknowledged, 'acknowledged problem'],
  ];
  return parts.flatMap(([count, noun]) => (count > 0 ? [countWords(count, noun)] : []));
}

/** Returns how many files are only in the bucket after rejected deletes. Returns undefined if there are none. */
export function onlyInBucketText(
  jobs: readonly Pick<JobStatus, 'brake'>[],
  countWords: CountWords,
): string | undefined {
  const count = jobs.reduce((sum, { brake }) => sum + (brake?.rejectedDeletes ?? 0), 0);
  if (count === 0) return undefined;
  const [are, their] = count === 1 ? ['is', 'its'] : ['are', 'their'];
  return `${countWords(count, 'file')} ${are} only in the bucket, because ${their} deletion was rejected`;
}

/** Returns whether no change is pending and the user does not have to act. */
export function isWhollyInSync(job: JobStatus): boolean {
  return job.inSync && exceptionsOf(job, String).length === 0;
}

/**
 * Returns the command that shows what the user must decide before the job can continue. Returns undefined if no
 * decision is needed.
 */
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

/** Returns a sentence with the commands that fix the state of the job. Returns undefined if no command is needed. */
export function nextStep(job: JobStatus): string | undefined {
  if (job.state === 'root missing') {
    const way = `holdfast restore ${job.name} --in-place`;
    return (
      `${keptText(job)}; mount its disk, or restore it: \`${way}${atBefore(job)}\`; ` +
      `only if the folder is correct as it is: \`holdfast job accept-root ${job.name}\``
    );
  }
  const command = nextCommand(job);
  if (command === undefined) return undefined;
  const isReview = command.startsWith('holdfast job review');
  return `see \`${command}\`${isReview ? ', then `job approve` or `job reject` it' : ''}`;
}

/**
 * Describes what was deleted in the bucket before the folder was found missing. If files disappeared slowly from the
 * folder, the job may have mirrored the first deletes.
 */
function keptText({ passed }: JobStatus): string {
  if (passed === undefined) return 'nothing is deleted in the bucket';
  const count = passed.deletes === 1 ? '1 delete was' : `${passed.deletes} deletes were`;
  return `${count} mirrored in the 10 minutes before; nothing else is deleted in the bucket`;
}

function atBefore({ passed }: JobStatus): string {
  return passed === undefined ? '' : ` --at ${new Date(passed.before).toISOString()}`;
}
