/** Defines the errors of a store that cannot be opened. */

import { errorCode, isDamagedDatabase } from '../../base/errors.ts';
import { isUnreadable } from './metadata-damage.ts';
import { isOutOfSpace } from './refusals.ts';
import { ROOM_FOR_OPENING } from './disk-space.ts';

export type OpenStoreErrorCode =
  | 'StoreInUse'
  | 'NewerStore'
  | 'OlderStore'
  | 'NotAStore'
  | 'ExchangedMetadata'
  | 'DamagedMetadata'
  | 'DiskFull'
  | 'ReadOnlyDisk';

export class OpenStoreError extends Error {
  override readonly name = 'OpenStoreError';
  readonly code: OpenStoreErrorCode;

  constructor(code: OpenStoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Returns an `OpenStoreError` for a full disk, a read-only disk or a damaged database, because an SQLite error mentions
 * neither the disk nor the store. Returns any other error unchanged.
 */
export function whyNotOpened(root: string, error: unknown): unknown {
  if (isOutOfSpace(error)) {
    return new OpenStoreError(
      'DiskFull',
      `open store ${root}: its disk is full; free ${ROOM_FOR_OPENING / 1024 ** 2} MiB there or more, then start again`,
      { cause: error },
    );
  }
  if (isDamagedDatabase(error) || isUnreadable(error)) return damagedMetadata(root, error);
  const code = errorCode(error) ?? '';
  if (code !== 'EROFS' && !code.startsWith('SQLITE_READONLY')) return error;
  return new OpenStoreError(
    'ReadOnlyDisk',
    `open store ${root}: its disk is mounted read-only; mount it writable, or copy the whole folder to another disk`,
    { cause: error },
  );
}

function damagedMetadata(root: string, cause: unknown): OpenStoreError {
  return new OpenStoreError(
    'DamagedMetadata',
    `open store ${root}: pages of store.sqlite are damaged; run: holdfast admin store repair`,
    { cause },
  );
}
