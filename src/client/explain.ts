/** What a refusal means for whoever runs the client: the service's words, with a hint where one can act. */

import { StorageError, type StorageErrorCode } from '../object-store/storage-error.ts';

export interface Asked {
  readonly operation: string;
  readonly method: string;
  readonly endpoint: string;
  readonly accessKeyId: string;
}

type Hint = (asked: Asked, error: StorageError) => string;

const HINTS: { readonly [C in StorageErrorCode]?: Hint } = {
  SignatureDoesNotMatch: ({ accessKeyId }) => `check the secret of the access key ${accessKeyId}`,
  InvalidAccessKeyId: ({ accessKeyId, endpoint }) =>
    `check the access key ${accessKeyId}, and that it belongs to ${endpoint}`,
  RequestTimeTooSkewed: (_, { details }) =>
    `set this machine's clock; the service's says ${details['ServerTime'] ?? 'another time'}`,
  AuthorizationHeaderMalformed: (_, { details }) =>
    details['Region'] === undefined
      ? 'check the region and the dialect'
      : `set the region to ${details['Region']}`,
  AccessDenied: ({ method }) =>
    method === 'HEAD'
      ? 'the answer to HEAD tells no more: rights, secret, clock or region may be wrong'
      : '',
};

/** Its words say already what to do: a hint would be the second. */
function isOurService({ message }: StorageError): boolean {
  return message.includes('check your secret');
}

/** The same error with the operation before its message and a hint after it. */
export function explain(error: StorageError, asked: Asked): StorageError {
  const hint = HINTS[error.code]?.(asked, error) ?? '';
  const isSaid = hint === '' || isOurService(error);
  const message = `${asked.operation}: ${error.message}${isSaid ? '' : `; ${hint}`}`;
  return new StorageError(error.code, message, { details: error.details, cause: error.cause });
}
