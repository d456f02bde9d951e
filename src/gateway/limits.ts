/** What the gateway accepts at most, and for how long it waits. */

/** All headers and the request line together; the protocol's are far smaller, and Node's default is the same. */
export const MAX_HEADER_BYTES = 16 * 1024;
/** A larger number is refused: each is compared with several names before the request is authenticated. */
export const MAX_HEADERS = 1000;
/** A client that has not sent its headers by then is not sending them (slow-loris). */
export const HEADERS_TIMEOUT_MS = 10_000;
/** How often Node checks that; its default would add 30 seconds. */
export const HEADERS_CHECK_MS = 5_000;
/** Of one connection, sent before the first of them is answered. */
export const MAX_PIPELINED = 32;
/** An idle connection is kept this long for the next request; longer than clients keep theirs. */
export const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** Of one listener: each may hold a body's buffers. For one more, a connection without a request under way is closed. */
export const MAX_CONNECTIONS = 1024;
/** A body must bring at least this many bytes … */
export const MIN_PROGRESS_BYTES = 1024;
/** … within this time, or it is RequestTimeout. */
export const PROGRESS_WINDOW_MS = 30_000;
/** A client that takes nothing of an answer for so long is gone: what is sent holds an open object. */
export const WRITE_STALL_MS = 120_000;
/** One put or one part (semantics B.17). */
export const MAX_UPLOAD_BYTES = 5 * 1024 ** 3;
/** An unframed body up to this size is read whole: a stream of one or two chunks costs more than it holds back. */
export const MAX_WHOLE_BYTES = 64 * 1024;
/** Maximum size in bytes of a document that shares a turn of the event loop with others. */
export const SMALL_DOCUMENT_BYTES = 512;
/** Of larger documents together, while they are collected and parsed: five of the largest, or thirteen usual ones. */
export const MAX_DOCUMENT_MEMORY_BYTES = 16 * 1024 * 1024;
/** Of those, what one user may have: more than the largest document. */
export const MAX_SENDERS_DOCUMENT_BYTES = 4 * 1024 * 1024;
/** Whoever has waited for so long for a place there is asked to come again. */
export const DOCUMENT_WAIT_MS = 30_000;
/** A document that is not whole by then gives its place to others: the largest comes at 26 KB a second. */
export const DOCUMENT_DEADLINE_MS = 120_000;
/** A refused body up to this size is read before the answer, and the connection goes on. */
export const MAX_DRAIN_FIRST_BYTES = 64 * 1024;
/** Of a larger one so much is still read, so that the client gets to read the answer. */
export const MAX_DRAIN_BYTES = 1024 * 1024;
export const MAX_DRAIN_MS = 2_000;
/** How long `close` waits for requests under way. */
export const CLOSE_GRACE_MS = 3_000;
