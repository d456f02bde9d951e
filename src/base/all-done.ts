/** Waits until all promises are settled. Then throws the first error, so that no work continues after a failure. */
export async function allDone<const T extends readonly unknown[]>(
  work: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
