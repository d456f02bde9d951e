/** The trace that a request is part of, as tools of OpenTelemetry tell it (W3C Trace Context): for the log alone. */

import { headerValue, type WireHeaders } from '../protocol/wire.ts';

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/;
const NONE = '0'.repeat(32);

/** Undefined for none, and for what is not one: anybody may send anything. */
export function traceIdOf(headers: WireHeaders): string | undefined {
  const [, traceId] = TRACEPARENT.exec(headerValue(headers, 'traceparent') ?? '') ?? [];
  return traceId === NONE ? undefined : traceId;
}
