/** Reads the trace ID of a request (W3C Trace Context), which is only logged. */

import type { Headers } from '../protocol/headers.ts';

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/;
const NONE = '0'.repeat(32);

/**
 * Returns the trace ID in the `traceparent` header. Returns undefined if the header is missing or
 * invalid.
 */
export function traceIdOf(headers: Headers): string | undefined {
  const [, traceId] = TRACEPARENT.exec(headers.get('traceparent') ?? '') ?? [];
  return traceId === NONE ? undefined : traceId;
}
