/** Every operation of the protocol has its wire test, and each of these an operation. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/protocol/operations.ts';

const SUFFIX = '.test.ts';

/** `ListObjectsV2` is tested in `list-objects-v2.test.ts`. */
function testOf(operation: string): string {
  return operation.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase() + SUFFIX;
}

test('the wire tests are those of the operations', () => {
  const folder = join(import.meta.dirname, '../wire/operations');
  const files = readdirSync(folder).filter((name) => name.endsWith(SUFFIX));
  expect(files.toSorted()).toEqual(Object.keys(OPERATIONS).map(testOf).toSorted());
});
