/** Programmer errors, and checks of unknown errors that all layers share. */

/** A broken invariant, which is a defect of Holdfast. Only `main` catches it. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}

/** Returns whether `error` is a cancellation, which every layer passes on unchanged. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** Returns the `code` of an error (`ENOENT`, `SQLITE_BUSY`, …), if it has one. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns whether SQLite could not read a database because its pages are damaged or the file is not a database. */
export function isDamagedDatabase(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(errorCode(error) ?? '');
}

/** The file has the format of a newer release. The file is not damaged. */
export class NewerFormatError extends Error {
  override readonly name = 'NewerFormatError';
  readonly code = 'NewerFormat';
}
