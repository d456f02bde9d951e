/**
 * Defines the error for a request to which the client received no valid response, for example because the connection was
 * lost.
 */

export type TransportErrorCode =
  | 'ConnectionRefused'
  | 'ConnectionLost'
  | 'HostNotFound'
  | 'Timeout'
  | 'TlsFailed'
  | 'BadResponse';

/**
 * A request failed without a valid response. `sent` is whether the client had begun to send the body or, without a body,
 * the request. If false, a retry is safe. If true, the outcome is unknown, and the client must check it with a HEAD request
 * first.
 */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly code: TransportErrorCode;
  readonly sent: boolean;

  constructor(
    code: TransportErrorCode,
    message: string,
    options: { sent: boolean; cause?: unknown },
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.sent = options.sent;
  }
}
