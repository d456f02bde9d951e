/** Adds the operation's name and a hint to a service's error. The hint says how the user can fix the cause. */

import { StorageError, type StorageErrorCode } from '../object-store/storage-error.ts';

export interface Asked {
  readonly operation: string;
  readonly method: string;
  readonly endpoint: string;
  readonly accessKeyId: string;
}

type Hint = (asked: Asked, error: StorageError) => string;

const DETECTED =
  'remove --protocol (`protocol` in config.yaml): Holdfast then detects what the service accepts';

/**
 * Returns whether the error message concerns the signature. Recognizes the messages of AWS
 * ("Unsupported Authorization Type"), MinIO and Holdfast.
 */
function isAboutSignature({ message }: StorageError): boolean {
  return /authorization(?: type| mechanism|: the mechanism)/i.test(message);
}

const HINTS: { readonly [C in StorageErrorCode]?: Hint } = {
  SignatureDoesNotMatch: ({ accessKeyId }) => `check the secret of the access key ${accessKeyId}`,
  InvalidAccessKeyId: ({ accessKeyId, endpoint }) =>
    `check the access key ${accessKeyId}, and that it belongs to ${endpoint}`,
  ExpiredToken: ({ accessKeyId }) => `get a new session for the access key ${accessKeyId}`,
  InvalidToken: ({ accessKeyId, endpoint }) =>
    `check the session of the access key ${accessKeyId}, and that it belongs to ${endpoint}`,
  RequestTimeTooSkewed: (_, { details }) =>
    `set this machine's clock; the service's says ${details['ServerTime'] ?? 'another time'}`,
  AuthorizationHeaderMalformed: (_, { details }) =>
    details['Region'] === undefined
      ? `check the region, or ${DETECTED}`
      : `set the region to ${details['Region']}`,
  InvalidArgument: (_, error) => (isAboutSignature(error) ? DETECTED : ''),
  InvalidRequest: (_, error) => (isAboutSignature(error) ? DETECTED : ''),
  AccessDenied: ({ method }) =>
    method === 'HEAD'
      ? 'the response to HEAD has no details: permissions, secret, clock or region may be wrong'
      : '',
};

/**
 * Returns the text to append to the error message. The message of a Holdfast service already
 * contains the hint, but not the access key.
 */
function addition(hint: string, { accessKeyId }: Asked, { message }: StorageError): string {
  return message.includes('check your secret') ? ` (access key ${accessKeyId})` : `; ${hint}`;
}

/**
 * Returns an error with the same code and details. Its message begins with the operation and ends
 * with a hint. If the service does not accept the protocol's signatures, a new message replaces the
 * original message.
 */
export function explain(error: StorageError, asked: Asked): StorageError {
  const hint = HINTS[error.code]?.(asked, error) ?? '';
  if (hint === DETECTED) {
    const message = `cannot use ${asked.endpoint}: it does not accept the signatures of this protocol; ${DETECTED}`;
    return new StorageError(error.code, message, { details: error.details, cause: error });
  }
  const message = `${asked.operation}: ${error.message}${hint === '' ? '' : addition(hint, asked, error)}`;
  return new StorageError(error.code, message, { details: error.details, cause: error.cause });
}
