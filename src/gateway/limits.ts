/** Limits of the storage gateway, and how long it waits for a body. The limits of all listeners are in `src/http`. */

/** Number of bytes that a body must bring within `PROGRESS_WINDOW_MS`; otherwise the request fails with RequestTimeout. */
export const MIN_PROGRESS_BYTES = 1024;
export const PROGRESS_WINDOW_MS = 30_000;
/** Maximum size of one PUT or one part (semantics B.17). */
export const MAX_UPLOAD_BYTES = 5 * 1024 ** 3;
/** Maximum size in bytes of a document that shares a turn of the event loop with others. */
export const SMALL_DOCUMENT_BYTES = 512;
/** Time within which a document must arrive, so that it frees its memory. The largest needs 26 KB per second. */
export const DOCUMENT_DEADLINE_MS = 120_000;
/** A refused body up to this size is read before the response, and its connection stays open. */
export const MAX_DRAIN_FIRST_BYTES = 64 * 1024;
/** Of a larger refused body, this much is read after the response, so that the client can receive the response. */
export const MAX_DRAIN_BYTES = 1024 * 1024;
export const MAX_DRAIN_MS = 2_000;
