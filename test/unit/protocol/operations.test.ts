/**
 * Tests that the requests and responses of every operation can be encoded and decoded in both
 * dialects.
 */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amzDialect, svcDialect, type Dialect } from '../../../src/protocol/dialect.ts';
import {
  decodeRequest,
  decodeResponse,
  encodeRequest,
  encodeResponse,
  OPERATIONS,
  type Input,
  type OperationName,
  type Output,
} from '../../../src/protocol/operations.ts';
import { parsePath } from '../../../src/protocol/paths.ts';
import { EXAMPLES } from '../../helpers/operation-examples.ts';
import { Headers } from '../../../src/protocol/headers.ts';

const dialects = [svcDialect(), amzDialect] as const;

const names = Object.keys(OPERATIONS) as OperationName[];

function throughRequest<N extends OperationName>(
  operation: N,
  input: Input<N>,
  dialect: Dialect,
): Input<N> {
  const { path, headers, ...wire } = encodeRequest(operation, input, dialect);
  const routed = { ...wire, headers: new Headers(headers), target: parsePath(path) };
  return decodeRequest(operation, routed, dialect);
}

function throughResponse<N extends OperationName>(
  operation: N,
  exchange: { input: Input<N>; output: Output<N> },
  dialect: Dialect,
): Output<N> {
  return decodeResponse(operation, encodeResponse(operation, exchange, dialect), dialect);
}

describe.each(dialects)('messages in the dialect $name', (dialect) => {
  test.each(names)(
    'the codec decodes a %s request to the same values that were encoded',
    (operation) => {
      fc.assert(
        fc.property(EXAMPLES[operation].input, (input) => {
          expect(throughRequest(operation, input as Input<typeof operation>, dialect)).toEqual(
            input,
          );
        }),
      );
    },
  );

  test.each(names)(
    'the codec decodes a response to %s to the same values that were encoded',
    (operation) => {
      fc.assert(
        fc.property(EXAMPLES[operation].input, EXAMPLES[operation].output, (input, output) => {
          const exchange = { input, output } as {
            input: Input<typeof operation>;
            output: Output<typeof operation>;
          };
          expect(throughResponse(operation, exchange, dialect)).toEqual(output);
        }),
      );
    },
  );
});

test.each([
  ['aws-chunked', undefined],
  ['gzip,aws-chunked', 'gzip'],
  ['aws-chunked, gzip', 'gzip'],
  ['gzip, br', 'gzip, br'],
])('the codec stores the content encoding %s as %j', (header, stored) => {
  const target = { bucket: 'b', key: 'k' };
  const headers = new Headers([['content-encoding', header]]);
  const input = decodeRequest('PutObject', { target, query: [], headers }, amzDialect);
  expect(input.attributes?.contentEncoding).toBe(stored);
});
