/** Defines the timeouts and size limits of the client. */

/**
 * Timeouts in milliseconds. When one expires, the attempt fails with TransportError `Timeout`;
 * `repeatMs` only ends the retries.
 */
export interface Timeouts {
  /** Time until the connection is established, including its proxy and TLS. */
  readonly connectMs: number;
  /** Time from the last byte sent to the head of the response. */
  readonly headersMs: number;
  /** Time between two chunks of a body, in either direction. */
  readonly bodyIdleMs: number;
  /** Time for one whole attempt, without the body of a download. An upload adds `transferMs`. */
  readonly attemptMs: number;
  /**
   * Time from the start of a call to the start of its last attempt. An upload adds `transferMs`.
   */
  readonly repeatMs: number;
}

export const TIMEOUTS: Timeouts = {
  /** Enough for a handshake over a very slow line. A host that needs longer drops packets. */
  connectMs: 10_000,
  /** Enough for the slowest operation, CompleteMultipartUpload with 10,000 parts. */
  headersMs: 120_000,
  bodyIdleMs: 60_000,
  /** Ends an exchange with a service that stays just below every other timeout. */
  attemptMs: 600_000,
  /**
   * Enough for a second attempt after one without a response. After that, the caller decides
   * whether to retry.
   */
  repeatMs: 300_000,
};

/** Minimum average rate of an upload, from which its timeouts are calculated. */
const LEAST_BYTES_PER_SECOND = 4 * 1024;

/** Returns the milliseconds that a body of this size adds to the timeouts of its call. */
export function transferMs(sizeBytes: number): number {
  return (sizeBytes / LEAST_BYTES_PER_SECOND) * 1_000;
}

/**
 * Milliseconds for which the client keeps an idle connection. Services keep theirs for at least
 * five seconds, so the client closes a connection before the service does.
 */
export const KEEP_ALIVE_MS = 4_000;

/**
 * Maximum size of a response document. It exceeds a listing of 1,000 keys of 1,024 bytes, each byte
 * escaped as three.
 */
export const MAX_XML_BYTES = 8 * 1024 * 1024;

/**
 * Maximum number of connections to a service. With a round trip of 40 ms, 64 connections carry
 * 1,600 small requests per second, fewer than one process can send. More are opened only while they
 * bring more responses.
 */
export const MAX_CONNECTIONS = 128;

/** Number of received bytes that may wait for the reader before the connection is paused. */
export const MAX_WAITING_BYTES = 256 * 1024;
