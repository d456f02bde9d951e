/**
 * Composes and splits job names. For example, the additional target `eu` of the job `photos` is the job `photos@eu`.
 */

/** Returns the job name for an additional target of a job. Names that users choose cannot contain `@`. */
export function nameAt(job: string, target: string): string {
  return `${job}@${target}`;
}

/** Splits the name of a job that is an additional target, such as `photos@eu`. Returns undefined for any other job. */
export function partsOfName(
  name: string,
): { readonly job: string; readonly target: string } | undefined {
  const at = name.indexOf('@');
  return at < 0 ? undefined : { job: name.slice(0, at), target: name.slice(at + 1) };
}

/** Returns whether `name` is the name of an additional target of the job. */
export function isTargetOf(job: string, name: string): boolean {
  return partsOfName(name)?.job === job;
}
