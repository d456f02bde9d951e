/** Tests of the trace id in the traceparent header of a request. */

import { expect, test } from 'vitest';

import { traceIdOf } from '../../../src/gateway/trace-id.ts';
import { Headers } from '../../../src/protocol/headers.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

test.each([
  [`00-${TRACE}-00f067aa0ba902b7-01`, TRACE],
  [`cc-${TRACE}-00f067aa0ba902b7-01-what-comes-later`, TRACE],
  [`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, undefined],
  [`00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`, undefined],
  [TRACE, undefined],
  ['"}\n{"msg":"forged"', undefined],
])('the gateway reads from the traceparent header %j the trace id %s', (value, traceId) => {
  expect(traceIdOf(new Headers([['traceparent', value]]))).toBe(traceId);
});

test('the gateway assigns no trace id to a request without a traceparent header', () => {
  expect(traceIdOf(new Headers([]))).toBeUndefined();
});
