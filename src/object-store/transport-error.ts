/**
 * Defines the error for a request to which the client got no valid response, for example because the connection was
 * lost.
 */

/** The codes of transport errors, each with its meaning. */
export const TRANSPORT_ERRORS = {
  ConnectionRefused: 'no program accepts connections at the address and port',
  ConnectionLost: 'the connection ended before the response was complete',
  HostNotFound: 'the host name cannot be resolved, or the network is not reachable',
  Timeout: 'the service did not respond in time',
  TlsFailed: 'no TLS connection: the certificate is not trusted, or the port does not speak TLS',
  BadResponse: 'the response is not valid HTTP, or not a response that the protocol defines',
} as const;

export type TransportErrorCode = keyof typeof TRANSPORT_ERRORS;

/**
 * A request failed without a valid response. `sent` is true if the client had begun to send the body or, for a request
 * without a body, the request. If `sent` is false, the request can safely be retried. If `sent` is true, the outcome is
 * unknown, and the client must check it with a HEAD request first.
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
