/** Maps network errors to TransportErrors with a hint. */

import { errorCode, errorMessage } from '../base/errors.ts';
import { StorageError } from '../object-store/storage-error.ts';
import { TransportError, type TransportErrorCode } from '../object-store/transport-error.ts';
import { ProxyRefused } from './proxy-tunnel.ts';
import { WaitedTooLong } from './watch.ts';

const CODES: Readonly<Record<string, TransportErrorCode>> = {
  ECONNREFUSED: 'ConnectionRefused',
  ENOTFOUND: 'HostNotFound',
  EAI_AGAIN: 'HostNotFound',
  EHOSTUNREACH: 'HostNotFound',
  ENETUNREACH: 'HostNotFound',
  ETIMEDOUT: 'Timeout',
  UND_ERR_CONNECT_TIMEOUT: 'Timeout',
  UND_ERR_HEADERS_OVERFLOW: 'BadResponse',
  HPE_INVALID_EOF_STATE: 'ConnectionLost',
};
const TLS = /^(?:EPROTO|ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH)/;

/** Error messages with a hint, by error code. `$` is replaced by the endpoint. */
const HINTS: Readonly<Record<TransportErrorCode, string>> = {
  ConnectionRefused:
    'cannot connect to $: the connection was refused; is the service running there?',
  ConnectionLost: 'cannot use $: the connection was lost',
  HostNotFound:
    'cannot connect to $: the host cannot be found or reached; check the name and the network',
  Timeout: 'cannot use $: it did not answer in time',
  TlsFailed: 'cannot connect to $: the TLS handshake failed; does the service speak http there?',
  BadResponse:
    'cannot use $: it did not return a valid HTTP response; check the endpoint and its port',
};

const UNKNOWN_AUTHORITY =
  "cannot connect to $: its certificate is not signed by a trusted authority; if it has a private authority, set the target's caFile to the certificate of that authority";
const SELF_SIGNED =
  "cannot connect to $: its certificate is self-signed; if it is yours, set the target's caFile to it";

/**
 * Error messages for TLS errors, with the next step. No option disables certificate verification.
 */
const CERTIFICATES: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: SELF_SIGNED,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  CERT_UNTRUSTED: UNKNOWN_AUTHORITY,
  CERT_HAS_EXPIRED:
    "cannot connect to $: its certificate has expired; renew it, or check this machine's clock",
  CERT_NOT_YET_VALID:
    "cannot connect to $: its certificate is not valid yet; check this machine's clock",
  ERR_SSL_WRONG_VERSION_NUMBER:
    'cannot connect to $: the service does not use TLS on this port; write http:// in place of https://',
  CERT_REVOKED: 'cannot connect to $: its certificate was revoked; replace it',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'cannot connect to $: its certificate is for another name; use that name in the endpoint',
};

/**
 * Returns the error for a failed exchange. `sent` is a property of the returned TransportError. `endpoint` contains no
 * credentials. A value that HTTP cannot transmit, such as a line feed in a header, is reported as InvalidArgument
 * instead of a network error.
 */
export function transportFailure(
  cause: unknown,
  { sent, endpoint }: { readonly sent: boolean; readonly endpoint: string },
): StorageError | TransportError {
  if (cause instanceof Error && errorCode(cause) === 'UND_ERR_INVALID_ARG') {
    return new StorageError('InvalidArgument', `send request: ${cause.message}`, { cause });
  }
  const { code, hint } = meaningOf(cause);
  const detail = plain(errorMessage(cause) || errorCode(cause) || '');
  const message = `${hint.replace('$', endpoint)}${detail && ` (${detail})`}`;
  return new TransportError(code, message, { sent, cause });
}

/** Removes system error codes and OpenSSL source positions from an error message. */
function plain(message: string): string {
  const said = /:SSL routines:[^:]*:([^:]+):/.exec(message)?.[1] ?? message;
  return said.replace(/^(?:connect|getaddrinfo) E[A-Z_]+(?: [^\s,;]+)?/, '').trim();
}

function meaningOf(cause: unknown): { readonly code: TransportErrorCode; readonly hint: string } {
  if (cause instanceof WaitedTooLong) return { code: 'Timeout', hint: HINTS.Timeout };
  if (cause instanceof ProxyRefused) return { code: 'BadResponse', hint: 'cannot connect to $' };
  const given = errorCode(cause) ?? '';
  const certificate = CERTIFICATES[given];
  if (certificate !== undefined) return { code: 'TlsFailed', hint: certificate };
  const code = codeOf(cause, given);
  return { code, hint: HINTS[code] };
}

function codeOf(cause: unknown, given: string): TransportErrorCode {
  if (TLS.test(given)) return 'TlsFailed';
  const known = CODES[given];
  if (known !== undefined) return known;
  // Compare the name, because not every parser error has a code, and importing the class would load
  // undici.
  const isInvalidHttp = cause instanceof Error && cause.name === 'HTTPParserError';
  return isInvalidHttp ? 'BadResponse' : 'ConnectionLost';
}
