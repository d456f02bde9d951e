/** Defines the timeouts and size limits of the client. */

/**
 * Timeouts in milliseconds. When a timeout expires, the attempt fails with TransportError `Timeout`. Only `repeatMs`
 * ends no attempt: it ends the retries.
 */
export interface Timeouts {
  /** The time to establish the connection, including the connection to a proxy and TLS. */
  readonly connectMs: number;
  /** The time from the last byte sent to the response headers. */
  readonly headersMs: number;
  /** The time between two chunks of a body, in either direction. */
  readonly bodyIdleMs: number;
  /** The time for a whole attempt, without the body of a download. An upload adds `transferMs`. */
  readonly attemptMs: number;
  /**
   * The time from the start of a call to the start of its last attempt. An upload adds
   * `transferMs`.
   */
  readonly repeatMs: number;
}

export const TIMEOUTS: Timeouts = {
  /**
   * 10 seconds are enough for a handshake over a very slow line. A host that takes longer is
   * dropping packets.
   */
  connectMs: 10_000,
  /**
   * Two minutes are enough for the slowest operation: CompleteMultipartUpload with 10,000 parts.
   */
  headersMs: 120_000,
  bodyIdleMs: 60_000,
  /** After ten minutes, an attempt fails even if the service is so slow that it stays just below all other timeouts. */
  attemptMs: 600_000,
  /**
   * Five minutes are enough for a second attempt after an attempt without a response. After that,
   * the caller decides whether to retry.
   */
  repeatMs: 300_000,
};

/** The minimum average rate of an upload. The timeouts of uploads are calculated from it. */
const LEAST_BYTES_PER_SECOND = 4 * 1024;

/** Returns the milliseconds that a body of this size adds to the timeouts of its call. */
export function transferMs(sizeBytes: number): number {
  return (sizeBytes / LEAST_BYTES_PER_SECOND) * 1_000;
}

/**
 * How long the client keeps an idle connection, in milliseconds. Services keep theirs for at least
 * five seconds, so the client closes a connection before the service does.
 */
export const KEEP_ALIVE_MS = 4_000;

/**
 * The maximum size of an XML response. A listing of 1,000 keys of 1,024 bytes is smaller, even if each byte is escaped
 * as three bytes.
 */
export const MAX_XML_BYTES = 8 * 1024 * 1024;

/**
 * The maximum number of connections to a service. With a round trip of 40 ms, 64 connections carry
 * 1,600 small requests per second, but one process can send more. Connections are only added while
 * this increases the rate of responses.
 */
export const MAX_CONNECTIONS = 128;

/** The number of received bytes that may wait for the reader before the connection is paused. */
export const MAX_WAITING_BYTES = 256 * 1024;

/** Maximum size of an object that a read returns as a whole. Must be less than MAX_WAITING_BYTES. */
export const MAX_WHOLE_BYTES = 64 * 1024;
