/** Defines the error for defects of Holdfast, and functions that classify unknown errors. */

/** A broken invariant, that is, a defect of Holdfast. Only `main` catches this error. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}

/** Returns whether the error is a cancellation. All code must rethrow cancellations unchanged. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** Returns the `code` of an error (`ENOENT`, `SQLITE_BUSY`, …), or undefined if the error has none. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns whether SQLite failed because pages of a database are damaged or the file is not a database. */
export function isDamagedDatabase(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(errorCode(error) ?? '');
}

/** A newer release of Holdfast wrote the file. The file is not damaged. */
export class NewerFormatError extends Error {
  override readonly name = 'NewerFormatError';
  readonly code = 'NewerFormat';
}
