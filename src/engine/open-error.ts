/** Why a store could not be opened. Nothing was changed. */

import { errorCode } from '../base/errors.ts';
import { isFull } from './refusals.ts';

export type OpenStoreErrorCode =
  | 'StoreInUse'
  | 'NewerStore'
  | 'OlderStore'
  | 'NotAStore'
  | 'ExchangedMetadata'
  | 'DiskFull';

export class OpenStoreError extends Error {
  override readonly name = 'OpenStoreError';
  readonly code: OpenStoreErrorCode;

  constructor(code: OpenStoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** SQLite speaks of a database that is full, or even of a failing disk, and names neither. */
export function whyNotOpened(root: string, error: unknown): unknown {
  const code = errorCode(error) ?? '';
  if (!isFull(error) && code !== 'ENOSPC' && code !== 'EDQUOT') return error;
  return new OpenStoreError(
    'DiskFull',
    `open store ${root}: its disk is full; make room there, then start again`,
    { cause: error },
  );
}
