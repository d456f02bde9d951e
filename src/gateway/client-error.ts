/** Converts any error of a request to the error that the client receives. The gateway and the websites both use it. */

import { errorMessage } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { StorageError } from '../object-store/storage-error.ts';
import { ERROR_TABLE } from '../protocol/error-table.ts';

interface FailedRequest {
  readonly requestId: string;
  readonly operation?: string | undefined;
  readonly bucket?: string | undefined;
}

/**
 * Returns the error for the client. Logs an unexpected error and returns `InternalError` instead, because the text of
 * the error could contain file names of this machine.
 */
export function clientError(error: unknown, request: FailedRequest, logger: Logger): StorageError {
  if (error instanceof StorageError && error.code !== 'InternalError') return error;
  const stack = error instanceof Error ? error.stack : undefined;
  logger.error({ ...request, error: errorMessage(error), stack }, 'request failed');
  return new StorageError('InternalError', ERROR_TABLE.InternalError.text);
}
