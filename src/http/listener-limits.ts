/** Defines the limits and timeouts of all HTTP listeners. */

/** The maximum total size of the request line and the headers. It is also Node's default. */
export const MAX_HEADER_BYTES = 16 * 1024;
/**
 * The maximum number of headers, because each header is compared with several names before the request is
 * authenticated.
 */
export const MAX_HEADERS = 1000;
/** The time within which a client must send all headers. Prevents slow-loris attacks. */
export const HEADERS_TIMEOUT_MS = 10_000;
/**
 * The interval at which Node checks HEADERS_TIMEOUT_MS. With Node's default, slow connections would stay open 30
 * seconds longer.
 */
export const HEADERS_CHECK_MS = 5_000;
/** The maximum number of requests without a response on one connection. */
export const MAX_PIPELINED = 32;
/** The time for which an idle connection stays open. It is longer than the idle timeout of clients. */
export const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/**
 * The maximum number of connections to a listener, because each connection can use buffers. At the limit, an idle
 * connection is closed to accept a new one.
 */
export const MAX_CONNECTIONS = 1024;
/** The time within which a client must accept a chunk of a response, because the response keeps an object open. */
export const WRITE_STALL_MS = 120_000;
/** The time for which `close` waits for requests in progress. */
export const CLOSE_GRACE_MS = 3_000;
/**
 * The maximum size of a body that is read whole instead of as a stream, unless it is `aws-chunked`. Streaming one or
 * two chunks would cost more than holding the whole body in memory.
 */
export const MAX_WHOLE_BYTES = 64 * 1024;
/**
 * The maximum total size of documents (XML or JSON request bodies) that are being received or parsed: five documents of
 * the maximum size. Documents of up to MAX_WHOLE_BYTES do not count.
 */
export const MAX_DOCUMENT_MEMORY_BYTES = 16 * 1024 * 1024;
/**
 * The maximum share of the document memory for one user, or for one IP address of anonymous callers. It is larger than
 * the largest document.
 */
export const MAX_SENDERS_DOCUMENT_BYTES = 4 * 1024 * 1024;
/** The time for which a request waits for document memory before it fails with SlowDown. */
export const DOCUMENT_WAIT_MS = 30_000;
