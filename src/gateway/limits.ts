/**
 * Defines the limits and timeouts of the storage gateway. `src/http` defines the limits that apply to all listeners.
 */

/**
 * The minimum number of body bytes that must arrive within PROGRESS_WINDOW_MS. If fewer arrive, the request fails with
 * RequestTimeout.
 */
export const MIN_PROGRESS_BYTES = 1024;
export const PROGRESS_WINDOW_MS = 30_000;
/** The maximum size of one PUT or one part (semantics B.17). */
export const MAX_UPLOAD_BYTES = 5 * 1024 ** 3;
/**
 * The maximum length of an XML or JSON request body that is parsed without its own turn of the event loop, in UTF-16
 * code units.
 */
export const SMALL_DOCUMENT_BYTES = 512;
/**
 * The time within which an XML or JSON request body must arrive, because it occupies shared memory. The largest body
 * needs 26 KB per second.
 */
export const DOCUMENT_DEADLINE_MS = 120_000;
/**
 * The maximum size of a refused body that is read before the response is sent, so that the connection can stay open.
 */
export const MAX_DRAIN_FIRST_BYTES = 64 * 1024;
/**
 * The maximum number of bytes of a larger refused body that are read after the response was sent. Without this, the
 * client could lose the response.
 */
export const MAX_DRAIN_BYTES = 1024 * 1024;
export const MAX_DRAIN_MS = 2_000;
