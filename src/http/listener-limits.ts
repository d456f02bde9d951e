/** Limits of every HTTP listener, and how long it waits for a client. */

/** Size of the request line and all headers together. It is also Node's default. */
export const MAX_HEADER_BYTES = 16 * 1024;
/** Each header is compared with several names before the request is authenticated. */
export const MAX_HEADERS = 1000;
/** Time within which a client must send its headers, against slow-loris attacks. */
export const HEADERS_TIMEOUT_MS = 10_000;
/** Interval of Node's check of that time. With its default, connections would last 30 seconds longer. */
export const HEADERS_CHECK_MS = 5_000;
/** Number of requests on one connection that are not answered yet. */
export const MAX_PIPELINED = 32;
/** Time for which an idle connection is kept open; longer than clients keep theirs. */
export const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** Per listener, since each connection may have buffers. Beyond it, an idle connection is closed for a new one. */
export const MAX_CONNECTIONS = 1024;
/** Time within which a client must accept a chunk of a response, because the response holds an open object. */
export const WRITE_STALL_MS = 120_000;
/** Time that `close` waits for requests in progress. */
export const CLOSE_GRACE_MS = 3_000;
/** Unframed bodies up to this size are read whole, because a stream of one or two chunks costs more than its memory. */
export const MAX_WHOLE_BYTES = 64 * 1024;
/** Total size of larger documents that are being received or parsed: five of the maximum size. */
export const MAX_DOCUMENT_MEMORY_BYTES = 16 * 1024 * 1024;
/** Share of that memory per user, which exceeds the largest document. */
export const MAX_SENDERS_DOCUMENT_BYTES = 4 * 1024 * 1024;
/** Time that a request waits for document memory before it fails with SlowDown. */
export const DOCUMENT_WAIT_MS = 30_000;
