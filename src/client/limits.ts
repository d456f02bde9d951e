/** What the client waits for and takes in, at most. */

/** Milliseconds. What runs out ends the attempt with TransportError `Timeout`. */
export interface Timeouts {
  /** Until a connection stands, with its proxy and its TLS. */
  readonly connectMs: number;
  /** From the last byte sent to the answer's head. */
  readonly headersMs: number;
  /** Between two pieces of a body, in either direction. */
  readonly bodyIdleMs: number;
  /** One attempt as a whole, but for a download's body; what is sent adds its share, see `transferMs`. */
  readonly attemptMs: number;
  /** No attempt begins later than this after the call began; what is sent adds its share here too. */
  readonly repeatMs: number;
}

export const TIMEOUTS: Timeouts = {
  /** A handshake over the slowest usable line; more is a host that drops packets. */
  connectMs: 10_000,
  /** Completing an upload of 10,000 parts is the slowest. */
  headersMs: 120_000,
  bodyIdleMs: 60_000,
  /** Against a service that keeps every single wait just short. */
  attemptMs: 600_000,
  /** Enough for a second try after one that was not answered. Then whoever called knows better what to do. */
  repeatMs: 300_000,
};

/** A body that is slower than this would take days, and means that something is broken. */
const LEAST_BYTES_PER_SECOND = 4 * 1024;

/** What a body may add to the time of its call. */
export function transferMs(sizeBytes: number): number {
  return (sizeBytes / LEAST_BYTES_PER_SECOND) * 1_000;
}

/** Services keep an idle connection for five seconds and more: ours is given up before they hang up. */
export const KEEP_ALIVE_MS = 4_000;

/** A listing of 1,000 keys of 1,024 bytes, each escaped threefold, with room. */
export const MAX_XML_BYTES = 8 * 1024 * 1024;

/**
 * Over a round trip of 40 ms, 64 connections carry 1,600 small requests a second, fewer than one process can send. More are
 * opened only while they bring more answers.
 */
export const MAX_CONNECTIONS = 128;

/** Bytes of an answer that wait for its reader before the connection is paused. */
export const MAX_WAITING_BYTES = 256 * 1024;
