/** Timeouts and size limits of the client. */

/** Timeouts in milliseconds. After one, the attempt fails with TransportError `Timeout`. */
export interface Timeouts {
  /** Until the connection is established, including its proxy and TLS. */
  readonly connectMs: number;
  /** From the last byte sent to the head of the response. */
  readonly headersMs: number;
  /** Between two chunks of a body, in either direction. */
  readonly bodyIdleMs: number;
  /** One whole attempt, without the body of a download. An upload adds `transferMs`. */
  readonly attemptMs: number;
  /** From the start of a call to the start of its last attempt. An upload adds `transferMs`. */
  readonly repeatMs: number;
}

export const TIMEOUTS: Timeouts = {
  /** Enough for a handshake over a very slow line. A host that needs longer drops packets. */
  connectMs: 10_000,
  /** The slowest operation completes a multipart upload of 10,000 parts. */
  headersMs: 120_000,
  bodyIdleMs: 60_000,
  /** Against a service that stays just below every other timeout. */
  attemptMs: 600_000,
  /** Enough for a second attempt after one without a response. Then the caller decides. */
  repeatMs: 300_000,
};

/** Minimum rate of an upload. A slower one would take days. */
const LEAST_BYTES_PER_SECOND = 4 * 1024;

/** Returns the time that a body may add to its call, in milliseconds. */
export function transferMs(sizeBytes: number): number {
  return (sizeBytes / LEAST_BYTES_PER_SECOND) * 1_000;
}

/** Services keep idle connections for at least five seconds. The client closes its own earlier. */
export const KEEP_ALIVE_MS = 4_000;

/** Exceeds a listing of 1,000 keys of 1,024 bytes, of which each byte is escaped as three. */
export const MAX_XML_BYTES = 8 * 1024 * 1024;

/**
 * Over a round trip of 40 ms, 64 connections carry 1,600 small requests a second, fewer than one process can send. More are
 * opened only while they bring more answers.
 */
export const MAX_CONNECTIONS = 128;

/** Number of received bytes that may wait for the reader before the connection is paused. */
export const MAX_WAITING_BYTES = 256 * 1024;
