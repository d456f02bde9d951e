/**
 * Waits until all promises are settled, and then throws the first error, if any. When the caller gets the error, no
 * work is in progress any more.
 */
export async function allDone<const T extends readonly unknown[]>(
  work: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
