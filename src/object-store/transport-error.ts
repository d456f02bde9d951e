/** The service could not be reached, or the connection was lost: nothing is known about its state. */

export type TransportErrorCode =
  | 'ConnectionRefused'
  | 'ConnectionLost'
  | 'HostNotFound'
  | 'Timeout'
  | 'TlsFailed'
  | 'BadResponse';

/**
 * `sent` says whether the body (or, without one, the request) had begun to leave: false means that a
 * repetition is safe; true means that the outcome is unknown and the head must be read first.
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
