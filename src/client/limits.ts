/** What the client waits for and takes in, at most. */

/** A listing of 1,000 keys of 1,024 bytes, each escaped threefold, with room. */
export const MAX_XML_BYTES = 8 * 1024 * 1024;

/** More connections than this gain nothing against one service and cost it memory. */
export const MAX_CONNECTIONS = 64;

/** A handshake over the slowest usable line; more is a host that drops packets. */
export const CONNECT_TIMEOUT_MS = 10_000;

/** From the last byte sent to the answer's head: completing an upload of 10,000 parts is the slowest. */
export const HEADERS_TIMEOUT_MS = 120_000;

/** Between two pieces of a body, in either direction. */
export const BODY_IDLE_TIMEOUT_MS = 60_000;

/** Bytes of an answer that wait for its reader before the connection is paused. */
export const MAX_WAITING_BYTES = 256 * 1024;
