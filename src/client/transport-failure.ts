/** Errors of the network as TransportErrors that say what to look at. */

import { errors } from 'undici';

import { errorCode, errorMessage } from '../base/errors.ts';
import { StorageError } from '../object-store/storage-error.ts';
import { TransportError, type TransportErrorCode } from '../object-store/transport-error.ts';

const CODES: Readonly<Record<string, TransportErrorCode>> = {
  ECONNREFUSED: 'ConnectionRefused',
  ENOTFOUND: 'HostNotFound',
  EAI_AGAIN: 'HostNotFound',
  EHOSTUNREACH: 'HostNotFound',
  ENETUNREACH: 'HostNotFound',
  ETIMEDOUT: 'Timeout',
  UND_ERR_CONNECT_TIMEOUT: 'Timeout',
  UND_ERR_HEADERS_TIMEOUT: 'Timeout',
  UND_ERR_BODY_TIMEOUT: 'Timeout',
  UND_ERR_HEADERS_OVERFLOW: 'BadResponse',
};
const TLS = /^(?:EPROTO|ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH)/;

/** What a person can do about it; `$` is the endpoint. */
const HINTS: Readonly<Record<TransportErrorCode, string>> = {
  ConnectionRefused: 'connect to $: the connection was refused; is the service running there?',
  ConnectionLost: 'talk to $: the connection was lost',
  HostNotFound: 'connect to $: the host cannot be found or reached; check the name and the network',
  Timeout: 'talk to $: it did not answer in time',
  TlsFailed:
    'connect to $: no trusted TLS connection; check its certificate, or whether it is http',
  BadResponse: 'talk to $: the answer is no HTTP; check the endpoint and its port',
};

/**
 * `sent` as in TransportError; `endpoint` without credentials. What HTTP cannot carry, such as a line feed in a
 * header, is no failure of the network but an InvalidArgument.
 */
export function transportFailure(
  cause: unknown,
  { sent, endpoint }: { readonly sent: boolean; readonly endpoint: string },
): StorageError | TransportError {
  if (cause instanceof errors.InvalidArgumentError) {
    return new StorageError('InvalidArgument', `send request: ${cause.message}`, { cause });
  }
  const code = codeOf(cause);
  const hint = HINTS[code].replace('$', endpoint);
  return new TransportError(code, `${hint} (${errorMessage(cause) || errorCode(cause)})`, {
    sent,
    cause,
  });
}

function codeOf(cause: unknown): TransportErrorCode {
  if (cause instanceof errors.HTTPParserError) return 'BadResponse';
  const code = errorCode(cause) ?? '';
  return TLS.test(code) ? 'TlsFailed' : (CODES[code] ?? 'ConnectionLost');
}
