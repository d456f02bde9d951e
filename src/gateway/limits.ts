/**
 * Defines the limits and timeouts of the storage gateway. Those of all listeners are in `src/http`.
 */

/**
 * Minimum number of bytes of a body that must arrive within PROGRESS_WINDOW_MS; otherwise the
 * request fails with RequestTimeout.
 */
export const MIN_PROGRESS_BYTES = 1024;
export const PROGRESS_WINDOW_MS = 30_000;
/** Maximum size of one PUT or one part (semantics B.17). */
export const MAX_UPLOAD_BYTES = 5 * 1024 ** 3;
/**
 * Maximum length, in UTF-16 code units, of a document that shares a turn of the event loop with
 * others.
 */
export const SMALL_DOCUMENT_BYTES = 512;
/** Time within which a document must arrive, so that it frees its memory. The largest needs 26 KB per second. */
export const DOCUMENT_DEADLINE_MS = 120_000;
/**
 * Maximum size of a refused body that is read before the response, so that its connection stays
 * open.
 */
export const MAX_DRAIN_FIRST_BYTES = 64 * 1024;
/**
 * Maximum number of bytes of a larger refused body that are read after the response, so that the
 * client can receive the response.
 */
export const MAX_DRAIN_BYTES = 1024 * 1024;
export const MAX_DRAIN_MS = 2_000;
