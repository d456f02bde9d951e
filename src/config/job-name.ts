/** Composes and splits the names of jobs: `photos`, and `photos@eu` for a further target of that job. */

/** Returns the name of a job's further target. Names that users choose contain no `@`. */
export function nameAt(job: string, target: string): string {
  return `${job}@${target}`;
}

/**
 * Returns the job whose entry contains a further target, and that target; undefined for a job with an entry of its own.
 */
export function partsOfName(
  name: string,
): { readonly job: string; readonly target: string } | undefined {
  const at = name.indexOf('@');
  return at < 0 ? undefined : { job: name.slice(0, at), target: name.slice(at + 1) };
}

/** Returns whether the name is that of a further target of the job. */
export function isTargetOf(job: string, name: string): boolean {
  return partsOfName(name)?.job === job;
}
