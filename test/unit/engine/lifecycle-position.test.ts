/**
 * Tests of the text that records how far a lifecycle run has scanned, so that it can continue
 * there.
 */

import { expect, test } from 'vitest';

import {
  formatPosition,
  parsePosition,
  type Position,
} from '../../../src/engine/lifecycle/position.ts';

test('the position of a lifecycle scan is read back unchanged from its text', () => {
  const position: Position = {
    bucketId: 1,
    among: 'versions',
    after: { key: 'ü', sequence: 2 },
    state: { key: 'ü', newerModifiedAt: 3, newer: 1, stays: true },
  };
  expect(parsePosition(formatPosition(position))).toEqual(position);
});

test.each([
  'null',
  '1',
  '{"bucketId":1}',
  '{"bucketId":"1","among":"end"}',
  '{"bucketId":1,"among":"none"}',
  '{"bucketId":1,"among":"end","after":null}',
  '{"bucketId":1,"among":"end","after":{"key":1,"sequence":2}}',
  '{"bucketId":1,"among":"end","state":null}',
  '{"bucketId":1,"among":"end","state":{"key":"a"}}',
  '{',
])('the text of %s is rejected as a position of a lifecycle scan', (json) => {
  const token = Buffer.from(json).toString('base64url');
  expect(() => parsePosition(token)).toThrow('"after" is not a valid position');
});
