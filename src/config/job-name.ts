/** Names of jobs: `photos`, and `photos@eu` for another target of it. */

/** A name that somebody gives is without `@`. */
export function nameAt(job: string, target: string): string {
  return `${job}@${target}`;
}

/** The job in whose entry a target stands, and the target; undefined for a job with an entry of its own. */
export function partsOfName(
  name: string,
): { readonly job: string; readonly target: string } | undefined {
  const at = name.indexOf('@');
  return at < 0 ? undefined : { job: name.slice(0, at), target: name.slice(at + 1) };
}

/** Whether it is the name of another target of this job. */
export function isTargetOf(job: string, name: string): boolean {
  return partsOfName(name)?.job === job;
}
