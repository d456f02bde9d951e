/** Defines the limits and timeouts of every HTTP listener. */

/** Maximum size of the request line and all headers together. It is also Node's default. */
export const MAX_HEADER_BYTES = 16 * 1024;
/**
 * Maximum number of headers, because each is compared with several names before the request is
 * authenticated.
 */
export const MAX_HEADERS = 1000;
/** Time within which a client must send its headers, against slow-loris attacks. */
export const HEADERS_TIMEOUT_MS = 10_000;
/**
 * Interval at which Node checks HEADERS_TIMEOUT_MS. With Node's default, connections would last 30
 * seconds longer.
 */
export const HEADERS_CHECK_MS = 5_000;
/** Maximum number of requests on one connection without a response. */
export const MAX_PIPELINED = 32;
/** Time for which an idle connection is kept open; longer than clients keep theirs. */
export const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/**
 * Maximum number of connections per listener, because each may have buffers. At the limit, an idle
 * connection is closed for a new one.
 */
export const MAX_CONNECTIONS = 1024;
/** Time within which a client must accept a chunk of a response, because the response holds an open object. */
export const WRITE_STALL_MS = 120_000;
/** Time that `close` waits for requests in progress. */
export const CLOSE_GRACE_MS = 3_000;
/**
 * Maximum size of a body that is read whole, unless it is `aws-chunked`. As a stream of one or two
 * chunks, it would cost more than its memory.
 */
export const MAX_WHOLE_BYTES = 64 * 1024;
/**
 * Maximum total size of larger documents that are being received or parsed: five of the maximum
 * size.
 */
export const MAX_DOCUMENT_MEMORY_BYTES = 16 * 1024 * 1024;
/**
 * Maximum share of that memory per user, or per IP address of anonymous callers. It exceeds the
 * largest document.
 */
export const MAX_SENDERS_DOCUMENT_BYTES = 4 * 1024 * 1024;
/** Time that a request waits for document memory before it fails with SlowDown. */
export const DOCUMENT_WAIT_MS = 30_000;
