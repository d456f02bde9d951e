/** Why a store could not be opened. Nothing was changed. */

export type OpenStoreErrorCode =
  | 'StoreInUse'
  | 'NewerStore'
  | 'OlderStore'
  | 'NotAStore'
  | 'ExchangedMetadata';

export class OpenStoreError extends Error {
  override readonly name = 'OpenStoreError';
  readonly code: OpenStoreErrorCode;

  constructor(code: OpenStoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
