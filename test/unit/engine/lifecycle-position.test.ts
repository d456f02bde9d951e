/** Tests of the text that stores the position of a lifecycle scan. */

import { expect, test } from 'vitest';

import {
  formatPosition,
  parsePosition,
  type Position,
} from '../../../src/engine/lifecycle/position.ts';

test('a position is parsed from its text', () => {
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
])('the text of %s is rejected as a position', (json) => {
  const token = Buffer.from(json).toString('base64url');
  expect(() => parsePosition(token)).toThrow('"after" is not a valid position');
});
