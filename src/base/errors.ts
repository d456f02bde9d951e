/** Programmer errors and the questions that every layer asks of an unknown error. */

/** A broken assumption of ours. Nobody catches it but `main`. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}

/** Whether `error` is a cancellation, which passes through every layer untouched. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** The `code` of a system error (`ENOENT`, `ENOSPC`, …), if it has one. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether SQLite could not read the file as a database: pages of it are damaged, or it is not a database. */
export function isDamagedDatabase(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(errorCode(error) ?? '');
}

/** A file of a later release: nothing is wrong here but the program. */
export class NewerFormatError extends Error {
  override readonly name = 'NewerFormatError';
  readonly code = 'NewerFormat';
}
