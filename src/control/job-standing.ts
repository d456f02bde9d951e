/** How a job stands in a few words, the same wherever it is told: by the commands, in plain mode and in the dashboard. */

import type { JobStatus } from './shapes.ts';

/** `5,012 files`, or as the reader writes numbers. */
type CountWords = (count: number, noun: string) => string;

/** `in sync`, `in sync but for 3 conflicts`, or the state while it works or waits. */
export function standingText(job: JobStatus, countWords: CountWords): string {
  if (job.state !== 'watching') return job.state;
  const but = exceptionsOf(job, countWords);
  if (but.length > 0) return `in sync but for ${but.join(', ')}`;
  return job.inSync ? 'in sync' : job.state;
}

/** What differs from the bucket, or may, and is no work that is left to the job. */
export function exceptionsOf(
  { counts, brake, locks }: JobStatus,
  countWords: CountWords,
): readonly string[] {
  const { conflicts, held, heldConflicts = 0, drifted, problems } = counts;
  const parts: readonly (readonly [number, string])[] = [
    [conflicts, 'conflict'],
    [held - heldConflicts, 'held change'],
    [drifted, 'drifted object'],
    [brake?.rejectedOverwrites ?? 0, 'rejected change'],
    [locks?.deferred ?? 0, 'deferred change'],
    [problems, 'problem'],
  ];
  return parts.flatMap(([count, noun]) => (count > 0 ? [countWords(count, noun)] : []));
}

/** Nothing is left to do, and nothing for a person to look at. */
export function isWhollyInSync(job: JobStatus): boolean {
  return job.inSync && exceptionsOf(job, String).length === 0;
}

/** What a person who has only commands can do about a job that waits for one; undefined where nothing waits. */
export function nextStep({ name, state, counts, brake }: JobStatus): string | undefined {
  if (state === 'root missing')
    return `if the folder is right as it is: \`holdfast jobs accept-root ${name}\``;
  const isHeld = state === 'held' || brake?.alarmSince !== undefined;
  if (!isHeld && counts.conflicts > 0) return `see \`holdfast conflicts list ${name}\``;
  if (isHeld || counts.held > 0)
    return `see \`holdfast jobs review ${name}\`, then \`jobs approve\` or \`jobs reject\` it`;
  return undefined;
}
