/** Every operation of the protocol has its wire test, each of these an operation, and the table of statements them all. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OPERATIONS as CLUSTER_OPERATIONS } from '../../src/cluster/wire/operations.ts';
import { OPERATIONS } from '../../src/protocol/operations.ts';
import { parseStatements } from '../helpers/specification.ts';

const SUFFIX = '.test.ts';
const TESTS = join(import.meta.dirname, '..');

/** `ListObjectsV2` is tested in `list-objects-v2.test.ts`. */
function testOf(operation: string): string {
  return operation.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase() + SUFFIX;
}

const expected = Object.keys(OPERATIONS).map(testOf).toSorted();

test('the wire tests are those of the operations', () => {
  const files = readdirSync(join(TESTS, 'wire/operations')).filter((name) => name.endsWith(SUFFIX));
  expect(files.toSorted()).toEqual(expected);
});

test('something is stated of every operation', () => {
  const statements = parseStatements(readFileSync(join(TESTS, 'SPECIFICATION.md'), 'utf8'));
  const files = new Set(statements.map(({ file }) => file));
  expect(expected.filter((name) => !files.has(`test/wire/operations/${name}`))).toEqual([]);
});

test('each operation on clusters has its wire test, too', () => {
  const files = readdirSync(join(TESTS, 'wire/clusters'));
  const names = Object.values(CLUSTER_OPERATIONS).map(({ name }) => testOf(name));
  expect(names.filter((name) => !files.includes(name))).toEqual([]);
});
